import ArgumentParser
import CommandSupport
import FoundationEssentials
import Glibc

/// The program `hunch-dev`, to which some commands moved.
enum DeveloperProgram {
    /// The commands of `hunch` that moved, each with its name in `hunch-dev`.
    private static let moved = [
        ["conformance"]: "conformance", ["evaluate"]: "evaluate", ["regions", "from-gtfs"]: "from-gtfs",
    ]

    /// Replaces this process by `hunch-dev` if the arguments name one of its commands. Exits if that fails.
    static func run(_ arguments: [String]) {
        guard let (words, name) = moved.first(where: { arguments.starts(with: $0.key) }) else { return }
        let command = ["hunch-dev", name] + arguments.dropFirst(words.count)
        let pointers = command.map { strdup($0) } + [nil]
        // The program beside this one, else that of $PATH. Each call returns only if it failed.
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        if let folder = own?.split(separator: "/").dropLast() {
            execv("/" + (folder + ["hunch-dev"]).joined(separator: "/"), pointers)
        }
        execvp("hunch-dev", pointers)
        let error = CommandError(
            "“hunch \(words.joined(separator: " "))” is “hunch-dev \(name)” now, which is not installed; "
                + "“make install” installs it beside hunch", ExitStatus.systemFailure)
        error.tell(json: arguments.contains("--json"))
        exit(error.status.rawValue)
    }
}
