internal import HunchModel

/// Splits text into words: letters and digits in a row, in lower case and without diacritics.
///
/// Chinese, Japanese, Thai and similar scripts have no spaces between words. Their texts become overlapping words of three
/// letters.
package enum WordScanner {
    /// A word of a text.
    package struct Word {
        /// The range in the text, in bytes.
        package let range: Range<Int>
        /// Whether the next word overlaps this one, because both represent the same text without spaces.
        let isGram: Bool
        /// The sign between the word before and this one.
        var link = Link.none
    }

    /// A sign between two words that may also be one.
    package enum Link {
        /// Anything else.
        case none
        /// A hyphen, not between two digits.
        case hyphen
        /// A separator of thousands, as in “1,250”, “1.250” and “1’250”.
        case thousands
    }

    /// The longest word, in bytes. The rest of longer ones is ignored.
    package static let maximumLength = 64
    /// The longest letter after folding, in bytes.
    private static let longestLetter = 8
    /// The length of the words of scripts without spaces, in letters.
    package static let gram = 3

    /// Calls `body` with each word of a text, and its letters. Ends early if `body` returns `false`.
    package static func scan(
        _ text: UnsafeBufferPointer<UInt8>, _ body: (Word, UnsafeBufferPointer<UInt8>) -> Bool
    ) {
        // The buffer is on the stack, because an import scans a million words a second.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maximumLength + longestLetter) { letters in
            var (index, start, count) = (0, 0, 0)
            var formerEnd = Int.min
            func end() -> Bool {
                defer { (count, formerEnd) = (0, index) }
                let word = UnsafeBufferPointer(rebasing: letters[..<count])
                let link = formerEnd < 0 ? .none : link(text, formerEnd..<start, before: word)
                return body(
                    Word(range: start..<index, isGram: false, link: link), word)
            }
            while index < text.count {
                let byte = text[index]
                guard byte >= 0x80 else {
                    let lower = byte | 0x20
                    let isLetter = lower >= 0x61 && lower <= 0x7A
                    if isLetter || byte >= 0x30 && byte <= 0x39 {
                        if count == 0 { start = index }
                        if count < maximumLength {
                            letters[count] = isLetter ? lower : byte
                            count += 1
                        }
                    } else if count > 0 {
                        let joins = byte == 0x27 && joins(text, after: index + 1, of: count)
                        if !joins, !end() { return }
                    }
                    index += 1
                    continue
                }
                let (scalar, length) = scalar(in: text, at: index)
                if isUnspaced(scalar) {
                    if count > 0, !end() { return }
                    guard let next = scanUnspaced(text, from: index, body) else { return }
                    index = next
                    continue
                }
                if scalar == "\u{AD}" || scalar == "’" && count > 0 && joins(text, after: index + length, of: count) {
                    // A soft hyphen is invisible.
                } else if let folded = LetterFolding.letters(of: scalar) {
                    if count == 0 { start = index }
                    // A letter is never cut.
                    if count < maximumLength {
                        for byte in folded.flatMap({ UTF8.encode($0).map(Array.init) ?? [] }) {
                            letters[count] = byte
                            count += 1
                        }
                    }
                } else if count > 0, !end() {
                    return
                }
                index += length
            }
            if count > 0 { _ = end() }
        }
    }

    /// Returns the sign between two words.
    private static func link(
        _ text: UnsafeBufferPointer<UInt8>, _ gap: Range<Int>, before word: UnsafeBufferPointer<UInt8>
    ) -> Link {
        guard gap.count <= 3, gap.lowerBound > 0 else { return .none }
        if isHyphen(text, gap) { return .hyphen }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard word.count == 3, word.allSatisfy(digits.contains),
            [[0x2C], [0x2E], [0x27], [0xE2, 0x80, 0x99], [0xE2, 0x80, 0xAF]].contains(where: text[gap].elementsEqual)
        else { return .none }
        let former = text[..<gap.lowerBound].reversed()
        let count = former.prefix(4).prefix(while: digits.contains).count
        let isNumber = former.dropFirst(count).first.map { !(0x61...0x7A).contains($0 | 0x20) } ?? true
        return (1...3).contains(count) && isNumber ? .thousands : .none
    }

    /// Returns whether a range is a hyphen, and not between two digits: “12-5” is two numbers.
    private static func isHyphen(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        // “-”, U+2010 and U+2011.
        let isHyphen =
            range.count == 1 && text[range.lowerBound] == 0x2D
            || range.count == 3 && text[range.lowerBound] == 0xE2 && text[range.lowerBound + 1] == 0x80
                && [0x90, 0x91].contains(text[range.lowerBound + 2])
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        return isHyphen && range.lowerBound > 0 && range.upperBound < text.count
            && !(isDigit(text[range.lowerBound - 1]) && isDigit(text[range.upperBound]))
    }

    /// Returns whether an apostrophe joins the letters around it: “don't” is “dont”, “Anna's” is “annas”. After one or two
    /// letters and before several, it divides: “l'hôtel” has an article.
    private static func joins(_ text: UnsafeBufferPointer<UInt8>, after next: Int, of count: Int) -> Bool {
        func isLetter(_ index: Int) -> Bool {
            index < text.count && (text[index] >= 0x80 || (0x61...0x7A).contains(text[index] | 0x20))
        }
        // “d'e-mails” has an article, too.
        let isWord = isLetter(next + 1) && isLetter(next + 2) || next + 1 < text.count && text[next + 1] == 0x2D
        return isLetter(next) && !(count <= 2 && isWord)
    }

    /// Returns the words of a text.
    package static func words(_ text: String) -> [(text: String, isGram: Bool, link: Link)] {
        var words: [(text: String, isGram: Bool, link: Link)] = []
        var text = text
        text.withUTF8 { bytes in
            scan(bytes) { word, letters in
                words.append((String(decoding: letters, as: UTF8.self), word.isGram, word.link))
                return true
            }
        }
        return words
    }

    /// Returns the words of a text of scripts with spaces, with the texts that they represent.
    package static func originals(_ text: String) -> [(folded: String, original: String)] {
        var words: [(folded: String, original: String)] = []
        var text = text
        text.withUTF8 { bytes in
            scan(bytes) { word, letters in
                let folded = String(decoding: letters, as: UTF8.self)
                if !isUnspaced(folded) {
                    let original = UnsafeBufferPointer(rebasing: bytes[word.range])
                    words.append((folded, String(decoding: original, as: UTF8.self)))
                }
                return true
            }
        }
        return words
    }

    /// Scans letters of scripts without spaces. Returns the index after them; `nil` to end early.
    private static func scanUnspaced(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, _ body: (Word, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Int? {
        var starts = [start]
        var index = start
        while index < text.count {
            let (scalar, length) = Self.scalar(in: text, at: index)
            guard Self.isUnspaced(scalar) else { break }
            index += length
            starts.append(index)
        }
        let count = starts.count - 1
        for first in 0..<count {
            let range = starts[first]..<starts[min(first + Self.gram, count)]
            let isGram = first + 1 < count
            if !body(Word(range: range, isGram: isGram), UnsafeBufferPointer(rebasing: text[range])) { return nil }
        }
        return index
    }

    /// Returns whether a word is of a script without spaces between words.
    package static func isUnspaced(_ word: String) -> Bool { word.unicodeScalars.first.map(isUnspaced) ?? false }

    /// Returns whether a word is a shorter gram at the end of a text, which the word before it contains.
    package static func isTail(_ word: String, of former: String) -> Bool {
        isUnspaced(word) && isUnspaced(former) && word.unicodeScalars.count < gram
            && former.unicodeScalars.dropFirst().elementsEqual(word.unicodeScalars)
    }

    /// Whether a letter belongs to a script without spaces between words: Thai, Lao, Myanmar, Khmer, kana, Bopomofo and Han.
    private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E01...0x0E4E, 0x0E81...0x0ECD, 0x1000...0x103F, 0x1780...0x17D2, 0x3041...0x3096, 0x3099...0x309F,
            0x30A1...0x30FF, 0x3105...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x323AF, 0x3005...0x3007:
            true
        default: false
        }
    }

    /// Decodes a scalar beyond ASCII. SQLite may pass text that is not valid UTF-8.
    private static func scalar(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> (Unicode.Scalar, length: Int) {
        let byte = text[index]
        let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
        guard length > 1, index + length <= text.count else { return ("\u{FFFD}", 1) }
        var value = UInt32(byte) & (length == 4 ? 0x07 : length == 3 ? 0x0F : 0x1F)
        for offset in 1..<length {
            let next = text[index + offset]
            guard next & 0xC0 == 0x80 else { return ("\u{FFFD}", 1) }
            value = value << 6 | UInt32(next & 0x3F)
        }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }
}
