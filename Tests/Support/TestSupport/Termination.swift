import Glibc

/// The exit status of a process.
public enum Termination: Sendable, Equatable, CustomStringConvertible {
    /// It ended by itself with this status, 0 to 255.
    case exited(Int32)
    /// This signal ended it.
    case signalled(Int32)

    /// The end of a sentence: "exited with status 3".
    public var description: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .signalled(let number): "was ended by signal \(number)"
        }
    }

    /// Whether the program crashed or a sanitizer found a fault (status 66).
    var isCrash: Bool {
        switch self {
        case .exited(let status): status == 66
        case .signalled(let number): [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS].contains(number)
        }
    }

    /// Waits until the child process `process` ends. Does not reap it; the code that started it does.
    static func wait(for process: pid_t) throws -> Termination {
        var ending = siginfo_t()
        // -1 is failure, except with EINTR.
        while waitid(P_PID, id_t(process), &ending, WEXITED | WNOWAIT) != 0 {
            guard errno == EINTR else { throw BenchError("process \(process) cannot be waited for (errno \(errno))") }
        }
        let status = ending._sifields._sigchld.si_status
        return ending.si_code == CLD_EXITED ? .exited(status) : .signalled(status)
    }
}
