import CommandSupport
import ArgumentParser

/// Counts the answers of a batch. The worst one decides the exit code.
struct LineTally {
    private var lines = 0
    private var missing = 0
    private var malformed = 0
    private var failed = 0

    /// The help text about the exit codes of a command that reads lines.
    static let help = """
        With “-” the exit code is 0 when every line was answered, 1 when something was not found, 2 when a line could \
        not be understood; each line is answered all the same.
        """

    /// Counts an answered line; `isFound` is false if nothing was found.
    mutating func answered(isFound: Bool = true) {
        lines += 1
        if !isFound { missing += 1 }
    }

    /// Counts a refused line.
    mutating func refused(_ error: any Error) {
        lines += 1
        if CommandError(error).status == ExitStatus.systemFailure { failed += 1 } else { malformed += 1 }
    }

    /// Ends the batch.
    ///
    /// - Throws: ``CommandError`` if a line was not answered.
    func finish() throws {
        var parts: [String] = []
        if malformed > 0 { parts.append("\(malformed) could not be understood") }
        if missing > 0 { parts.append("\(missing) \(missing == 1 ? "was" : "were") not found") }
        if failed > 0 { parts.append("\(failed) could not be looked up") }
        guard !parts.isEmpty else { return }
        let status =
            failed > 0 ? ExitStatus.systemFailure : malformed > 0 ? ExitStatus.badInput : ExitStatus.nothingFound
        let count = "\(lines) line\(lines == 1 ? "" : "s")"
        throw CommandError("of \(count), \(parts.joined(separator: " and "))", status, isInOutput: true)
    }
}
