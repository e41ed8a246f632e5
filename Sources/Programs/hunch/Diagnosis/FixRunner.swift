import CommandSupport
import PlaceCommands
import ArgumentParser
import EventLoops
import Glibc
import HunchDBus
import HunchKit

/// Carries out the repairs of `hunch doctor --fix`.
struct FixRunner {
    /// The time limit for the agent to appear after a restart.
    private static let restartTime = Duration.seconds(30)
    private static let pollTime = Duration.milliseconds(200)

    /// Whether the output of commands goes to standard error, because standard output has JSON.
    let isQuiet: Bool
    /// Whether a command may ask on its own.
    let asks: Bool

    /// Carries out a repair.
    ///
    /// - Throws: errors of the command that does it.
    func run(_ fix: Fix) async throws {
        switch fix {
        case .enable: try await perform(EnableCommand.parse([]))
        case .unpause: try await perform(UnpauseCommand.parse([]))
        case .restartAgent: try await restart()
        case .removeGazetteer: try await perform(GazetteerCommand.Remove.parse(["--all"]))
        case .importPlaceLists: try await perform(GazetteerCommand.Import.parse([]))
        case .downloadPlaces: try await perform(GazetteerGetCommand.parse(["cities500"] + (asks ? [] : ["--yes"])))
        }
    }

    private func perform(_ command: some ParsableCommand) async throws {
        var former: Int32 = -1
        if isQuiet {
            former = dup(STDOUT_FILENO)
            // −1: there are no descriptors left. Then the output is mixed.
            if former >= 0 { dup2(STDERR_FILENO, STDOUT_FILENO) }
        }
        defer {
            if former >= 0 {
                dup2(former, STDOUT_FILENO)
                close(former)
            }
        }
        var command = command
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }

    /// Restarts the unit and waits until the new agent owns its name.
    private func restart() async throws {
        let loop = try EventLoop()
        try loop.start(name: "hunch")
        defer { loop.stop() }
        let agent = try await HunchAgent(on: loop)
        let former = try await agent.connection.owner(of: HunchNames.agent)
        try await UserManager(agent.connection).restart()
        var left = Self.restartTime
        while left > .zero {
            let owner = try await agent.connection.owner(of: HunchNames.agent)
            if owner != nil, owner != former { break }
            try await loop.sleep(for: Self.pollTime)
            left -= Self.pollTime
        }
        await agent.connection.close()
    }
}
