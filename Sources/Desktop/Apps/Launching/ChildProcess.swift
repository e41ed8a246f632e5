internal import FoundationEssentials
internal import Glibc
internal import HunchModel
internal import Localization

/// Starts programs as children of this process, without a shell.
package enum ChildProcess {
    /// The stack size of the thread that waits for a child. It calls one function.
    private static let stackSize = 256 << 10

    /// Starts a program in its working directory; see ``spawn(_:_:environment:streams:)``.
    package static func start(_ program: LaunchPlan.Program, environment: [String: String]) throws(LaunchError) -> Int32
    {
        guard let directory = program.directory else {
            return try spawn(program.path, program.arguments, environment: environment)
        }
        let arguments = ["env", "--chdir=\(directory)", program.path] + program.arguments.dropFirst()
        return try spawn("/usr/bin/env", arguments, environment: environment)
    }

    /// Reaps a child when it ends, on a sleeping thread. No other code in this process handles `SIGCHLD`, and polling
    /// would wake it up.
    ///
    /// - Parameter tell: called on that thread with what ``wait(for:)`` returns.
    static func reap(_ process: Int32, tell: @escaping @Sendable (Int32?) -> Void) {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        pthread_attr_init(attributes)
        defer {
            pthread_attr_destroy(attributes)
            attributes.deallocate()
        }
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(attributes, stackSize)
        // Signals are handled by the loop.
        var all = sigset_t()
        var former = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &former)
        defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
        var thread = pthread_t()
        let child = Unmanaged.passRetained(ReapedChild(process: process, tell: tell))
        // Not 0: no thread was created. Then the child stays a zombie until this process ends.
        let error = pthread_create(
            &thread, attributes,
            { argument in
                guard let argument else { return nil }
                let child = Unmanaged<ReapedChild>.fromOpaque(argument).takeRetainedValue()
                child.tell(ChildProcess.wait(for: child.process))
                return nil
            }, child.toOpaque())
        if error != 0 { child.release() }
    }

    /// A child that a thread of its own waits for.
    private final class ReapedChild: Sendable {
        let process: Int32
        let tell: @Sendable (Int32?) -> Void

        init(process: Int32, tell: @escaping @Sendable (Int32?) -> Void) {
            self.process = process
            self.tell = tell
        }
    }

    /// Waits until a child has ended, and reaps it.
    ///
    /// - Returns: its exit code; 128 plus the signal's number if a signal ended it; `nil` if there is no such child.
    package static func wait(for process: Int32) -> Int32? {
        var status: Int32 = 0
        // −1 with EINTR: interrupted by a signal. Any other failure means that there is no such child.
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return nil }
        }
        // wait(2): the low seven bits are the signal that ended it, the next byte its exit code.
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    /// The standard streams of a child.
    package enum Streams {
        /// `/dev/null` for all. The child leads a session of its own and has no other descriptor open.
        case none
        /// Like ``none``, but with this descriptor as standard output. The caller keeps it open.
        case output(Int32)
        /// Those of this process, and its session.
        case inherited
    }

    /// `POSIX_SPAWN_SETSID`, an extension of glibc that its Swift module lacks.
    private static let setSession: Int32 = 0x80

    /// Returns all descriptors beyond standard error that may be open when the process is created. Descriptors that
    /// another thread opens meanwhile take the lowest free numbers.
    private static func openDescriptors() -> Range<Int32> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let last = names.compactMap { Int32($0) }.max() ?? 2
        // −1: no limit.
        let limit = Int32(clamping: sysconf(Int32(_SC_OPEN_MAX)))
        return 3..<max(3, limit < 0 ? last + 65 : min(last + 65, limit))
    }

    /// Starts a program without waiting for it. It has no signal blocked or ignored.
    ///
    /// - Parameters:
    ///   - program: the path of the program, or its name, which is searched in `$PATH`.
    ///   - arguments: its arguments, starting with its own name.
    ///   - environment: its complete environment.
    /// - Returns: the process identifier. A process that continues to run reaps it if it ends.
    /// - Throws: ``LaunchError`` if the process cannot be created.
    package static func spawn(
        _ program: String, _ arguments: [String], environment: [String: String], streams: Streams = .none
    ) throws(LaunchError) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { throw failure(program, ENOMEM) }
        defer { posix_spawn_file_actions_destroy(&actions) }
        guard posix_spawnattr_init(&attributes) == 0 else { throw failure(program, ENOMEM) }
        defer { posix_spawnattr_destroy(&attributes) }

        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        // Each returns an error number, 0 on success.
        var results = [
            posix_spawnattr_setsigmask(&attributes, &none), posix_spawnattr_setsigdefault(&attributes, &all),
        ]
        switch streams {
        case .inherited: break
        case .none, .output:
            flags |= setSession
            results += [
                posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0),
                posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0),
                posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0),
            ]
            if case .output(let output) = streams {
                results.append(posix_spawn_file_actions_adddup2(&actions, output, 1))
            }
            // Closing one that is not open is not an error.
            results += openDescriptors().map { posix_spawn_file_actions_addclose(&actions, $0) }
        }
        results.append(posix_spawnattr_setflags(&attributes, Int16(flags)))
        if let error = results.first(where: { $0 != 0 }) { throw failure(program, error) }

        let argumentStrings = arguments.map { strdup($0) }
        let environmentStrings = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for string in argumentStrings + environmentStrings { free(string) } }
        guard !(argumentStrings + environmentStrings).contains(nil) else { throw failure(program, ENOMEM) }
        var process: pid_t = 0
        let error = posix_spawnp(
            &process, program, &actions, &attributes, argumentStrings + [nil], environmentStrings + [nil])
        guard error == 0 else { throw failure(program, error) }
        return process
    }

    private static func failure(_ program: String, _ error: Int32) -> LaunchError {
        LaunchError(.failed, localized("%1 cannot be started: %2", program, String(cString: strerror(error))))
    }
}
