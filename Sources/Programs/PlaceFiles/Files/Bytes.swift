import HunchModel

/// Bytes in memory, from which numbers and texts are read.
struct Bytes {
    /// The byte order of a number.
    enum Order { case littleEndian, bigEndian }

    /// The bytes.
    let content: [UInt8]

    /// The number of bytes.
    var count: Int { content.count }

    init(_ bytes: [UInt8]) { content = bytes }

    /// Returns the unsigned number in 0 to 8 bytes at an offset; `nil` beyond the end, or if it is too large for an
    /// `Int`.
    func number(_ offset: Int, _ length: Int, _ order: Order = .bigEndian) -> Int? {
        guard offset >= 0, offset <= count, (0...8).contains(length), length <= count - offset else { return nil }
        let digits = content[offset..<(offset + length)]
        let value = (order == .bigEndian ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }

    /// Returns whether the bytes at an offset begin with an ASCII text.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        text.withUTF8Buffer { text in
            offset >= 0 && offset <= count && content[offset...].starts(with: text)
        }
    }

    /// Returns `length` bytes from an offset, or fewer at the end.
    func part(_ offset: Int, _ length: Int) -> Bytes { Bytes(Array(content.dropFirst(offset).prefix(length))) }

    /// Returns all bytes as text.
    func text() -> String { String(decoding: content, as: UTF8.self) }
}
