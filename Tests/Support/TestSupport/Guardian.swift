import Glibc
import Synchronization

/// A small process alongside the test run that cleans up when the run itself dies: a trap in tested code ends the whole
/// run at once, and no `defer` is left to end daemons and remove folders.
///
/// It reads what there is to tidy up from a socket whose other end only the test run holds; the end of that file is the
/// end of the run.
final class Guardian: Sendable {
    static let shared = Guardian()

    /// -1 when there is no guardian, or no longer.
    private let socket: Mutex<Int32>

    init() { socket = Mutex(Self.start() ?? -1) }
    deinit { close() }

    /// From now on the process group `number` is killed when this process dies.
    func add(group number: pid_t) { tell("+group \(number)") }
    /// The process group `number` has ended.
    func remove(group number: pid_t) { tell("-group \(number)") }
    /// From now on the folder `path` is removed when this process dies.
    func add(folder path: String) { tell("+folder \(path)") }
    /// The folder `path` is gone.
    func remove(folder path: String) { tell("-folder \(path)") }

    /// Makes the guardian tidy up, as the death of this process would.
    func close() {
        socket.withLock { socket in
            if socket >= 0 { Glibc.close(socket) }
            socket = -1
        }
    }

    /// A lost line costs tidiness after a crash and nothing else, so its errors are passed over.
    private func tell(_ line: String) {
        socket.withLock { socket in
            guard socket >= 0, !line.dropFirst(8).contains(where: \.isWhitespace) else { return }
            let bytes = Array("\(line)\n".utf8)
            _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    private static let script = """
        groups=' ' folders=' '
        while read -r act what; do
            case $act in
                +group) groups="$groups$what " ;;
                -group) groups="${groups%%" $what "*} ${groups#*" $what "}" ;;
                +folder) folders="$folders$what " ;;
                -folder) folders="${folders%%" $what "*} ${folders#*" $what "}" ;;
            esac
        done
        for group in $groups; do kill -s KILL -- "-$group"; done
        for folder in $folders; do rm -rf -- "$folder"; done
        """

    /// Starts the process and returns this side's end of the socket; nil when it cannot be started.
    private static func start() -> Int32? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        defer { Glibc.close(ends[1]) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // A process group of its own, so that a signal to that of the test run does not reach it.
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))

        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(script), nil]
        defer { for argument in arguments { free(argument) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/bin:/bin"), nil]
        defer { for variable in environment { free(variable) } }
        // Nonzero is the error number.
        guard posix_spawn(nil, "/bin/sh", &actions, &attributes, &arguments, &environment) == 0 else {
            Glibc.close(ends[0])
            return nil
        }
        return ends[0]
    }
}
