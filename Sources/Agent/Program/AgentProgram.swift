internal import AgentInterface
internal import FoundationEssentials
internal import Glibc
internal import HunchDBus
internal import Logging

/// The agent as a process: what `hunchd` does from its first instruction to its last.
public enum AgentProgram {
    /// Runs the agent until it is told to end or the session bus goes away.
    ///
    /// `SIGTERM`, `SIGINT` and `SIGHUP` end it in order: suggestions are withdrawn, rows are on disk.
    ///
    /// - Parameters:
    ///   - arguments: without the program's name; `--help` and `--version` are answered.
    ///   - environment: names and values.
    /// - Returns: the exit code: 0 ended in order, 2 bad usage, 3 it could not run (said on standard error).
    public static func main(arguments: [String], environment: [String: String]) -> Int32 {
        switch arguments {
        case []: break
        case ["--help"], ["-h"]:
            print(usage)
            return 0
        case ["--version"]:
            print(HunchVersion.text)
            return 0
        default:
            complain("hunchd: unknown argument “\(arguments[0])”; see hunchd --help")
            return 2
        }
        // Before any thread exists, so that all inherit it: the loop takes these signals from a descriptor.
        EventLoop.block(endingSignals)
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        do {
            return try run(AgentConfiguration(settings: environment))
        } catch let error as InvalidSetting {
            complain("hunchd: \(error)")
            return 2
        } catch {
            complain("hunchd: \(message(of: error))")
            return 3
        }
    }

    /// What ends the agent in order.
    static let endingSignals = [SIGTERM, SIGINT, SIGHUP]

    private static let usage = """
        usage: hunchd

        The agent of Hunch. The session starts it: by D-Bus activation of org.hunch.Agent1, or as the systemd user
        service hunchd.service. It watches and records nothing before “hunch enable”.

          --help     show this
          --version  show the version

        HUNCH_LOG=debug in the environment makes it say more on standard error.
        HUNCH_PREPARE_SECONDS=4 gives apps that long to prepare what they would play, 0.1 to 10 seconds; 2 by default.
        """

    private static func run(_ configuration: AgentConfiguration) throws -> Int32 {
        let loop = try EventLoop()
        let outcome = Outcome()
        Task.detached(executorPreference: loop) {
            do {
                let agent = try await Agent(configuration, on: loop)
                try await agent.run()
            } catch {
                outcome.failure = message(of: error)
            }
            loop.stop()
        }
        loop.run()
        guard let failure = outcome.failure else { return 0 }
        complain("hunchd: \(failure)")
        return 3
    }

    private final class Outcome: @unchecked Sendable {  // written before the loop stops, read after it
        var failure: String?
    }

    private static func message(of error: any Error) -> String {
        (error as? DBusError)?.message ?? "\(error)"
    }

    private static func complain(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
