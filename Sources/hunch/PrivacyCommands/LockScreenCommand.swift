import ArgumentParser
import HunchKit

/// `hunch lockscreen`.
struct LockScreenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lockscreen",
        abstract: "Whether a locked screen shows what is suggested, and locking with a program that tells nobody.",
        discussion: """
            Unless you switch it on, a locked screen tells only that there is something to play, or a way to go: neither \
            title nor cover nor app. What was offered meanwhile is shown when you unlock it, if it still holds.

            Lockers as swaylock and i3lock tell nobody that the screen is locked. After “--”, give the one that you use, with \
            whatever keeps it in the foreground until you unlock (swaylock without -f, i3lock with -n): it is run, and \
            logind is told before and after, as desktops do, for Hunch and for whoever else wants to know. It is run in any \
            case; its exit code is this command's.

            Example:
              hunch lockscreen
              hunch lockscreen --titles on
              hunch lockscreen -- swaylock --color 000000
              swayidle lock 'hunch lockscreen -- swaylock' timeout 600 'loginctl lock-session'
            """)

    @Option(help: "Whether titles and covers are shown there: on or off.")
    var titles: DeviceCommand.Switch?
    @Flag(help: "Write one JSON object.")
    var json = false
    @Argument(parsing: .postTerminator, help: ArgumentHelp("The locker and its arguments.", valueName: "locker"))
    var locker: [String] = []

    private struct Fields: Encodable {
        let titles: Bool
    }

    func validate() throws {
        if !locker.isEmpty, titles != nil || json {
            throw ValidationError("a locker is run by itself, without --titles and --json")
        }
    }

    func run() async throws {
        if !locker.isEmpty { throw ExitCode(try await Locker(command: locker).run()) }
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
