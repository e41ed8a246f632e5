internal import FoundationEssentials
import Glibc
public import HunchModel

/// Launches apps without a shell, each in a session of its own. They get the given environment and inherit no
/// descriptors or signal settings from this process.
public struct AppLauncher: Sendable {
    private let installed: InstalledApplications
    private let defaults: DefaultApplications
    private let environment: [String: String]

    /// Creates a launcher.
    ///
    /// - Parameters:
    ///   - installed: the applications of the machine.
    ///   - defaults: the default applications, for the browser.
    ///   - environment: the environment of the apps.
    public init(installed: InstalledApplications, defaults: DefaultApplications, environment: [String: String]) {
        self.installed = installed
        self.defaults = defaults
        self.environment = environment
    }

    /// Returns the command line of a launch: that of the app, or for a web service that of the default browser, or
    /// `xdg-open` if no browser is set.
    ///
    /// - Returns: the program and its arguments; never empty.
    /// - Throws: ``DirectionsError`` (`launchFailed`) if the app is not installed, its entry has no usable command,
    ///   or nothing opens web links.
    public func command(for launch: DirectionsLaunch) throws(DirectionsError) -> [String] {
        if let id = launch.desktopID { return try command(ofApp: id, opening: launch.uri) }
        if let browser = defaults.handler(for: "x-scheme-handler/https") {
            return try command(ofApp: browser, opening: launch.uri)
        }
        guard let opener = installed.path(ofProgram: "xdg-open") else {
            throw DirectionsError(.launchFailed, "no web browser is set; choose one in the desktop's settings")
        }
        return [opener, launch.uri]
    }

    private func command(ofApp id: String, opening link: String) throws(DirectionsError) -> [String] {
        guard let entry = installed.entry(id) else {
            throw DirectionsError(.launchFailed, "\(id) is not installed")
        }
        guard entry.opensLinks else { throw DirectionsError(.launchFailed, "\(id) does not accept links") }
        guard !entry.boolean("Terminal") else {
            throw DirectionsError(.launchFailed, "\(id) runs in a terminal, which is not supported")
        }
        do throws(DesktopEntryError) {
            return try entry.command(opening: link, file: installed.file(of: id))
        } catch {
            throw DirectionsError(.launchFailed, "\(id) cannot be started: \(error)", underlying: error)
        }
    }

    /// Starts the command of a launch without waiting for it.
    ///
    /// The process leads a session of its own, has no signal blocked or ignored, reads from and writes to `/dev/null`,
    /// and has no other descriptor open.
    ///
    /// - Parameters:
    ///   - launch: the app and the link to open.
    ///   - activationToken: the compositor's token that lets the app come to the front.
    /// - Returns: the process identifier. A caller that keeps running must reap the process (`waitpid`) when it ends.
    /// - Throws: ``DirectionsError`` (`launchFailed`) as ``command(for:)`` does, and if the process cannot be created.
    @discardableResult
    public func open(_ launch: DirectionsLaunch, activationToken: String? = nil) throws(DirectionsError) -> Int32 {
        let command = try command(for: launch)
        guard let program = installed.path(ofProgram: command[0]) else {
            throw DirectionsError(.launchFailed, "the program \(command[0]) is missing or not executable")
        }
        var environment = environment
        environment["XDG_ACTIVATION_TOKEN"] = activationToken
        environment["DESKTOP_STARTUP_ID"] = activationToken
        environment[Handover.variable] = Handover.variable(for: launch, now: time(nil))
        return try Self.start(program, command, environment: environment)
    }

    /// `POSIX_SPAWN_SETSID`, an extension of glibc that its Swift module lacks.
    private static let setSession: Int32 = 0x80

    /// Returns a range with all descriptors beyond standard error that may be open when the process is created. It has
    /// 64 numbers to spare for descriptors that other threads open meanwhile, since these get the lowest free numbers.
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
    /// - Returns: the process identifier. A caller that keeps running must reap the process (`waitpid`) when it ends.
    /// - Throws: ``DirectionsError`` (`launchFailed`) if the process cannot be created.
    public static func start(
        _ program: String, _ arguments: [String], environment: [String: String], output: Int32? = nil
    ) throws(DirectionsError) -> Int32 {
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
        // Closing a descriptor that is not open is not an error here.
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

    private static func failure(_ program: String, _ error: Int32) -> DirectionsError {
        DirectionsError(.launchFailed, "\(program) cannot be started: \(String(cString: strerror(error)))")
    }
}
