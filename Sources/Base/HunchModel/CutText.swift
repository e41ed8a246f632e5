// A single character can be megabytes of combining marks. Text from outside the process is therefore cut by bytes
// before anything reads its characters. The deprecated declarations at the end hide the standard library's `prefix` and
// `suffix`, and the compiler rejects them: Package.swift makes deprecation an error.

extension StringProtocol {
    /// Returns the beginning of the text, cut between Unicode scalars. The time grows with `bytes`, not with the length
    /// of the text.
    ///
    /// - Parameter bytes: the maximum number of bytes of UTF-8 in the result, at least 0.
    package func cut(toBytes bytes: Int) -> String {
        guard utf8.count > bytes else { return String(self) }
        var count = bytes
        var end = utf8.index(startIndex, offsetBy: count)
        // 10xxxxxx continues a scalar that began earlier.
        while count > 0, utf8[end] & 0xC0 == 0x80 {
            count -= 1
            end = utf8.index(startIndex, offsetBy: count)
        }
        return String(self[..<end])
    }

    /// Returns the beginning of the text, at most `characters` long and at most `4 * characters + 64` bytes.
    ///
    /// - Parameter characters: the maximum number of characters (extended grapheme clusters) in the result, at least 0.
    package func cut(to characters: Int) -> String {
        // Every character has at least one byte.
        guard utf8.count > characters else { return String(self) }
        return String(beginning(of: cut(toBytes: 4 * characters + 64), characters))
    }
}

// In generic code, `prefix` and `suffix` are those of the standard library.
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
