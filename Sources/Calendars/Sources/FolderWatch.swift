internal import EventLoops
internal import Glibc
internal import HunchModel

/// Reports changes of files within folders, through inotify. Confined to the loop's thread.
final class FolderWatch {
    /// The maximum number of watched folders.
    private static let maximumFolders = 512

    private let loop: EventLoop
    private let inotify: Int32
    private let changed: () -> Void
    private var watch: DescriptorWatch?
    private var folders: [String: Int32] = [:]

    /// Starts without folders. If the kernel provides no inotify instance, nothing is ever reported.
    init(on loop: EventLoop, changed: @escaping () -> Void) {
        self.loop = loop
        self.changed = changed
        // −1: the limit of inotify instances per Unix user is reached.
        inotify = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard inotify >= 0 else { return }
        watch = loop.watch(inotify, for: .readable) { [weak self] _ in self?.read() }
    }

    func close() {
        guard let watch else { return }
        self.watch = nil
        loop.remove(watch)
        Glibc.close(inotify)
    }

    /// Replaces the watched folders.
    func follow(_ paths: [String]) {
        guard watch != nil else { return }
        let wanted = Set(paths.prefix(Self.maximumFolders))
        for (path, number) in folders where !wanted.contains(path) {
            // −1: the folder is gone, and its watch with it.
            inotify_rm_watch(inotify, number)
            folders[path] = nil
        }
        let mask =
            IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
        for path in wanted where folders[path] == nil {
            // −1: the folder just vanished, or the limit of watches is reached.
            let number = inotify_add_watch(inotify, path, UInt32(mask))
            if number >= 0 { folders[path] = number }
        }
    }

    private func read() {
        var isChanged = false
        withUnsafeTemporaryAllocation(byteCount: 8_192, alignment: 8) { buffer in
            // −1 with EAGAIN: there are no more events.
            while Glibc.read(inotify, buffer.baseAddress, buffer.count) > 0 { isChanged = true }
        }
        guard isChanged else { return }
        // A folder that was deleted and made again has a new watch.
        folders = folders.filter { access($0.key, F_OK) == 0 }
        changed()
    }
}
