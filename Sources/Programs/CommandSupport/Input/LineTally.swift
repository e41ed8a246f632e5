import ArgumentParser
import Localization

/// Counts the answers of a batch. The worst one decides the exit code.
package struct LineTally {
    private var lines = 0
    private var missing = 0
    private var malformed = 0
    private var failed = 0

    package init() {}

    /// The help text about the exit codes of a command that reads lines.
    package static let help = localized(
        """
        With “-” the exit code is 0 when every line was answered, 1 when something was not found, 2 when a line could \
        not be understood; each line is answered all the same.
        """)

    /// Counts an answered line; `isFound` is false if nothing was found.
    package mutating func answered(isFound: Bool = true) {
        lines += 1
        if !isFound { missing += 1 }
    }

    /// Counts a refused line.
    package mutating func refused(_ error: any Error) {
        lines += 1
        if CommandError(error).status == ExitStatus.systemFailure { failed += 1 } else { malformed += 1 }
    }

    /// Ends the batch.
    ///
    /// - Throws: ``CommandError`` if a line was not answered.
    package func finish() throws {
        var parts: [String] = []
        if malformed > 0 { parts.append(localized("%1 could not be understood", malformed)) }
        if missing > 0 { parts.append(localizedPlural("%1 was not found", "%1 were not found", missing)) }
        if failed > 0 { parts.append(localized("%1 could not be looked up", failed)) }
        guard !parts.isEmpty else { return }
        let status =
            failed > 0 ? ExitStatus.systemFailure : malformed > 0 ? ExitStatus.badInput : ExitStatus.nothingFound
        let all = parts.dropFirst().reduce(parts[0]) { localized("%1 and %2", $0, $1) }
        throw CommandError(
            localizedPlural("of %1 line, %2", "of %1 lines, %2", lines, all), status, isInOutput: true)
    }
}
