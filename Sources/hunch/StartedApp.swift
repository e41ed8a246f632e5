import Glibc

/// An app that was just started, which may find only then that it cannot open what it was given.
struct StartedApp {
    let process: Int32
    let name: String

    /// How long the app may take to fail. One that runs longer has something to show.
    private static let patience: Duration = .milliseconds(1_500)
    private static let step: Int32 = 10

    /// Waits until the app has ended or is past failing.
    ///
    /// - Throws: ``CommandError`` when it ended with an error, as `xdg-open` does where no browser is installed.
    func check() throws {
        let deadline = ContinuousClock.now + Self.patience
        var status: Int32 = 0
        while ContinuousClock.now < deadline {
            // 0: it runs; −1: nothing is known of it, as when something else has reaped it.
            let ended = waitpid(process, &status, WNOHANG)
            if ended == 0 {
                poll(nil, 0, Self.step)
                continue
            }
            guard ended == process, status != 0 else { return }
            let isExit = status & 0x7F == 0
            let how = isExit ? "ended with exit code \(status >> 8 & 0xFF)" : "was ended by signal \(status & 0x7F)"
            throw CommandError(
                "\(name) did not open: the program that was to open it \(how)", ExitStatus.trouble, code: "launchFailed"
            )
        }
    }
}
