internal import HistoryExport
internal import Files
internal import FoundationEssentials
internal import Glibc
internal import History
internal import HunchModel
internal import Localization

/// The output of commands: JSON with stable keys, or plain lines.
package enum Output {
    /// The maximum number of Unicode scalars of an input that answers and errors repeat. A cut text ends in “…”.
    package static let echoedScalars = 4_096

    /// Returns a JSON object on one line, with sorted keys and unescaped slashes. Escapes characters that could
    /// disturb a terminal.
    package static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ExportLine.harmless(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Writes a line of text to standard output and flushes it for readers of a pipe. Keeps tabs, and replaces
    /// characters that could disturb a terminal.
    ///
    /// - Throws: ``CommandError`` if standard output cannot be written; without a message if the reader of a pipe has
    ///   gone.
    package static func line(_ text: String) throws {
        try raw(
            text.split(separator: "\t", omittingEmptySubsequences: false).map { plain(String($0)) }.joined(
                separator: "\t"))
    }

    /// Writes a line that is safe for a terminal: JSON, or text with our own bold.
    ///
    /// - Throws: as ``line(_:)``.
    package static func raw(_ text: String) throws { try write(text + "\n", to: STDOUT_FILENO) }

    /// Writes `hunch: MESSAGE` to standard error, on one line that is safe for a terminal.
    package static func complain(_ message: String) {
        try? write("hunch: \(plain(cut(message)))\n", to: STDERR_FILENO)
    }

    /// Makes a foreign text safe for one line on a terminal: replaces control characters (C0, DEL, C1) and line
    /// separators with spaces, and removes characters that change the text direction. This is the only place that
    /// decides which characters reach a terminal; ``json(_:)`` escapes the same ones.
    package static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.value < 0x20 {
                plain.append(" ")
            } else if !scalar.isHazardous {
                plain.append(scalar)
            } else if !scalar.isDirectional {
                plain.append(" ")
            }
        }
        return String(plain)
    }

    /// Returns the text, or its beginning and “…” if it has more than ``echoedScalars``.
    package static func cut(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: echoedScalars, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    /// Writes a complete text to a descriptor.
    package static func write(_ text: String, to descriptor: Int32) throws(CommandError) {
        do throws(SystemError) {
            try writeAll(Array(text.utf8), to: descriptor)
        } catch {
            // A reader that closed the pipe needs no message.
            let reason = error.code == EPIPE ? nil : localized("the output cannot be written: %1", error)
            throw CommandError(reason, ExitStatus.systemFailure)
        }
    }

    /// Returns a number with at most two digits after the point, or four if it is small.
    package static func rounded(_ number: Double) -> String {
        let scale = abs(number) < 0.1 ? 10_000.0 : 100
        let text = "\((number * scale).rounded() / scale)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
