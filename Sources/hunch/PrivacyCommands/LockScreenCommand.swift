import ArgumentParser
import HunchKit

/// `hunch lockscreen`.
struct LockScreenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lockscreen",
        abstract: "Whether a locked screen shows what is suggested; without options, how it is set.",
        discussion: """
            Unless you switch it on, a locked screen tells only that there is something to play, or a way to go: neither \
            title nor cover nor app. What was offered meanwhile is shown when you unlock it, if it still holds.

            Example:
              hunch lockscreen
              hunch lockscreen --titles on
            """)

    @Option(help: "Whether titles and covers are shown there: on or off.")
    var titles: DeviceCommand.Switch?
    @Flag(help: "Write one JSON object.")
    var json = false

    private struct Fields: Encodable {
        let titles: Bool
    }

    func run() async throws {
        let titles = titles
        let areShown = try await AgentSession.run { agent in
            if let titles { try await agent.setLockScreenTitles(titles == .on) }
            return try await agent.lockScreenTitles()
        }
        if json { return try Output.raw(Output.json(Fields(titles: areShown))) }
        var table = Table("On a locked screen", "")
        table.add("titles and covers are shown", areShown ? "on" : "off")
        try table.print()
    }
}
