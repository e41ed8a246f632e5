/// A record of comma-separated values. It is valid only during the call that receives it.
public struct CSVRow {
    /// The position of a field among the record's bytes.
    struct Field {
        var range: Range<Int>
        /// Whether the field contains quotation marks, which are doubled.
        var hasQuotes = false
    }

    /// The line of the file in which the record begins, from 1.
    public let line: Int
    let bytes: UnsafeRawBufferPointer
    let fields: [Field]

    /// The number of fields.
    public var count: Int { fields.count }

    /// The bytes of a field without the enclosing quotation marks. Quotation marks inside are still doubled. Empty for
    /// a field that the record does not have.
    public subscript(field: Int) -> UnsafeRawBufferPointer {
        guard fields.indices.contains(field) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(rebasing: bytes[fields[field].range])
    }

    /// Returns the text of a field, empty for a field that the record does not have, or `nil` if it is not UTF-8.
    public func text(_ field: Int) -> String? {
        guard fields.indices.contains(field) else { return "" }
        guard fields[field].hasQuotes else { return String(validating: self[field], as: UTF8.self) }
        var plain: [UInt8] = []
        var isSecond = false
        for byte in self[field] {
            isSecond = byte == 0x22 && !isSecond
            if !isSecond { plain.append(byte) }
        }
        return String(validating: plain, as: UTF8.self)
    }
}
