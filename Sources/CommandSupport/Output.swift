internal import FoundationEssentials
internal import Glibc
internal import History

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
            } else if !isUnfit(scalar) {
                plain.append(scalar)
            } else if !isDirectional(scalar) {
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

    /// Whether a scalar is DEL, a C1 control character, a line separator or a direction override.
    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        (0x7F..<0xA0).contains(scalar.value) || [0x2028, 0x2029].contains(scalar.value) || isDirectional(scalar)
    }

    private static func isDirectional(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Writes a complete text to a descriptor.
    package static func write(_ text: String, to descriptor: Int32) throws {
        var text = text
        try text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                // −1 on failure, with errno.
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else {
                    // A reader that closed the pipe needs no message.
                    let reason = errno == EPIPE ? nil : String(cString: strerror(errno))
                    throw CommandError(reason.map { "the output cannot be written: \($0)" }, ExitStatus.trouble)
                }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}
