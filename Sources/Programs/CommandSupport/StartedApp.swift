import Glibc
import Localization

/// An app that was just started, and may still fail to open its argument.
package struct StartedApp {
    private let process: Int32
    private let name: String

    /// - Parameter name: the app's name, for messages.
    package init(process: Int32, name: String) { (self.process, self.name) = (process, name) }

    /// The time within which an app that cannot start fails. An app that runs longer has opened its argument.
    private static let patience: Duration = .milliseconds(1_500)
    private static let step: Int32 = 10

    /// Waits until the app has ended or ``patience`` is over.
    ///
    /// - Throws: ``CommandError`` if it ended with an error, as `xdg-open` does without a browser.
    package func check() throws {
        let deadline = ContinuousClock.now + Self.patience
        var status: Int32 = 0
        while ContinuousClock.now < deadline {
            // 0: it runs; −1: unknown, for example because something else has reaped it.
            let ended = waitpid(process, &status, WNOHANG)
            if ended == 0 {
                poll(nil, 0, Self.step)
                continue
            }
            guard ended == process, status != 0 else { return }
            let isExit = status & 0x7F == 0
            throw CommandError(
                isExit
                    ? localized(
                        "%1 did not open: the program that was to open it ended with exit code %2", name,
                        status >> 8 & 0xFF)
                    : localized(
                        "%1 did not open: the program that was to open it was ended by signal %2", name, status & 0x7F),
                ExitStatus.systemFailure,
                code: "launchFailed"
            )
        }
    }
}
