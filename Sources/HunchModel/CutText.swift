// A character may be megabytes of combining marks. Text from outside is therefore cut by bytes before anything looks at
// its characters. The deprecated declarations at the end of this file hide the standard library's cuts by characters, so
// that the compiler refuses them: deprecation is an error in Package.swift.

extension StringProtocol {
    /// Returns the beginning of the text, cut between Unicode scalars. The time taken grows with `bytes`, not with the
    /// text.
    ///
    /// - Parameter bytes: the most bytes of UTF-8 of the result, 0 or more.
    package func cut(toBytes bytes: Int) -> String {
        guard utf8.count > bytes else { return String(self) }
        var count = bytes
        var end = utf8.index(startIndex, offsetBy: count)
        // 10xxxxxx continues a scalar.
        while count > 0, utf8[end] & 0xC0 == 0x80 {
            count -= 1
            end = utf8.index(startIndex, offsetBy: count)
        }
        return String(self[..<end])
    }

    /// Returns the beginning of the text: at most so many characters, and at most four bytes for
    /// each of them and 64 more.
    ///
    /// - Parameter characters: the most characters (extended grapheme clusters) of the result, 0 or more.
    package func cut(to characters: Int) -> String {
        // No character is shorter than a byte.
        guard utf8.count > characters else { return String(self) }
        return String(beginning(of: cut(toBytes: 4 * characters + 64), characters))
    }
}

// In generic code the standard library's own cuts are found.
private func beginning<Text: StringProtocol>(of text: Text, _ characters: Int) -> Text.SubSequence {
    text.prefix(characters)
}

private func end<Text: StringProtocol>(of text: Text, _ characters: Int) -> Text.SubSequence {
    text.suffix(characters)
}

extension String {
    @available(*, deprecated, message: "a character may be megabytes; write cut(to:) or cut(toBytes:)")
    package func prefix(_ characters: Int) -> Substring { beginning(of: self, characters) }

    @available(*, deprecated, message: "a character may be megabytes; look at the bytes or the scalars")
    package func suffix(_ characters: Int) -> Substring { end(of: self, characters) }
}

extension Substring {
    @available(*, deprecated, message: "a character may be megabytes; write cut(to:) or cut(toBytes:)")
    package func prefix(_ characters: Int) -> Substring { beginning(of: self, characters) }

    @available(*, deprecated, message: "a character may be megabytes; look at the bytes or the scalars")
    package func suffix(_ characters: Int) -> Substring { end(of: self, characters) }
}
