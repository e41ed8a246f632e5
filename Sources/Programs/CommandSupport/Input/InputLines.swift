internal import Glibc
internal import HunchModel
internal import Localization

/// The lines of standard input or a file, one at a time and each within a limit.
package struct InputLines {
    /// A line, or its fault.
    package struct Line {
        /// The text without its end; of a line beyond the limit, only its beginning.
        package var text: String
        /// The reason why the line cannot be used.
        package var fault: Fault?
    }

    /// The reasons why a line cannot be used.
    package enum Fault: String {
        case tooLong
        case notUTF8
    }

    private let descriptor: Int32
    private let limit: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    private var failure: Int32?

    /// - Parameters:
    ///   - limit: the maximum number of bytes of a line.
    ///   - descriptor: the input, which stays open.
    ///   - head: the bytes that were read already.
    package init(limit: Int, of descriptor: Int32 = STDIN_FILENO, after head: [UInt8] = []) {
        self.limit = limit
        self.descriptor = descriptor
        buffer = head
    }

    /// Calls the body with each line.
    ///
    /// - Parameters:
    ///   - descriptor: the input, which stays open.
    ///   - name: the name in errors.
    /// - Throws: ``CommandError`` if the input cannot be read, after the readable lines; errors of the body.
    package static func forEach(
        limit: Int, of descriptor: Int32 = STDIN_FILENO, named name: String = localized("standard input"),
        _ body: (Line) throws -> Void
    ) throws {
        var lines = InputLines(limit: limit, of: descriptor)
        while let line = lines.next() { try body(line) }
        try lines.check(name)
    }

    /// Checks, after the last line, that all input was read.
    ///
    /// - Throws: ``CommandError`` if the input cannot be read.
    package func check(_ name: String = localized("standard input")) throws {
        guard let failure else { return }
        throw CommandError(
            localized("%1 cannot be read: %2", name, String(cString: strerror(failure))), ExitStatus.badInput,
            code: "unreadable")
    }

    /// Returns the next line; `nil` at the end, or if the input cannot be read.
    package mutating func next() -> Line? {
        var kept: [UInt8] = []
        var isTooLong = false
        while true {
            if start == buffer.count { fill() }
            if start == buffer.count {
                return kept.isEmpty && !isTooLong ? nil : line(kept, isTooLong)
            }
            let end = buffer[start...].firstIndex(of: 0x0A)
            let piece = buffer[start..<(end ?? buffer.count)]
            if kept.count + piece.count > limit { isTooLong = true }
            kept.append(contentsOf: piece.prefix(max(0, limit - kept.count)))
            start = end.map { $0 + 1 } ?? buffer.count
            if end != nil { return line(kept, isTooLong) }
        }
    }

    private mutating func fill() {
        guard !isAtEnd else { return }
        start = 0
        let count = 65_536
        var failure: Int32?
        buffer = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            var result = Glibc.read(descriptor, bytes.baseAddress, count)
            while result < 0, errno == EINTR { result = Glibc.read(descriptor, bytes.baseAddress, count) }
            // −1 on failure: the input ends here.
            if result < 0 { failure = errno }
            filled = max(0, result)
        }
        self.failure = failure
        isAtEnd = buffer.isEmpty
    }

    private func line(_ bytes: [UInt8], _ isTooLong: Bool) -> Line {
        let bytes = bytes.last == 0x0D ? bytes.dropLast() : bytes[...]
        if isTooLong { return Line(text: Output.cut(String(decoding: bytes, as: UTF8.self)), fault: .tooLong) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return Line(text: Output.cut(String(decoding: bytes, as: UTF8.self)), fault: .notUTF8)
        }
        return Line(text: text, fault: nil)
    }
}
