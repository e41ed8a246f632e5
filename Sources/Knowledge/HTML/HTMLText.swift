internal import HunchModel

/// Decodes character references. Source: HTML Standard, section 13.2.5.72, "Character reference state".
package enum HTMLText {
    /// Appends a piece of a page to a text in UTF-8.
    ///
    /// - Parameters:
    ///   - isAttribute: whether it is the value of an attribute, in which a name without a semicolon is not a reference
    ///     before a letter, a digit or an equals sign.
    ///   - needsSemicolon: whether only names with a semicolon are references, as in addresses that are not escaped.
    package static func append(
        _ piece: UnsafeBufferPointer<UInt8>, to text: inout [UInt8], isAttribute: Bool, needsSemicolon: Bool = false
    ) {
        var index = 0
        while index < piece.count {
            let mark = piece.position(of: UInt8(ascii: "&"), from: index)
            text += piece[index..<mark]
            guard mark < piece.count else { return }
            if let (end, reference) = reference(piece, mark, isAttribute),
                !needsSemicolon || piece[end - 1] == UInt8(ascii: ";")
            {
                text += reference.utf8
                index = end
            } else {
                text.append(UInt8(ascii: "&"))
                index = mark + 1
            }
        }
    }

    /// Returns the end and the text of the character reference at a position; `nil` if none is there.
    private static func reference(
        _ piece: UnsafeBufferPointer<UInt8>, _ mark: Int, _ isAttribute: Bool
    ) -> (end: Int, text: String)? {
        guard mark + 1 < piece.count else { return nil }
        if piece[mark + 1] == UInt8(ascii: "#") { return number(piece, mark + 2) }
        // By far the most frequent one.
        if piece.has("amp;", at: mark + 1) { return (mark + 5, "&") }
        guard CharacterReferences.mayBegin(piece[mark + 1], mark + 2 < piece.count ? piece[mark + 2] : 0) else {
            return nil
        }
        var end = mark + 1
        while end < piece.count, end - mark <= CharacterReferences.maximumLength,
            piece[end].isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(piece[end])
        {
            end += 1
        }
        if end < piece.count, piece[end] == UInt8(ascii: ";"),
            let text = CharacterReferences.texts[String(decoding: piece[mark + 1..<end], as: UTF8.self)]
        {
            return (end + 1, text)
        }
        let longest = min(end - mark - 1, CharacterReferences.legacyLength)
        guard longest > 1 else { return nil }
        for length in (2...longest).reversed() {
            let bytes = piece[mark + 1..<mark + 1 + length]
            guard CharacterReferences.isLegacy(bytes) else { continue }
            let short = String(decoding: bytes, as: UTF8.self)
            let follower = mark + 1 + length
            let isPart =
                follower < piece.count
                && (piece[follower] == UInt8(ascii: "=") || follower < end)
            if isAttribute, isPart { return nil }
            return CharacterReferences.texts[short].map { (follower, $0) }
        }
        return nil
    }

    private static func number(_ piece: UnsafeBufferPointer<UInt8>, _ start: Int) -> (end: Int, text: String)? {
        guard start < piece.count else { return nil }
        let isHexadecimal = piece[start] | 0x20 == UInt8(ascii: "x")
        let first = start + (isHexadecimal ? 1 : 0)
        var (end, value) = (first, UInt32(0))
        while end < piece.count, let digit = piece[end].hexadecimalDigit, isHexadecimal || digit < 10 {
            value = min(value * (isHexadecimal ? 16 : 10) + UInt32(digit), 0x11_0000)
            end += 1
        }
        guard end > first else { return nil }
        if end < piece.count, piece[end] == UInt8(ascii: ";") { end += 1 }
        let scalar = (0x80...0x9F).contains(value) ? windows1252[Int(value) - 0x80] : Unicode.Scalar(value)
        return (end, String(value == 0 ? "\u{FFFD}" : scalar ?? "\u{FFFD}"))
    }

    /// The characters of windows-1252 from 0x80 to 0x9F, which pages name by these numbers.
    private static let windows1252: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2C6}",
        "\u{2030}",
        "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}", "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}",
        "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}",
        "\u{9D}",
        "\u{17E}", "\u{178}",
    ]
}
