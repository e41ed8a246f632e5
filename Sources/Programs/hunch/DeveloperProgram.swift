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

    /// Replaces this process by `hunch-dev` if the arguments name one of its commands. Exits if that fails.
    static func run(_ arguments: [String]) {
        guard let (words, name) = moved.first(where: { arguments.starts(with: $0.key) }) else { return }
        SiblingProgram(name: "hunch-dev").replaceThis(arguments: [name] + arguments.dropFirst(words.count))
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
