import Apps
import ArgumentParser
import CommandSupport
import FoundationEssentials
import Localization

/// `hunch settings`: opens the window.
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: localized("Open the settings window."),
        discussion: localized(
            """
            The window shows what Hunch suggests and why, the devices and apps, the routing apps and places, and what is \
            recorded. The command returns once the window has started. It needs a desktop; on a terminal alone, use the \
            other commands.

            Example:
              hunch settings
            """))

    func run() throws {
        let window = "hunch-settings"
        let process: Int32
        do {
            // In a session of its own, so that closing the terminal does not close the window.
            process = try ChildProcess.spawn(
                SiblingProgram(name: window).path ?? window, [window], environment: ProcessInfo.processInfo.environment)
        } catch {
            throw CommandError(
                localized(
                    """
                    the window (hunch-settings) is not installed beside hunch; install the package “hunch”, \
                    or run “make install”
                    """),
                ExitStatus.systemFailure, code: "notInstalled")
        }
        do {
            try StartedApp(process: process, name: localized("The window")).check()
        } catch {
            throw CommandError(
                localized(
                    "the window did not open; it needs a desktop session, and “hunch-settings” says what is wrong"),
                ExitStatus.systemFailure, code: "launchFailed")
        }
    }
}
