import Glibc
internal import HunchModel
import Localization

/// Asks the user at the terminal.
package enum TerminalQuestion {
    private static let attempts = 3

    /// Returns the index of the chosen row; `nil` if none was chosen.
    package static func choice(_ question: String, among rows: [String]) throws -> Int? {
        try Output.write(Output.plain(question) + "\n", to: STDERR_FILENO)
        for (index, row) in rows.enumerated() {
            try Output.write("  \(index + 1)  \(Output.plain(row))\n", to: STDERR_FILENO)
        }
        for _ in 0..<attempts {
            try Output.write(
                localized("Which one? Type 1 to %1, or press Enter for none of them: ", rows.count), to: STDERR_FILENO)
            guard let line = readLine(), !line.isEmpty else { return nil }
            if let number = Int(line), (1...rows.count).contains(number) { return number - 1 }
        }
        return nil
    }

    /// Returns whether the user agrees. Anything but “y” and “yes”, in English or the language of the user, is a refusal.
    package static func confirm(_ question: String) throws -> Bool {
        try Output.write(
            localized("%1 Type y, or press Enter to leave it: ", Output.plain(question)), to: STDERR_FILENO)
        let answer = readLine() ?? ""
        return ["y", "yes", localizedIn("answer", "y"), localizedIn("answer", "yes")].contains(answer.lowercased())
    }
}

extension Terminal {
    /// Whether input and output are a terminal.
    package static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && output.isTerminal && errors.isTerminal }
}
