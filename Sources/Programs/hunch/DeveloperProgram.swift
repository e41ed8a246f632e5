import ArgumentParser
import CommandSupport
import Glibc
import Localization

/// The program `hunch-dev`, to which some commands moved.
enum DeveloperProgram {
    /// The commands of `hunch` that moved, each with its name in `hunch-dev`.
    private static let moved = [
        ["conformance"]: "conformance", ["evaluate"]: "evaluate", ["trace"]: "trace",
        ["regions", "from-gtfs"]: "from-gtfs",
    ]

    /// Replaces this process by `hunch-dev` if the arguments name one of its commands, also behind `help`. Exits if that
    /// fails.
    static func run(_ arguments: [String]) {
        let help = arguments.prefix { $0 == "help" }
        let rest = arguments.dropFirst(help.count)
        guard let (words, name) = moved.first(where: { rest.starts(with: $0.key) }) else { return }
        SiblingProgram(name: "hunch-dev").replaceThis(arguments: help + [name] + rest.dropFirst(words.count))
        let error = CommandError(
            localized(
                """
                “hunch %1” is “hunch-dev %2” now, which is not installed; “make install” installs it \
                beside hunch
                """, words.joined(separator: " "), name), ExitStatus.systemFailure)
        error.tell(json: arguments.contains("--json"))
        exit(error.status.rawValue)
    }
}
