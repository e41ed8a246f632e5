/// The fields of one line of comma-separated values: RFC 4180, but for line breaks within fields.
enum CSVFields {
    static func fields(of line: String) -> [String] {
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var wasQuote = false
        for byte in line.utf8 {
            if byte == 0x22 {
                // Two of them within quotes are one.
                if isQuoted, !wasQuote { wasQuote = true; continue }
                if wasQuote { field.append(byte); wasQuote = false } else { isQuoted = true }
                continue
            }
            if wasQuote { (isQuoted, wasQuote) = (false, false) }
            if byte == 0x2C, !isQuoted {
                fields.append(String(decoding: field, as: UTF8.self))
                field.removeAll(keepingCapacity: true)
            } else if byte != 0x0D || isQuoted {
                field.append(byte)
            }
        }
        fields.append(String(decoding: field, as: UTF8.self))
        return fields
    }
}
