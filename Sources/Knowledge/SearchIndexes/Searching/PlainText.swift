internal import HunchModel

/// Texts without the tags and character references of HTML, as some apps index them.
enum PlainText {
    /// The longest tag and the longest character reference, in bytes.
    private static let (longestTag, longestReference) = (2_048, 10)
    /// The texts of the names that mails and notes have, in pairs. `Markup`, which knows all, is not for the agent.
    private static let references: [String: String] = {
        let pairs = """
            amp & lt < gt > quot " apos ' lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ laquo « raquo » ndash – mdash — hellip …
            bull • middot · euro € pound £ cent ¢ copy © reg ® deg ° sect § auml ä ouml ö uuml ü Auml Ä Ouml Ö Uuml Ü szlig ß
            aring å Aring Å aelig æ AElig Æ oslash ø Oslash Ø agrave à aacute á acirc â atilde ã ccedil ç Ccedil Ç egrave è
            eacute é Eacute É ecirc ê euml ë igrave ì iacute í icirc î iuml ï ntilde ñ Ntilde Ñ ograve ò oacute ó ocirc ô
            otilde õ ugrave ù uacute ú ucirc û
            """.split(whereSeparator: \.isWhitespace).map(String.init)
        var texts = ["nbsp": " ", "shy": ""]
        for index in stride(from: 0, to: pairs.count, by: 2) { texts[pairs[index]] = pairs[index + 1] }
        return texts
    }()
    /// The elements whose content is not text.
    private static let hidden = ["script", "style"]

    /// Returns a text without HTML. A text that only contains a sign such as “<” stays as it is.
    static func of(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return text }
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), let (name, end) = tag(bytes[index...]) {
                index = end
                if hidden.contains(name) { index = closing(name, bytes[end...]) }
                plain.append(UInt8(ascii: " "))
            } else if bytes[index] == UInt8(ascii: "&"), let (text, end) = reference(bytes[index...]) {
                plain += text.utf8
                index = end
            } else {
                plain.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// Returns the name of the tag or comment at the beginning of a text, in lower case, and the index behind it.
    private static func tag(_ bytes: ArraySlice<UInt8>) -> (name: String, end: Int)? {
        if bytes.starts(with: "<!--".utf8) {
            var index = bytes.startIndex + 4
            while index < bytes.endIndex, !bytes[index...].starts(with: "-->".utf8) { index += 1 }
            return ("", min(index + 3, bytes.endIndex))
        }
        var name = bytes.dropFirst()
        if let first = name.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "!") { name = name.dropFirst() }
        let letters = name.prefix { (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) }
        guard let first = letters.first, !(0x30...0x39).contains(first), letters.endIndex < bytes.endIndex,
            // An address such as “<ann@example.org>” is not a tag.
            [0x20, 0x09, 0x0A, 0x0D, 0x2F, 0x3E].contains(bytes[letters.endIndex]),
            let end = bytes.dropFirst().prefix(longestTag).firstIndex(where: { [0x3C, 0x3E].contains($0) }),
            bytes[end] == 0x3E
        else { return nil }
        let isClosing = bytes[bytes.startIndex + 1] == UInt8(ascii: "/")
        return (isClosing ? "" : String(decoding: letters, as: UTF8.self).lowercased(), end + 1)
    }

    /// Returns the index of the closing tag of an element, or of the end of the text.
    private static func closing(_ name: String, _ bytes: ArraySlice<UInt8>) -> Int {
        var index = bytes.startIndex
        while let next = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            let end = bytes[next...].dropFirst(2).prefix(name.utf8.count).map { $0 | 0x20 }
            if bytes[next...].dropFirst().first == UInt8(ascii: "/"), end.elementsEqual(name.utf8) { return next }
            index = next + 1
        }
        return bytes.endIndex
    }

    /// Returns the text of the character reference at the beginning of a text, and the index behind it.
    private static func reference(_ bytes: ArraySlice<UInt8>) -> (text: String, end: Int)? {
        guard let end = bytes.prefix(longestReference).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[(bytes.startIndex + 1)..<end], as: UTF8.self)
        guard name.hasPrefix("#") else { return references[name].map { ($0, end + 1) } }
        let digits = name.dropFirst()
        let number = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let scalar = number.flatMap(Unicode.Scalar.init) else { return nil }
        return (String(Character(scalar)), end + 1)
    }
}
