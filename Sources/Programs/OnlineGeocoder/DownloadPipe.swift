internal import AgentInterface
internal import Glibc
internal import HunchDBus
internal import Localization

/// The listener of a download, on the thread of the download.
protocol DownloadListener: AnyObject {
    /// Whether the reader has gone, so that the download must stop.
    var isGone: Bool { get }
    func report(_ event: DownloadEvent)
}

/// The writing end of the pipe with a download's events. It never blocks.
final class DownloadPipe: DownloadListener, @unchecked Sendable {  // used on one thread at a time
    /// The number of unread bytes beyond which events about progress are dropped. The last event then always fits.
    private static let mostUnread: Int32 = 16_384

    private let writer: UnixDescriptor

    private init(_ writer: UnixDescriptor) { self.writer = writer }

    /// Creates a pipe.
    ///
    /// - Returns: the pipe, and the end to read from.
    /// - Throws: ``DBusError`` with the name `…LimitsExceeded` if the process has no descriptors left.
    static func open() throws(DBusError) -> (DownloadPipe, UnixDescriptor) {
        var ends: [Int32] = [-1, -1]
        // −1: no pipe was created.
        guard pipe(&ends) == 0 else {
            throw DBusError(
                .limitsExceeded, localized("no pipe can be made: %1", String(cString: strerror(errno))))
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // Only this end is non-blocking.
        _ = fcntl(ends[1], F_SETFL, O_WRONLY | O_NONBLOCK)
        return (DownloadPipe(UnixDescriptor(owning: ends[1])), UnixDescriptor(owning: ends[0]))
    }

    /// Ends the events.
    func close() {
        let descriptor = writer.take()
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }

    var isGone: Bool {
        writer.withDescriptor { descriptor in
            // A pipe without a reader has the state POLLERR (poll(2)).
            var state = pollfd(fd: descriptor, events: 0, revents: 0)
            return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLERR) != 0
        }
    }

    func report(_ event: DownloadEvent) {
        let line = event.line
        writer.withDescriptor { descriptor in
            if case .progress = event {
                var unread: Int32 = 0
                // −1 on failure, which leaves 0.
                _ = ioctl(descriptor, UInt(FIONREAD), &unread)
                if unread > Self.mostUnread { return }
            }
            // Complete or not at all, since lines are shorter than PIPE_BUF or the pipe has room. If the reader has
            // gone, nobody needs the event.
            _ = write(descriptor, line, line.count)
        }
    }
}
