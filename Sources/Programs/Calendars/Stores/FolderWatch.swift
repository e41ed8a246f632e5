internal import EventLoops
internal import Glibc
internal import HunchModel

/// Reports changes of iCalendar files within folders, and that files or folders appear that may not exist yet. Confined to
/// the loop's thread.
final class FolderWatch {
    /// The maximum number of watched folders.
    private static let maximumFolders = 512
    private static let mask =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB

    private let changed: () -> Void
    private var changes: FileChanges?
    private var folders: [String: Int32] = [:]
    /// The numbers of the folders in which each iCalendar file and each folder counts.
    private var calendars: Set<Int32> = []
    /// The names that are expected in folders, by the numbers of these, as beginnings.
    private var expected: [Int32: Set<String>] = [:]

    /// Starts without folders.
    init(on loop: EventLoop, changed: @escaping () -> Void) {
        self.changed = changed
        changes = FileChanges(on: loop) { [weak self] in self?.take($0) }
    }

    func close() { changes?.close() }

    /// Replaces the watched folders.
    ///
    /// - Parameters:
    ///   - paths: the folders in which each iCalendar file and each folder counts.
    ///   - awaited: the absolute paths that may appear or change. If the folder of one does not exist, its nearest parent is
    ///     watched for the next folder on the path.
    /// - Returns: whether folders are watched that were not before.
    @discardableResult
    func follow(_ paths: [String], awaiting awaited: [String] = []) -> Bool {
        let steps = awaited.map(Self.step)
        let wanted = Set((steps.map(\.folder) + paths).prefix(Self.maximumFolders))
        for path in folders.keys where !wanted.contains(path) {
            guard let number = folders.removeValue(forKey: path) else { continue }
            // Another path may lead to the same folder.
            if !folders.values.contains(number) { changes?.end(number) }
        }
        let known = folders.count
        for path in wanted where folders[path] == nil { folders[path] = changes?.watch(path, for: Int(Self.mask)) }
        calendars = Set(paths.compactMap { folders[$0] })
        expected = [:]
        for step in steps {
            if let number = folders[step.folder] { expected[number, default: []].insert(step.name) }
        }
        return folders.count > known
    }

    /// Returns the deepest existing folder on a path, and the name that follows it.
    private static func step(on path: String) -> (folder: String, name: String) {
        var folder = path[...]
        while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
            let name = folder[folder.index(after: slash)...]
            folder = folder[..<slash]
            // −1: there is no such folder.
            if access(String(folder), F_OK) == 0 { return (String(folder), String(name)) }
        }
        return ("/", String(folder.drop { $0 == "/" }))
    }

    private func take(_ changes: [FileChanges.Change]) {
        for change in changes where change.mask & UInt32(IN_MOVE_SELF | IN_IGNORED) != 0 {
            // The path leads elsewhere now, or nowhere.
            folders = folders.filter { $0.value != change.folder }
            if change.mask & UInt32(IN_IGNORED) == 0 { self.changes?.end(change.folder) }
        }
        if changes.contains(where: concernsCalendars) { changed() }
    }

    /// Whether a change concerns an iCalendar file or a folder of calendars, or what is expected. Other files may be anything,
    /// as in a home directory.
    private func concernsCalendars(_ change: FileChanges.Change) -> Bool {
        if change.mask & UInt32(IN_MOVE_SELF | IN_DELETE_SELF) != 0 { return true }
        if expected[change.folder]?.contains(where: change.name.hasPrefix) == true { return true }
        return calendars.contains(change.folder)
            && (change.name.lowercased().hasSuffix(".ics") || change.mask & UInt32(IN_ISDIR) != 0)
    }
}
