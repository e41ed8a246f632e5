internal import Glibc
package import EventLoops
internal import HunchModel

/// Reports when a file appears at a path or is written there, without polling. The parent folders need not exist yet.
///
/// A file that is written in place is reported when the writer closes it.
///
/// Confined to the loop's thread. ``close()`` must be called at the end.
package final class PathWatch {
    private let path: String
    private let appeared: () -> Void
    private var changes: FileChanges?
    private var folder: (path: String, number: Int32)?

    /// Starts watching.
    ///
    /// - Parameter path: an absolute path. A file that already exists is not reported, unless it is written or replaced.
    package init(_ path: String, on loop: EventLoop, appeared: @escaping () -> Void) {
        self.path = path
        self.appeared = appeared
        changes = FileChanges(on: loop) { [weak self] in self?.take($0) }
        follow()
    }

    /// Stops watching.
    package func close() { changes?.close() }

    /// Watches the deepest existing folder on the path. Loops because folders may appear or vanish meanwhile.
    private func follow() {
        while true {
            let deepest = Self.folders(of: path).first { access($0, F_OK) == 0 } ?? "/"
            if folder?.path == deepest { return }
            if let folder { changes?.end(folder.number) }
            let mask = IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
            let number = changes?.watch(deepest, for: Int(mask))
            folder = number.map { (deepest, $0) }
            // The folder may have vanished just now.
            if number == nil, errno != ENOENT { return }
        }
    }

    private func take(_ changes: [FileChanges.Change]) {
        guard changes.contains(where: concerns) else { return }
        follow()
        if access(path, F_OK) == 0 { appeared() }
    }

    /// Whether a change concerns the watched folder itself or the next component of the path.
    private func concerns(_ change: FileChanges.Change) -> Bool {
        guard let folder, folder.number == change.folder else { return false }
        if change.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) != 0 {
            self.folder = nil
            return true
        }
        let rest = path.dropFirst(folder.path == "/" ? 1 : folder.path.utf8.count + 1)
        return change.name.utf8.elementsEqual(rest.prefix { $0 != "/" }.utf8)
    }

    /// Returns the parent folders of a path, deepest first.
    private static func folders(of path: String) -> [String] {
        var folders: [String] = []
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/") {
            rest = rest[..<slash]
            folders.append(rest.isEmpty ? "/" : String(rest))
        }
        return folders
    }
}
