internal import FoundationEssentials
internal import Glibc
internal import HunchModel

/// Starts programs as children of this process, without a shell.
package enum ChildProcess {
    /// The stack size of the thread that waits for a child. It calls one function.
    private static let stackSize = 256 << 10

    /// Starts a program in its working directory; see ``spawn(_:_:environment:output:)``.
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
    static func reap(_ process: Int32) {
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
        // Not 0: no thread was created. Then the child stays a zombie until this process ends.
        _ = pthread_create(
            &thread, attributes,
            { argument in
                let process = pid_t(Int(bitPattern: argument))
                var status: Int32 = 0
                // −1 with EINTR: interrupted by a signal. Any other failure means that there is no such child.
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                return nil
            }, UnsafeMutableRawPointer(bitPattern: Int(process)))
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

    /// Starts a program without waiting for it.
    ///
    /// The process leads a session of its own, has no signal blocked or ignored, reads from and writes to `/dev/null`,
    /// and has no other descriptor open.
    ///
    /// - Parameters:
    ///   - program: the path of the program.
    ///   - arguments: its arguments, starting with its own name.
    ///   - environment: its complete environment.
    ///   - output: a descriptor for its standard output instead of `/dev/null`. The caller keeps it open.
    /// - Returns: the process identifier. A process that goes on running reaps it if it ends.
    /// - Throws: ``LaunchError`` if the process cannot be created.
    package static func spawn(
        _ program: String, _ arguments: [String], environment: [String: String], output: Int32? = nil
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
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | setSession
        // Each returns an error number, 0 on success.
        var results = [
            posix_spawnattr_setflags(&attributes, Int16(flags)),
            posix_spawnattr_setsigmask(&attributes, &none),
            posix_spawnattr_setsigdefault(&attributes, &all),
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0),
            output.map { posix_spawn_file_actions_adddup2(&actions, $0, 1) }
                ?? posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0),
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0),
        ]
        // Closing one that is not open is no error.
        for descriptor in openDescriptors() { results.append(posix_spawn_file_actions_addclose(&actions, descriptor)) }
        if let error = results.first(where: { $0 != 0 }) { throw failure(program, error) }

        let argumentStrings = arguments.map { strdup($0) }
        let environmentStrings = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for string in argumentStrings + environmentStrings { free(string) } }
        guard !(argumentStrings + environmentStrings).contains(nil) else { throw failure(program, ENOMEM) }
        var process: pid_t = 0
        let error = posix_spawn(
            &process, program, &actions, &attributes, argumentStrings + [nil], environmentStrings + [nil])
        guard error == 0 else { throw failure(program, error) }
        return process
    }

    private static func failure(_ program: String, _ error: Int32) -> LaunchError {
        LaunchError(.failed, "\(program) cannot be started: \(String(cString: strerror(error)))")
    }
}
