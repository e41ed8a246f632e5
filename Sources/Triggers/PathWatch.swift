import Glibc
import EventLoops
import HunchDBus
internal import HunchModel

/// Reports when a file appears at a path, through inotify and without polling. The parent folders need not exist yet.
///
/// Confined to the loop's thread. ``close()`` must be called at the end.
final class PathWatch {
    private let loop: EventLoop
    private let path: String
    private let appeared: () -> Void
    private let inotify: Int32
    private var folder: (path: String, watch: Int32)?
    private var watch: DescriptorWatch?

    /// Starts watching. If the kernel provides no inotify instance, nothing is ever reported.
    ///
    /// - Parameter path: an absolute path. A file that already exists is not reported.
    init(_ path: String, on loop: EventLoop, appeared: @escaping () -> Void) {
        self.loop = loop
        self.path = path
        self.appeared = appeared
        // −1: the limit of inotify instances per Unix user is reached.
        inotify = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard inotify >= 0 else { return }
        watch = loop.watch(inotify, for: .readable) { [weak self] _ in self?.read() }
        follow()
    }

    func close() {
        guard let watch else { return }
        self.watch = nil
        loop.remove(watch)
        Glibc.close(inotify)
    }

    /// Watches the deepest existing folder on the path. Loops because folders may appear or vanish meanwhile.
    private func follow() {
        while true {
            let deepest = Self.folders(of: path).first { access($0, F_OK) == 0 } ?? "/"
            if folder?.path == deepest { return }
            if let folder { inotify_rm_watch(inotify, folder.watch) }
            let mask = IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF
            // −1: the folder just vanished, or is not readable.
            let number = inotify_add_watch(inotify, deepest, UInt32(mask))
            folder = number < 0 ? nil : (deepest, number)
            if number < 0, errno != ENOENT { return }
        }
    }

    private func read() {
        var isOurs = false
        withUnsafeTemporaryAllocation(byteCount: 8_192, alignment: 8) { buffer in
            while true {
                // −1 with EAGAIN: there are no more events.
                let count = Glibc.read(inotify, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let start = offset + MemoryLayout<inotify_event>.size
                    let name = buffer[start..<min(start + Int(event.len), count)].prefix { $0 != 0 }
                    if folder?.watch == event.wd { isOurs = isOurs || concerns(event.mask, name) }
                    offset = start + Int(event.len)
                }
            }
        }
        guard isOurs else { return }
        follow()
        if access(path, F_OK) == 0 { appeared() }
    }

    /// Whether an event concerns the watched folder itself or the next component of the path.
    private func concerns(_ mask: UInt32, _ name: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
        guard let folder = folder?.path else { return false }
        if mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) != 0 {
            self.folder = nil
            return true
        }
        let rest = path.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1)
        return name.elementsEqual(rest.prefix { $0 != "/" }.utf8)
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
