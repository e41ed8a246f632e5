import BulkFiles
import HunchModel
import Localization
import Glibc

/// Reads a stream of any size line by line through one buffer.
struct LineReader {
    /// The maximum length of a line of text, in bytes.
    static let maximumLineLength = 1 << 20
    private static let firstSize = 1 << 20

    private let stream: any ByteStream
    private let name: String
    private let limit: Int

    /// - Parameters:
    ///   - name: the name of the stream in errors.
    ///   - limit: the maximum length of a line, in bytes.
    init(_ stream: any ByteStream, name: String, limit: Int = LineReader.maximumLineLength) {
        self.stream = stream
        self.name = name
        self.limit = limit
    }

    /// Calls `body` with every line, without its end.
    ///
    /// - Parameter progress: called with the read fraction, 0…1, once per buffer.
    /// - Throws: ``ImportError`` with `unreadable` or `tooLong`, or an error of `body`.
    func forEachLine(progress: (Double) -> Void = { _ in }, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.firstSize, alignment: 16)
        defer { buffer.deallocate() }
        var filled = 0
        while true {
            if filled == buffer.count {
                guard buffer.count < limit else {
                    throw ImportError(.tooLong, localized("%1 has a line of more than %2 bytes", name, limit))
                }
                let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
                larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
                buffer.deallocate()
                buffer = larger
            }
            let count = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            let searched = filled
            filled += count
            var start = 0
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
            // The bytes of earlier reads contain no line break.
            while let end = Self.newline(in: bytes, from: max(start, searched)) {
                try Self.call(body, bytes, start..<end)
                start = end + 1
            }
            if count == 0 {
                if start < filled { try Self.call(body, bytes, start..<filled) }
                return progress(1)
            }
            filled -= start
            if start > 0, filled > 0, let base = buffer.baseAddress { memmove(base, base + start, filled) }
            progress(stream.fraction)
        }
    }

    private static func newline(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress else { return nil }
        // NULL: not found.
        guard let found = memchr(base + start, 0x0A, bytes.count - start) else { return nil }
        return UnsafeRawPointer(found) - base
    }

    private static func call(
        _ body: (UnsafeRawBufferPointer) throws -> Void, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>
    ) throws {
        let end = range.isEmpty || bytes[range.upperBound - 1] != 0x0D ? range.upperBound : range.upperBound - 1
        try body(UnsafeRawBufferPointer(rebasing: bytes[range.lowerBound..<end]))
    }
}

/// The tab-separated columns of a line, as ranges into it.
struct TabSeparated {
    private let line: UnsafeRawBufferPointer
    private var bounds: [Int] = []

    init(_ line: UnsafeRawBufferPointer) {
        self.line = line
        bounds.reserveCapacity(21)
        bounds.append(-1)
        var start = 0
        // NULL: not found.
        while start < line.count, let base = line.baseAddress, let tab = memchr(base + start, 0x09, line.count - start)
        {
            let index = UnsafeRawPointer(tab) - base
            bounds.append(index)
            start = index + 1
        }
        bounds.append(line.count)
    }

    /// Returns whether a column of a line, but not the last one, equals a text. Does not parse the columns after it.
    static func has(_ text: StaticString, inColumn column: Int, of line: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        for _ in 0..<column {
            // NULL: not found.
            guard start < line.count, let base = line.baseAddress,
                let tab = memchr(base + start, 0x09, line.count - start)
            else { return false }
            start = UnsafeRawPointer(tab) - base + 1
        }
        let end = start + text.utf8CodeUnitCount
        guard end < line.count, line[end] == 0x09, let base = line.baseAddress else { return false }
        return memcmp(base + start, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    var count: Int { bounds.count - 1 }

    /// The bytes of a column.
    subscript(column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: line[(bounds[column] + 1)..<bounds[column + 1]])
    }

    /// Returns a column as text; `nil` if it is not UTF-8.
    func text(_ column: Int) -> String? { String(validating: self[column], as: UTF8.self) }

    /// Returns the comma-separated parts of a column; `nil` if it is not UTF-8.
    func list(_ column: Int) -> [String]? {
        guard !self[column].isEmpty else { return [] }
        return text(column)?.utf8.split(separator: 0x2C).map { String(Substring($0)) }
    }

    /// Returns a column as a number.
    func number(_ column: Int) -> Double? { text(column).flatMap(Double.init) }
}
