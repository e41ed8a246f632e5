internal import EventLoops
internal import Glibc
internal import HunchModel

/// Reports changes of iCalendar files within folders. Confined to the loop's thread.
final class FolderWatch {
    /// The maximum number of watched folders.
    private static let maximumFolders = 512
    private static let mask =
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF

    private let changed: () -> Void
    private var changes: FileChanges?
    private var folders: [String: Int32] = [:]

    /// Starts without folders.
    init(on loop: EventLoop, changed: @escaping () -> Void) {
        self.changed = changed
        changes = FileChanges(on: loop) { [weak self] in self?.take($0) }
    }

    func close() { changes?.close() }

    /// Replaces the watched folders.
    func follow(_ paths: [String]) {
        let wanted = Set(paths.prefix(Self.maximumFolders))
        for path in folders.keys where !wanted.contains(path) {
            guard let number = folders.removeValue(forKey: path) else { continue }
            // Another path may lead to the same folder.
            if !folders.values.contains(number) { changes?.end(number) }
        }
        for path in wanted where folders[path] == nil { folders[path] = changes?.watch(path, for: Int(Self.mask)) }
    }

    private func take(_ changes: [FileChanges.Change]) {
        for change in changes where change.mask & UInt32(IN_MOVE_SELF | IN_IGNORED) != 0 {
            // The path leads elsewhere now, or nowhere.
            folders = folders.filter { $0.value != change.folder }
            if change.mask & UInt32(IN_IGNORED) == 0 { self.changes?.end(change.folder) }
        }
        if changes.contains(where: Self.concernsCalendars) { changed() }
    }

    /// Whether a change concerns an iCalendar file or a folder. Other files may be anything, as in a home directory.
    private static func concernsCalendars(_ change: FileChanges.Change) -> Bool {
        change.name.lowercased().hasSuffix(".ics") || change.mask & UInt32(IN_ISDIR) != 0
            || change.mask & UInt32(IN_MOVE_SELF | IN_DELETE_SELF) != 0
    }
}
