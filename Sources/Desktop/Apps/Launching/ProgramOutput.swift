internal import Glibc
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Localization

/// Runs a small system program and captures its output.
package enum ProgramOutput {
    /// Returns the standard output of a program. Blocks: call it only on threads that may.
    ///
    /// - Parameters:
    ///   - command: the program, searched in `$PATH`, and its arguments.
    ///   - environment: its complete environment.
    ///   - limit: the maximum number of bytes. A program that writes more is killed.
    ///   - patience: the time limit. Then the program is killed, and its output so far is returned.
    /// - Throws: ``LaunchError`` if no process can be created. A missing program has no output.
    package static func read(
        _ command: [String], environment: [String: String], limit: Int, within patience: Duration
    ) throws -> String {
        var ends: [Int32] = [-1, -1]
        // Sockets instead of a pipe, because they can be created close-on-exec in one call. −1: too many are open.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw LaunchError(
                .failed, localized("%1 cannot be started: %2", command[0], String(cString: strerror(errno))))
        }
        defer { close(ends[0]) }
        let process: Int32
        do {
            defer { close(ends[1]) }
            process = try ChildProcess.spawn(
                "/usr/bin/env", ["env"] + command, environment: environment, streams: .output(ends[1]))
        }
        let bytes = drain(ends[0], limit: limit, until: MonotonicInstant.now.advanced(by: patience))
        // The program has ended or has to.
        kill(process, SIGKILL)
        _ = ChildProcess.wait(for: process)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func drain(_ descriptor: Int32, limit: Int, until end: MonotonicInstant) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < limit {
            let rest = MonotonicInstant.now.duration(to: end) / .milliseconds(1)
            guard rest > 0 else { break }
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // −1 with EINTR: interrupted by a signal. 0: timed out.
            guard poll(&ready, 1, Int32(clamping: rest, .up)) > 0 else {
                if errno == EINTR { continue }
                break
            }
            // 0: end of file. −1: nothing more can be read.
            let count = Glibc.read(descriptor, &part, min(part.count, limit - bytes.count))
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return bytes
    }
}
