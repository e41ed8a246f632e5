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
        let clean = String(String.UnicodeScalarView(message.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
        try? write("hunch: \(clean)\n", to: STDERR_FILENO)
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
