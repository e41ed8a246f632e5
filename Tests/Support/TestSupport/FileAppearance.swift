import Glibc

/// Waits until `path` exists, by inotify on the folder that holds it (which must exist already).
///
/// - Throws: `BenchError` if the folder cannot be watched, `CancellationError` if the task is cancelled.
public func waitForFile(at path: String) async throws {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let watch = inotify_init1(Int32(IN_CLOEXEC))
    guard watch >= 0 else {
        guard errno == EMFILE else { throw BenchError("inotify is not available (errno \(errno))") }
        return try await eventually(
            "\(path)", within: .seconds(600), because: "this user has no more instances of inotify, a scarce good"
        ) { access(path, F_OK) == 0 ? () : nil }
    }
    defer { close(watch) }
    // -1 is failure. The watch is in place before the first look, so that nothing falls between the two.
    let mask = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)
    guard inotify_add_watch(watch, folder.isEmpty ? "/" : folder, mask) >= 0 else {
        throw BenchError("the folder of \(path) cannot be watched (errno \(errno))")
    }
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
        throw BenchError("no pair of sockets could be made (errno \(errno))")
    }
    let (stopped, stop) = (ends[0], ends[1])
    defer {
        close(stopped)
        close(stop)
    }
    try await withTaskCancellationHandler {
        try await onBlockingThread {
            while access(path, F_OK) != 0 {
                var sources = [
                    pollfd(fd: watch, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: stopped, events: Int16(POLLIN), revents: 0),
                ]
                // -1 with EINTR is not a failure: the loop looks again.
                _ = poll(&sources, 2, -1)
                if sources[1].revents != 0 { throw CancellationError() }
                if sources[0].revents != 0 {
                    var events = [UInt8](repeating: 0, count: 4096)
                    _ = read(watch, &events, events.count)
                }
            }
        }
    } onCancel: {
        _ = write(stop, "x", 1)
    }
}
