/// One record of comma-separated values, lent for the length of a call.
public struct CSVRow {
    /// Where a field is among the record's bytes.
    struct Field {
        var range: Range<Int>
        /// Whether it has quotation marks in it, which are doubled.
        var hasQuotes = false
    }

    /// The line of the file in which the record begins, from 1.
    public let line: Int
    let bytes: UnsafeRawBufferPointer
    let fields: [Field]

    /// How many fields it has.
    public var count: Int { fields.count }

    /// The bytes of a field without the quotation marks around it; those in it are doubled still. Empty for a field that the
    /// record does not have.
    public subscript(field: Int) -> UnsafeRawBufferPointer {
        guard fields.indices.contains(field) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(rebasing: bytes[fields[field].range])
    }

    /// A field as text, empty for one that the record does not have; `nil` when it is not UTF-8.
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
