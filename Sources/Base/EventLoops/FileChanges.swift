internal import Glibc

/// Reports changes in folders, through inotify(7) and without polling.
///
/// Confined to the loop's thread. ``close()`` must be called at the end.
public final class FileChanges {
    /// A change in a watched folder.
    public struct Change: Sendable {
        /// The number of the folder, from ``watch(_:for:)``.
        public let folder: Int32
        /// The bits of the event, such as `IN_CREATE`.
        public let mask: UInt32
        /// The name of the file; empty if the folder itself changed.
        public let name: String
    }

    private let loop: EventLoop
    private let inotify: Int32
    private let report: ([Change]) -> Void
    private var watch: DescriptorWatch?

    /// Starts without folders. If the kernel provides no inotify instance, nothing is ever reported.
    ///
    /// - Parameter report: receives the changes since the last report, in order.
    public init(on loop: EventLoop, _ report: @escaping ([Change]) -> Void) {
        self.loop = loop
        self.report = report
        // −1: the limit of inotify instances per Unix user is reached.
        inotify = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard inotify >= 0 else { return }
        watch = loop.watch(inotify, for: .readable) { [weak self] _ in self?.read() }
    }

    /// Stops. No change is reported afterwards.
    public func close() {
        guard let watch else { return }
        self.watch = nil
        loop.remove(watch)
        Glibc.close(inotify)
    }

    /// Watches a folder.
    ///
    /// - Parameter mask: the bits of the events to report.
    /// - Returns: the number of the folder, the same as before for a folder that is watched already. `nil` if it cannot be
    ///   watched; `errno` has the reason.
    public func watch(_ path: String, for mask: Int) -> Int32? {
        // −1: the folder is gone, is not readable, or the limit of watches is reached.
        let number = inotify_add_watch(inotify, path, UInt32(mask))
        return number < 0 ? nil : number
    }

    /// Ends the watch of a folder.
    public func end(_ folder: Int32) {
        // −1: the folder is gone, and its watch with it.
        inotify_rm_watch(inotify, folder)
    }

    private func read() {
        var changes: [Change] = []
        withUnsafeTemporaryAllocation(byteCount: 8_192, alignment: 8) { buffer in
            while true {
                // −1 with EAGAIN: there are no more events.
                let count = Glibc.read(inotify, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                var offset = 0
                while offset + MemoryLayout<inotify_event>.size <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let start = offset + MemoryLayout<inotify_event>.size
                    let end = min(start + Int(event.len), count)
                    let name = buffer[start..<end].prefix { $0 != 0 }
                    changes.append(
                        Change(folder: event.wd, mask: event.mask, name: String(decoding: name, as: UTF8.self)))
                    offset = end
                }
            }
        }
        if !changes.isEmpty { report(changes) }
    }
}
