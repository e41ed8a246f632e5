import Agent
import Services
import AgentInterface
import FoundationEssentials
import Glibc
import EventLoops
import HunchDBus
import Localization
import Logging

/// The program `hunchd`.
enum AgentProgram {
    /// Runs the agent until a signal ends it or the session bus closes.
    ///
    /// `SIGTERM`, `SIGINT` and `SIGHUP` end it in order: suggestions are withdrawn, rows are on disk.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the program's name. `--help` and `--version` are supported.
    ///   - environment: the environment variables.
    /// - Returns: the exit code: 0 ended in order, 2 invalid usage, 3 could not run (with a message on standard
    ///   error).
    static func main(arguments: [String], environment: [String: String]) -> Int32 {
        if let code = program.answer(arguments) { return code }
        ResidentMemory.shareHeap()
        // Before any thread exists, since other threads must not read the locale while it is set.
        Catalogue.open()
        // Before any thread exists, so that all inherit the mask. The loop reads these signals from a descriptor.
        EventLoop.block(Agent.endingSignals)
        signal(SIGPIPE, SIG_IGN)
        // A write beyond RLIMIT_FSIZE must fail, not end the process.
        signal(SIGXFSZ, SIG_IGN)
        umask(0o077)
        do {
            var configuration = try AgentConfiguration(settings: environment)
            configuration.closingTime = .seconds(20)
            let loop = try EventLoop()
            try loop.run { [configuration] in try await Agent(configuration, on: loop).run() }
            return 0
        } catch let error as InvalidSetting {
            program.complain("\(error)")
            return 2
        } catch {
            program.complain((error as? DBusError)?.message ?? "\(error)")
            return 3
        }
    }

    private static let program = ServiceProgram(
        name: "hunchd",
        usage: """
            usage: hunchd

            The agent of Hunch. The session starts it: by D-Bus activation of org.hunch.Agent1, or as the systemd user
            service hunchd.service. It watches and records nothing before “hunch enable”.

              --help     show this
              --version  show the version

            HUNCH_LOG=error in the environment keeps warnings from standard error.
            HUNCH_PREPARE_SECONDS=4 gives apps that long to prepare what they would play, 0.1 to 10 seconds; 2 by default.
            """)
}
