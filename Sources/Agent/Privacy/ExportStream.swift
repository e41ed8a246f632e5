internal import Glibc
internal import History
internal import HunchDBus

/// One export on its way into a pipe.
///
/// The store is read on its own thread, page by page as the reader takes them; writing never blocks. It ends when all is
/// written, when the reader goes away, or when the reader takes nothing for a while.
actor ExportStream {
    private let patience: Duration
    private let loop: EventLoop
    private let history: HistoryKeeper
    private var pipe: UnixDescriptor?
    private var waiting: Wait?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private struct Wait {
        let continuation: CheckedContinuation<Bool, Never>
        let watch: DescriptorWatch
        let timer: LoopTimer
    }

    /// - Parameter pipe: the writing end, which must not block.
    private init(loop: EventLoop, history: HistoryKeeper, patience: Duration, pipe: UnixDescriptor) {
        self.patience = patience
        self.loop = loop
        self.history = history
        self.pipe = pipe
    }

    /// Makes a pipe; ``run()`` fills it.
    ///
    /// - Parameter patience: how long the reader may take nothing.
    /// - Returns: the stream and the end to read from.
    /// - Throws: ``DBusError`` with the name `…LimitsExceeded` when the process has no descriptor left.
    static func open(
        loop: EventLoop, history: HistoryKeeper, patience: Duration
    ) throws(DBusError) -> (ExportStream, UnixDescriptor) {
        var ends: [Int32] = [-1, -1]
        // −1: nothing was made.
        guard Glibc.pipe(&ends) == 0 else {
            throw DBusError(.limitsExceeded, "no pipe can be made: \(String(cString: strerror(errno)))")
        }
        let (reader, writer) = (UnixDescriptor(owning: ends[0]), UnixDescriptor(owning: ends[1]))
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Of this end alone: the reader's own waits as it likes.
        _ = fcntl(ends[1], F_SETFL, O_WRONLY | O_NONBLOCK)
        return (ExportStream(loop: loop, history: history, patience: patience, pipe: writer), reader)
    }

    /// Writes until the end.
    ///
    /// - Throws: `HistoryError` when the store cannot be read; what was written then lacks its last line.
    func run() async throws {
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
        }
    }

    /// Ends at once. What was not read yet is not to be had any more, but for what is in the pipe.
    func end() {
        finishWaiting(false)
        pipe = nil
    }

    /// Writes a page; false when there is nobody to write for.
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
                // EPIPE: the reader went away, as it may.
                return false
            }
        }
        return true
    }

    /// Waits until the reader took something or went away; false when it did neither in time, or the stream ended.
    private func waitForRoom() async -> Bool {
        guard let pipe else { return false }
        return await withCheckedContinuation { continuation in
            let watch = pipe.withDescriptor { descriptor in
                loop.watch(descriptor, for: .writable) { [weak self] _ in
                    self?.assumeIsolated { $0.finishWaiting(true) }
                }
            }
            let timer = loop.schedule(after: patience) { [weak self] in
                self?.assumeIsolated { $0.finishWaiting(false) }
            }
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
