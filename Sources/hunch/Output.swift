import FoundationEssentials
import Glibc

/// Where commands write: JSON with stable keys, or plain lines.
enum Output {
    /// One JSON object on one line, keys sorted, slashes as they are.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Writes a line to standard output at once, so that a reader of a pipe sees it.
    ///
    /// - Throws: ``CommandError`` when standard output cannot be written, as after the reader of a pipe has gone.
    static func line(_ text: String) throws { try write(text + "\n", to: STDOUT_FILENO) }

    /// Writes `hunch: MESSAGE` to standard error. Control characters do not reach the terminal.
    static func complain(_ message: String) {
        try? write("hunch: \(plain(message))\n", to: STDERR_FILENO)
    }

    /// A text that comes from elsewhere, fit for a line on a terminal: spaces for control characters (C0, DEL, C1) and
    /// line separators, and no characters that turn the direction of what follows.
    static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: plain.append(" ")
            case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: break
            default: plain.append(scalar)
            }
        }
        return String(plain)
    }

    /// Writes a text to a descriptor, whole.
    static func write(_ text: String, to descriptor: Int32) throws {
        var text = text
        try text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                // -1 on failure, with errno.
                let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw CommandError(nil, ExitStatus.trouble) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}
