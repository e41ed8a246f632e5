import Glibc
import HunchModel
import Localization

/// The standard output of a program. The program is terminated when the stream is released.
package final class ProgramStream: ByteStream {
    private let name: String
    private let input: String
    private let output: Int32
    private let errors: Int32
    private var process: pid_t = 0
    private var done = 0.0

    /// Starts a program with the default signal mask and handlers.
    ///
    /// - Parameters:
    ///   - third: the text that the program can read from its descriptor 3; at most the capacity of a pipe, 64 KiB.
    ///   - name: the name of the program in errors.
    ///   - input: the file that the program reads, for errors.
    package init(_ path: String, _ arguments: [String], third: String = "", name: String, input: String) throws {
        self.name = name
        self.input = input
        func pipe() throws -> (read: Int32, write: Int32) {
            var ends: [Int32] = [-1, -1]
            // -1 on failure, with errno.
            guard Glibc.pipe(&ends) == 0 else { throw Self.notStarted(name, errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (ends[0], ends[1])
        }
        let (output, errors, thirdPipe) = (try pipe(), try pipe(), try pipe())
        var text = third
        text.withUTF8 { _ = write(thirdPipe.write, $0.baseAddress, $0.count) }
        close(thirdPipe.write)
        (self.output, self.errors) = (output.read, errors.read)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
            for descriptor in [output.write, errors.write, thirdPipe.read] { close(descriptor) }
        }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        // The copied descriptors are above 3, since 0 to 3 are in use when they are opened. So no copy overwrites a
        // later source.
        for (from, to) in [(output.write, Int32(1)), (errors.write, 2), (thirdPipe.read, 3)] {
            posix_spawn_file_actions_adddup2(&actions, from, to)
        }
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        // An error number on failure.
        let failure = posix_spawn(&process, path, &actions, &attributes, &words, environ)
        guard failure == 0 else {
            process = 0
            throw Self.notStarted(name, failure)
        }
    }

    deinit {
        if process > 0 {
            kill(process, SIGTERM)
            waitpid(process, nil, 0)
        }
        close(output)
        close(errors)
    }

    /// The estimated fraction that was read, 0…1. The size of the output is unknown, so the fraction approaches 1: it
    /// is ½ after 500 MB.
    package var fraction: Double { process > 0 ? done / (done + 500e6) : 1 }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard process > 0 else { return 0 }
        while true {
            // -1 on failure, with errno; 0 at the end.
            let count = Glibc.read(output, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count > 0 {
                done += Double(count)
                return count
            }
            var message = [UInt8](repeating: 0, count: 4_096)
            let length = max(0, Glibc.read(errors, &message, message.count))
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            process = 0
            guard status == 0 else {
                let last = String(decoding: message[..<length], as: UTF8.self).split(separator: "\n").last
                throw ImportError(
                    .malformed,
                    localized(
                        "%1 cannot read %2: %3", name, input, last.map { String($0) } ?? localized("no reason given")))
            }
            return 0
        }
    }

    private static func notStarted(_ name: String, _ number: Int32) -> ImportError {
        ImportError(.unreadable, localized("%1 cannot be started: %2", name, String(cString: strerror(number))))
    }
}
