internal import PersonalStores
internal import HistoryExport
internal import Glibc
internal import History
internal import EventLoops
internal import HunchDBus
internal import Learning

/// An export that is being written into a pipe.
///
/// The store is read on its own thread, page by page at the reader's pace. Writing never blocks. The export ends when
/// everything is written, when the reader closes the pipe, or when it reads nothing for a while.
actor ExportStream: LoopActor {
    private let patience: Duration
    package let loop: EventLoop
    private let history: HistoryKeeper
    /// The stores whose lines follow those of the history.
    private let stores: [any PersonalStore]
    /// The number of their lines.
    private var further = 0
    private var pipe: UnixDescriptor?
    private var waiting: Wait?

    private struct Wait {
        package let continuation: CheckedContinuation<Bool, Never>
        package let watch: DescriptorWatch
        package let timer: LoopTimer
    }

    /// - Parameter pipe: the non-blocking writing end.
    private init(
        loop: EventLoop, history: HistoryKeeper, stores: [any PersonalStore], patience: Duration, pipe: UnixDescriptor
    ) {
        self.patience = patience
        self.loop = loop
        self.history = history
        self.stores = stores
        self.pipe = pipe
    }

    /// Creates a pipe, which ``run()`` fills.
    ///
    /// - Parameter patience: the time for which the reader may read nothing.
    /// - Returns: the stream and the end to read from.
    /// - Throws: ``DBusError`` with the name `…LimitsExceeded` if the process has no descriptors left.
    package static func open(
        loop: EventLoop, history: HistoryKeeper, stores: [any PersonalStore], patience: Duration
    ) throws(DBusError) -> (ExportStream, UnixDescriptor) {
        var ends: [Int32] = [-1, -1]
        // −1: no pipe was created.
        guard Glibc.pipe(&ends) == 0 else {
            throw DBusError(.limitsExceeded, "no pipe can be made: \(String(cString: strerror(errno)))")
        }
        let (reader, writer) = (UnixDescriptor(owning: ends[0]), UnixDescriptor(owning: ends[1]))
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Only this end is non-blocking.
        _ = fcntl(ends[1], F_SETFL, O_WRONLY | O_NONBLOCK)
        return (ExportStream(loop: loop, history: history, stores: stores, patience: patience, pipe: writer), reader)
    }

    /// Writes everything, until the end.
    ///
    /// - Throws: `HistoryError` if the store cannot be read. Then the output lacks its last line.
    package func run() async throws {
        defer { end() }
        var cursor = ExportCursor()
        while pipe != nil {
            let before = cursor
            let (page, after) = try await history.use { store, now in
                var next = before
                return (try store.exportPage(&next, now: now), next)
            }
            cursor = after
            guard let page, await write(page) else { return }
            guard page.isEmpty else { continue }
            for store in stores {
                try await store.export { [self] lines in await write(further: lines) }
            }
            cursor.lines += further
        }
    }

    /// Writes lines of a store other than the history. Returns `false` if the reader is gone.
    private func write(further lines: [String]) async -> Bool {
        further += lines.count
        return await write(lines.flatMap { Array($0.utf8) + [UInt8(ascii: "\n")] })
    }

    /// Ends the export at once. Only what is in the pipe can still be read.
    package func end() {
        finishWaiting(false)
        pipe = nil
    }

    /// Writes a page. Returns `false` if the reader is gone.
    private func write(_ page: [UInt8]) async -> Bool {
        var rest = page[...]
        while !rest.isEmpty {
            guard let pipe else { return false }
            let (count, reason) = pipe.withDescriptor { descriptor in
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                return (count, errno)
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if reason == EAGAIN {
                guard await waitForRoom() else { return false }
            } else if reason != EINTR {
                // EPIPE: the reader closed the pipe.
                return false
            }
        }
        return true
    }

    /// Waits until the reader read something or closed the pipe. Returns `false` after the time limit or the end of
    /// the stream.
    private func waitForRoom() async -> Bool {
        guard let pipe else { return false }
        return await withCheckedContinuation { continuation in
            let watch = pipe.withDescriptor { descriptor in
                loop.watch(descriptor, for: .writable) { [weak self] _ in
                    self?.assumeIsolated { $0.finishWaiting(true) }
                }
            }
            let timer = schedule(after: patience) { $0.finishWaiting(false) }
            waiting = Wait(continuation: continuation, watch: watch, timer: timer)
        }
    }

    private func finishWaiting(_ result: Bool) {
        guard let waiting else { return }
        self.waiting = nil
        loop.remove(waiting.watch)
        loop.cancel(waiting.timer)
        waiting.continuation.resume(returning: result)
    }
}
