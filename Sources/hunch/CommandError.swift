import ArgumentParser

/// The exit codes of every `hunch` command. This is the only place that names them.
enum ExitStatus {
    /// Nothing was found.
    static let nothingFound = ExitCode(1)
    /// The usage or the input was wrong.
    static let badInput = ExitCode(2)
    /// The agent or the system could not do its part.
    static let trouble = ExitCode(3)
}
