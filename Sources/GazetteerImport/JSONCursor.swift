import Glibc
internal import HunchModel

/// Reads JSON (RFC 8259) from bytes, value by value, without building a tree. Throws ``Malformed`` on invalid input.
struct JSONCursor {
    struct Malformed: Error {}

    /// The maximum nesting depth.
    private static let maximumDepth = 32

    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Returns the first byte of the next value, after white space.
    mutating func next() throws -> UInt8 {
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            index += 1
        }
        throw Malformed()
    }

    private mutating func skip(_ byte: UInt8) throws -> Bool {
        guard try next() == byte else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws {
        guard try skip(byte) else { throw Malformed() }
    }

    /// Whether only white space is left.
    var isAtEnd: Bool {
        bytes[index...].allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    }

    /// Calls `body` for each member of an object. `body` must read or skip the value.
    mutating func object(_ body: (inout JSONCursor, String) throws -> Void) throws {
        try expect(0x7B)
        if try skip(0x7D) { return }
        repeat {
            guard try next() == 0x22 else { throw Malformed() }
            let key = try string()
            try expect(0x3A)
            try body(&self, key)
        } while try skip(0x2C)
        try expect(0x7D)
    }

    /// Calls `body` for each element of an array. `body` must read or skip the element.
    mutating func array(_ body: (inout JSONCursor) throws -> Void) throws {
        try expect(0x5B)
        if try skip(0x5D) { return }
        repeat { try body(&self) } while try skip(0x2C)
        try expect(0x5D)
    }

    /// Reads a number.
    mutating func number() throws -> Double {
        _ = try next()
        let start = index
        while index < bytes.count, Self.isNumberPart(bytes[index]) { index += 1 }
        guard let value = Double(String(decoding: bytes[start..<index], as: UTF8.self)), value.isFinite else {
            throw Malformed()
        }
        return value
    }

    private static func isNumberPart(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
    }

    /// Reads a string, a number or a boolean as text; `nil` for null, and for arrays and objects, which are skipped.
    mutating func text() throws -> String? {
        switch try next() {
        case 0x22: return try string()
        case 0x7B, 0x5B:
            try skipValue()
            return nil
        default:
            let start = index
            try skipValue()
            let text = String(decoding: bytes[start..<index], as: UTF8.self)
            return text == "null" ? nil : text
        }
    }

    /// Skips a value.
    mutating func skipValue(depth: Int = 0) throws {
        guard depth < Self.maximumDepth else { throw Malformed() }
        switch try next() {
        case 0x22: _ = try string()
        case 0x7B: try object { cursor, _ in try cursor.skipValue(depth: depth + 1) }
        case 0x5B: try array { cursor in try cursor.skipValue(depth: depth + 1) }
        case 0x74, 0x66, 0x6E:
            let word = ["true", "false", "null"].first { bytes[index...].starts(with: $0.utf8) }
            guard let word else { throw Malformed() }
            index += word.utf8.count
        default: _ = try number()
        }
    }

    private mutating func string() throws -> String {
        try expect(0x22)
        let start = index
        guard let base = bytes.baseAddress, let end = memchr(base + start, 0x22, bytes.count - start) else {
            throw Malformed()
        }
        let plain = bytes[start..<(UnsafeRawPointer(end) - base)]
        // NULL: no escape.
        if memchr(base + start, 0x5C, plain.count) == nil {
            index = plain.endIndex + 1
            return try Self.text(plain)
        }
        var unescaped: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case 0x22: return try unescaped.withUnsafeBytes { try Self.text($0[...]) }
            case 0x5C: try appendEscape(to: &unescaped)
            default: unescaped.append(byte)
            }
        }
        throw Malformed()
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Malformed() }
        return text
    }

    private mutating func appendEscape(to unescaped: inout [UInt8]) throws {
        guard index < bytes.count else { throw Malformed() }
        let escape = bytes[index]
        index += 1
        switch escape {
        case 0x22, 0x5C, 0x2F: unescaped.append(escape)
        // \b, \f, \n, \r and \t become a space, because names and tags have one line.
        case 0x62, 0x66, 0x6E, 0x72, 0x74: unescaped.append(0x20)
        case 0x75:
            var value = try unit()
            if (0xD800...0xDBFF).contains(value), index + 1 < bytes.count, bytes[index] == 0x5C,
                bytes[index + 1] == 0x75
            {
                index += 2
                let low = try unit()
                guard (0xDC00...0xDFFF).contains(low) else { throw Malformed() }
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else { throw Malformed() }
            unescaped.append(contentsOf: encoded)
        default: throw Malformed()
        }
    }

    /// Reads the four hexadecimal digits of a UTF-16 code unit.
    private mutating func unit() throws -> UInt32 {
        guard index + 4 <= bytes.count,
            let value = UInt32(String(decoding: bytes[index..<(index + 4)], as: UTF8.self), radix: 16)
        else { throw Malformed() }
        index += 4
        return value
    }
}
