import Glibc
import HunchModel
import Localization

/// Reads comma-separated values record by record. The memory that it uses depends on the longest record, not on the
/// file.
///
/// Source: RFC 4180. Lines may end without a carriage return. The reader skips empty lines and a byte order mark.
public struct CSVReader {
    /// The default maximum length of a record, in bytes.
    public static let maximumRowLength = 1 << 20
    private static let firstSize = 1 << 18

    private let stream: any ByteStream
    private let name: String
    private let limit: Int

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - name: the name of the stream in error messages.
    ///   - limit: the maximum length of a record, in bytes.
    public init(_ stream: any ByteStream, name: String, limit: Int = CSVReader.maximumRowLength) {
        self.stream = stream
        self.name = name
        self.limit = limit
    }

    /// Calls `body` with every record, including the header record.
    ///
    /// - Parameter progress: called with the fraction 0…1 that was read, once per buffer.
    /// - Throws: ``ImportError`` with `unreadable`; with `tooLong` for a record beyond the limit; with `malformed` if a
    ///   quoted field does not end or text follows its closing quotation mark. Also rethrows errors of `body`.
    public func forEachRow(progress: (Double) -> Void = { _ in }, _ body: (CSVRow) throws -> Void) throws {
        var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.firstSize, alignment: 16)
        defer { buffer.deallocate() }
        var scanner = CSVScanner(name: name)
        var (filled, start, isAtEnd) = (0, 0, false)
        while true {
            while !isAtEnd, filled < buffer.count {
                let count = try stream.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
                isAtEnd = count == 0
                filled += count
            }
            progress(stream.fraction)
            if scanner.line == 1, start == 0, buffer[..<filled].starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<filled])
            while start < filled, let row = try scanner.row(in: bytes, from: start, isAtEnd: isAtEnd) {
                start = row.end
                if !row.isBlank { try body(row.row) }
            }
            if isAtEnd { return progress(1) }
            filled -= start
            if start > 0, filled > 0, let base = buffer.baseAddress { memmove(base, base + start, filled) }
            if start == 0 {
                guard buffer.count < limit else {
                    throw ImportError(
                        .tooLong,
                        localized("%1, line %2: the record has more than %3 bytes", name, scanner.line, limit))
                }
                let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
                larger.copyMemory(from: UnsafeRawBufferPointer(buffer))
                buffer.deallocate()
                buffer = larger
            }
            start = 0
        }
    }

    /// Returns the fields of the first record of some bytes, or `nil` if the record is malformed or not UTF-8.
    public static func firstRow(of bytes: some Collection<UInt8>) -> [String]? {
        Array(bytes).withUnsafeBytes { bytes in
            var scanner = CSVScanner(name: "")
            guard let row = try? scanner.row(in: bytes, from: 0, isAtEnd: true)?.row else { return nil }
            let fields = (0..<row.count).compactMap(row.text)
            return fields.count == row.count ? fields : nil
        }
    }
}

/// Splits bytes into records and fields.
private struct CSVScanner {
    let name: String
    /// The line in which the next record begins, from 1.
    private(set) var line = 1

    init(name: String) { self.name = name }

    /// Returns the record at an offset and the offset after it, or `nil` if more bytes are needed.
    mutating func row(
        in bytes: UnsafeRawBufferPointer, from start: Int, isAtEnd: Bool
    ) throws -> (row: CSVRow, end: Int, isBlank: Bool)? {
        var fields: [CSVRow.Field] = []
        fields.reserveCapacity(16)
        var lines = 1
        var index = start
        while true {
            if index < bytes.count, bytes[index] == 0x22 {
                guard let field = try quoted(in: bytes, from: index, &lines, isAtEnd: isAtEnd) else { return nil }
                fields.append(field)
                index = field.range.upperBound + 1
                if index < bytes.count, bytes[index] == 0x0D,
                    index + 1 == bytes.count ? isAtEnd : bytes[index + 1] == 0x0A
                {
                    index += 1
                }
                // The bytes so far may end with a carriage return whose line feed is still to be read.
                if index + 1 >= bytes.count, !isAtEnd { return nil }
                if index < bytes.count, bytes[index] != 0x2C, bytes[index] != 0x0A {
                    throw ImportError(
                        .malformed,
                        localized(
                            "%1, line %2, field %3: text follows the closing quotation mark", name, line + lines - 1,
                            fields.count))
                }
            } else {
                let first = index
                while index < bytes.count, bytes[index] != 0x2C, bytes[index] != 0x0A { index += 1 }
                if index == bytes.count, !isAtEnd { return nil }
                let endsLine = index == bytes.count || bytes[index] == 0x0A
                let last = endsLine && index > first && bytes[index - 1] == 0x0D ? index - 1 : index
                fields.append(CSVRow.Field(range: first..<last))
            }
            guard index < bytes.count, bytes[index] == 0x2C else { break }
            index += 1
        }
        defer { line += lines }
        let isBlank = fields.count == 1 && fields[0].range.isEmpty && fields[0].range.lowerBound == start
        return (CSVRow(line: line, bytes: bytes, fields: fields), min(index + 1, bytes.count), isBlank)
    }

    /// Returns the quoted field at an offset, or `nil` if more bytes are needed. Adds its line breaks to `lines`.
    private func quoted(
        in bytes: UnsafeRawBufferPointer, from start: Int, _ lines: inout Int, isAtEnd: Bool
    ) throws -> CSVRow.Field? {
        var field = CSVRow.Field(range: (start + 1)..<(start + 1))
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == 0x0A { lines += 1 }
            guard bytes[index] == 0x22 else {
                index += 1
                continue
            }
            // A doubled quotation mark stands for one in the text.
            if index + 1 < bytes.count, bytes[index + 1] == 0x22 {
                field.hasQuotes = true
                index += 2
            } else if index + 1 < bytes.count || isAtEnd {
                field.range = (start + 1)..<index
                return field
            } else {
                return nil
            }
        }
        guard isAtEnd else { return nil }
        throw ImportError(
            .malformed,
            localized("%1, line %2: a quoted field that begins in this record does not end", name, line))
    }
}
