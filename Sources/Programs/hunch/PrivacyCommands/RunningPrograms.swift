import AgentInterface
import CommandSupport
import EventLoops
import Glibc
import HunchDBus
import Localization

/// The programs of Hunch that run in the user's session.
enum RunningPrograms {
    /// The window first, because it starts the agent.
    private static let names: [BusName] = [
        "org.hunch.Settings", HunchNames.agent, HunchNames.onlineGeocoder, HunchNames.calendarReader,
    ]
    private static let endTime = Duration.seconds(20)
    /// The time for closing files after the name was released, in steps of milliseconds.
    private static let (closingSteps, step) = (100, Int32(20))

    /// Ends the programs and their start at login, and waits until they have ended. Without a session bus, only says
    /// that programs of another session would continue to run.
    ///
    /// - Throws: ``CommandError`` if one does not end.
    static func end(environment: [String: String]) async throws {
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        let bus: Connection
        do {
            bus = try await Connection.open(BusAddress.session { environment[$0] }, on: loop)
        } catch {
            Output.complain(
                localized(
                    "there is no session bus here; an agent that runs in another session would write its files again"))
            return
        }
        await LoginStart(bus, environment: environment).disable()
        for name in names { try await end(name, bus, loop) }
        await bus.close()
    }

    private static func end(_ name: BusName, _ bus: Connection, _ loop: EventLoop) async throws {
        let owners = try await bus.owners(of: name)
        // An error means that it does not run.
        guard let process = try? await bus.identity(of: name).processID else { return }
        // A program outside of this container has no process identifier here, and 0 means its own process group.
        if process == 0 {
            throw CommandError(
                localized(
                    "%1 runs outside of this system, so nothing was removed; end it there, then try again", "\(name)"),
                ExitStatus.systemFailure)
        }
        // −1: it has just ended.
        kill(pid_t(process), SIGTERM)
        do {
            try await withDeadline(endTime, on: loop) {
                for await owner in owners where owner == nil { return }
            }
        } catch is DeadlineExceeded {
            throw CommandError(
                localized(
                    "process %1 of Hunch does not end, so nothing was removed; “kill -KILL %1” ends it, then try again",
                    process), ExitStatus.systemFailure)
        }
        // The name disappears before the process has closed its files.
        for _ in 0..<closingSteps where kill(pid_t(process), 0) == 0 { poll(nil, 0, step) }
    }
}
