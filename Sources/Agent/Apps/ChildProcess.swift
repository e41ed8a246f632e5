internal import HunchModel
internal import Directions
internal import Glibc

/// Starts an app as a child of this process, for machines without systemd.
enum ChildProcess {
    /// The stack size of the thread that waits for a child. It calls one function.
    private static let stackSize = 256 << 10

    /// Starts a program in a session of its own, inheriting nothing. It is reaped when it ends.
    ///
    /// - Returns: the process identifier.
    /// - Throws: ``LaunchError``.
    static func start(_ program: LaunchPlan.Program, environment: [String: String]) throws(LaunchError) -> Int32 {
        var path = program.path
        var arguments = program.arguments
        if let directory = program.directory {
            path = "/usr/bin/env"
            arguments = ["env", "--chdir=\(directory)", program.path] + arguments.dropFirst()
        }
        let process: Int32
        do throws(DirectionsError) {
            process = try AppLauncher.start(path, arguments, environment: environment)
        } catch {
            throw LaunchError(.failed, error.message)
        }
        reap(process)
        return process
    }

    /// Waits for the child's end on a sleeping thread. No other code in this process handles `SIGCHLD`, and polling
    /// would wake it up.
    private static func reap(_ process: Int32) {
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
}
