import ArgumentParser
import CommandSupport

/// `hunch-dev trigger`: causes a trigger, by `hunch simulate --offer`, since the agent takes that from the user's own command only.
struct TriggerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trigger",
        abstract: "Cause a trigger, so that an app can be tested without headphones and without waiting.",
        discussion: """
            Hunch prepares and offers what fits the trigger, as if it had happened: it asks apps to prepare, and shows the \
            notification. The device need not exist. The hourly limit and the five seconds for which a device must have been away \
            do not count. The output and the exit codes are those of “hunch simulate”.

            The trigger is headphones, headset, earbuds, hearingAid, speaker, car, display, dock or other; login, unlock or \
            resume; arrive:PLACE or leave:PLACE.

            Example:
              hunch-dev trigger headphones
              hunch-dev trigger arrive:home
            """)

    @Argument(help: "The trigger.")
    var trigger: String
    @Flag(help: "Write one JSON object a line.")
    var json = false

    func run() async throws {
        SiblingProgram(name: "hunch").replaceThis(
            arguments: ["simulate", "--offer"] + (json ? ["--json"] : []) + ["--", trigger])
        throw CommandError("“hunch” is neither beside this program nor in $PATH", ExitStatus.systemFailure)
    }
}
