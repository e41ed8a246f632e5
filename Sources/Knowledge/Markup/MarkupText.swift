/// Texts of structured data.
enum MarkupText {
    /// Returns a text without white space at its ends, and with single spaces inside.
    static func collapsed(_ text: String) -> String {
        var text = text
        return text.withUTF8(isCollapsed) ? text : text.withUTF8(withoutSpaces)
    }

    private static func isCollapsed(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var former: UInt8 = 0x20
        for byte in text {
            if byte < 0x20 || byte == 0x20 && former == 0x20 || byte == 0xA0 && former == 0xC2 { return false }
            former = byte
        }
        return former != 0x20 || text.isEmpty
    }

    private static func withoutSpaces(_ text: UnsafeBufferPointer<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var isSpaceDue = false
        var former: UInt8 = 0
        for byte in text {
            // The space that does not break is C2 A0 in UTF-8.
            if byte == 0xA0, former == 0xC2 {
                bytes.removeLast()
                isSpaceDue = !bytes.isEmpty
            } else if byte <= 0x20 {
                isSpaceDue = !bytes.isEmpty
            } else {
                if isSpaceDue { bytes.append(0x20) }
                isSpaceDue = false
                bytes.append(byte)
            }
            former = byte
        }
        // A removed beginning of a space that does not break may have had a space before it.
        while bytes.last == 0x20 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The beginnings of addresses in the vocabulary of schema.org.
    private static let vocabularies = [
        "http://schema.org/", "https://schema.org/", "http://www.schema.org/", "https://www.schema.org/",
    ]

    /// Returns the name of a type or a property in schema.org without its vocabulary; other names as they are.
    static func shortName(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: ":")) else { return name }
        for vocabulary in vocabularies where name.hasPrefix(vocabulary) && name.utf8.count > vocabulary.utf8.count {
            return String(name.dropFirst(vocabulary.count))
        }
        return name.hasPrefix("schema:") ? String(name.dropFirst("schema:".count)) : name
    }
}
