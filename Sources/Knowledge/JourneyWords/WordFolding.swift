internal import HunchModel

/// Splits text into words for comparison, with folded letters and unified abbreviations.
///
/// The names of the gazetteer and queries are processed alike, so that "Hauptstr. 5", "HAUPTSTRASSE 5" and
/// "Hauptstraße 5" have the same words, as have "Zürich", "Zuerich" and "zurich".
package struct WordFolding {
    /// The maximum length of a word. Longer ones are cut.
    package static let maximumWordLength = 64

    private var word: [UInt8] = []
    private let shortens: Bool

    /// - Parameter shortens: whether to unify abbreviations with their long forms.
    package init(shortens: Bool = true) {
        self.shortens = shortens
        word.reserveCapacity(64)
    }

    /// Returns the words of a text, in order.
    package static func words(of text: String) -> [String] {
        var folding = WordFolding()
        var words: [String] = []
        folding.forEachWord(of: text) { words.append(String(decoding: $0, as: UTF8.self)) }
        return words
    }

    /// Returns the letters of a text without accents. Abbreviations stay as they are.
    package static func letters(of text: String) -> String {
        var folding = WordFolding(shortens: false)
        var letters = ""
        folding.forEachWord(of: text) { letters += String(decoding: $0, as: UTF8.self) }
        return letters
    }

    /// Returns the words of a text joined, independent of separators.
    package static func joined(_ text: String) -> String { words(of: text).joined() }

    /// Calls `body` with the UTF-8 of each word, in order.
    package mutating func forEachWord(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        var text = text
        text.withUTF8 { bytes in
            word.removeAll(keepingCapacity: true)
            var index = 0
            while index < bytes.count {
                let byte = bytes[index]
                if byte < 0x80 {
                    index += 1
                    if byte.isASCIILetter || byte.isASCIIDigit {
                        append(byte < 0x5B && byte > 0x40 ? byte | 0x20 : byte)
                    } else {
                        end(body)
                    }
                } else {
                    let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
                    var value = UInt32(byte) & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
                    for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
                    index += length
                    if let scalar = Unicode.Scalar(value), let folded = LetterFolding.folded(scalar) {
                        append(scalar: folded.first)
                        append(scalar: folded.second)
                    } else {
                        end(body)
                    }
                }
            }
            end(body)
        }
    }

    private mutating func append(scalar value: UInt32) {
        guard value != 0, let scalar = Unicode.Scalar(value) else { return }
        if scalar.isASCII { return append(UInt8(value)) }
        guard let encoded = UTF8.encode(scalar), word.count + encoded.count <= Self.maximumWordLength else { return }
        word.append(contentsOf: encoded)
    }

    private mutating func append(_ byte: UInt8) {
        // "ue" replaces "ü" on keyboards without it. Both become "u", in names and in queries.
        if byte == 0x65, let last = word.last, last == 0x61 || last == 0x6F || last == 0x75 { return }
        if word.count < Self.maximumWordLength { word.append(byte) }
    }

    private mutating func end(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        guard !word.isEmpty else { return }
        if shortens { WordForms.shorten(&word) }
        word.withUnsafeBufferPointer(body)
        word.removeAll(keepingCapacity: true)
    }
}
