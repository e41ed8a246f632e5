import CommandSupport
import ArgumentParser
import HunchKit
internal import HunchModel
import Localization

/// `hunch lockscreen`.
struct LockScreenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lockscreen",
        abstract: localized("Set whether a locked screen shows titles, or run a screen locker."),
        discussion: localized(
            """
            By default, a locked screen says only that there is something to play or a route to take: no title, cover or \
            app. What was suggested meanwhile appears when you unlock the screen, if it still holds.

            Lockers such as swaylock and i3lock do not report that the screen is locked. Put yours after “--”, with the \
            option that keeps it in the foreground until you unlock (swaylock without -f, i3lock with -n). Hunch runs it \
            and tells logind before and after, as desktops do. The locker runs in any case, and its exit code is this \
            command's.

            Example:
              hunch lockscreen
              hunch lockscreen --titles on
              hunch lockscreen -- swaylock --color 000000
              swayidle lock 'hunch lockscreen -- swaylock' timeout 600 'loginctl lock-session'
            """))

    @Option(help: .localized("Show titles and covers on a locked screen: on or off."))
    var titles: DeviceCommand.Switch?
    @Flag(help: .localized("Write one JSON object."))
    var json = false
    @Argument(parsing: .postTerminator, help: .localized("The locker and its arguments.", valueName: "locker"))
    var locker: [String] = []

    private struct Fields: Encodable {
        let titles: Bool
    }

    func validate() throws {
        if !locker.isEmpty, titles != nil || json {
            throw ValidationError(localized("a locker takes neither --titles nor --json"))
        }
    }

    func run() async throws {
        if !locker.isEmpty { throw ExitCode(try await Locker(command: locker).run()) }
        let titles = titles
        let areShown = try await AgentSession.run { agent in
            if let titles { try await agent.set(.lockScreenTitles, isOn: titles == .on) }
            return try await agent.isOn(.lockScreenTitles)
        }
        if json { return try Output.raw(Output.json(Fields(titles: areShown))) }
        var table = Table(localized("On a locked screen"), "")
        table.add(localized("titles and covers are shown"), CodeWords.setting(areShown))
        try table.print()
    }
}
