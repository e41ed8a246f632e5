internal import EventLoops
internal import Glibc
internal import HunchModel

/// Reports changes of files within folders. Confined to the loop's thread.
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
        for (path, number) in folders where !wanted.contains(path) {
            changes?.end(number)
            folders[path] = nil
        }
        for path in wanted where folders[path] == nil { folders[path] = changes?.watch(path, for: Int(Self.mask)) }
    }

    private func take(_ changes: [FileChanges.Change]) {
        // The end of a watch is no change. A folder that was deleted and made again has a new watch.
        let ended = Set(changes.filter { $0.mask & UInt32(IN_IGNORED) != 0 }.map(\.folder))
        folders = folders.filter { !ended.contains($0.value) }
        if changes.contains(where: { $0.mask & UInt32(IN_IGNORED) == 0 }) { changed() }
    }
}
