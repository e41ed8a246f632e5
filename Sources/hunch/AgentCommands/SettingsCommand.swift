import ArgumentParser
import CommandSupport
import Localization

/// `hunch settings`: opens the window.
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: localized("Open the settings window."),
        discussion: localized(
            """
            The window shows what Hunch suggests and why, the devices and apps, the routing apps and places, and what is \
            recorded. It needs a desktop; on a terminal alone, use the other commands.

            Example:
              hunch settings
            """))

    func run() throws {
        SiblingProgram(name: "hunch-settings").replaceThis(arguments: [])
        throw CommandError(
            localized(
                """
                the window (hunch-settings) is not installed beside hunch; install the package “hunch”, \
                or run “make install”
                """),
            ExitStatus.systemFailure, code: "notInstalled")
    }
}
