import FoundationEssentials
import Glibc
import History

/// Where commands write: JSON with stable keys, or plain lines.
enum Output {
    /// The most Unicode scalars of an input that are repeated in answers and errors; what is cut ends in “…”.
    static let echoedScalars = 4_096

    /// One JSON object on one line, keys sorted, slashes as they are. What could disturb a terminal is escaped.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ExportLine.harmless(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Writes a line of text to standard output at once, so that a reader of a pipe sees it. Tabs stay, what could
    /// disturb a terminal does not get there.
    ///
    /// - Throws: ``CommandError`` when standard output cannot be written; without a message after the reader of a pipe has
    ///   gone.
    static func line(_ text: String) throws {
        try raw(
            text.split(separator: "\t", omittingEmptySubsequences: false).map { plain(String($0)) }.joined(
                separator: "\t"))
    }

    /// Writes a line that is fit for a terminal already: JSON, and what was made bold.
    ///
    /// - Throws: as ``line(_:)``.
    static func raw(_ text: String) throws { try write(text + "\n", to: STDOUT_FILENO) }

    /// Writes `hunch: MESSAGE` to standard error, on one line that is fit for a terminal.
    static func complain(_ message: String) {
        try? write("hunch: \(plain(cut(message)))\n", to: STDERR_FILENO)
    }

    /// A text that comes from elsewhere, fit for a line on a terminal: spaces for control characters (C0, DEL, C1) and
    /// line separators, and no characters that turn the direction of what follows. This is the only place that decides
    /// what reaches a terminal; ``json(_:)`` escapes the same.
    static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.value < 0x20 {
                plain.append(" ")
            } else if !isUnfit(scalar) {
                plain.append(scalar)
            } else if !isDirectional(scalar) {
                plain.append(" ")
            }
        }
        return String(plain)
    }

    /// The text, or its beginning and “…” when it has more than ``echoedScalars``.
    static func cut(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: echoedScalars, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    /// DEL, the control characters of C1, line separators, and what turns the direction of text.
    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        (0x7F..<0xA0).contains(scalar.value) || [0x2028, 0x2029].contains(scalar.value) || isDirectional(scalar)
    }

    private static func isDirectional(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Writes a text to a descriptor, whole.
    static func write(_ text: String, to descriptor: Int32) throws {
        var text = text
        try text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                // −1 on failure, with errno.
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else {
                    // Who reads no further wants no complaint.
                    let reason = errno == EPIPE ? nil : String(cString: strerror(errno))
                    throw CommandError(reason.map { "the output cannot be written: \($0)" }, ExitStatus.trouble)
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}
