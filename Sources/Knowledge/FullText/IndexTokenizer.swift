internal import GRDB
internal import GRDBSQLite
internal import HunchModel

/// The tokenizer of the index in SQLite's FTS5: the words of ``WordScanner``, each with its stem at the same position.
///
/// Queries consist of words and stems already, which it leaves as they are. Of a text that begins with ``startsMark``,
/// only the first letters of each word become tokens, for finding what a user begins to type. They are preceded by the
/// source and the protection of the item, each after its mark, so that a search of some apps looks at no others.
package final class IndexTokenizer: FTS5CustomTokenizer {
    static let name = "hunch"
    /// The byte before a text and before its tokens, of which only beginnings of words are indexed. No text of an
    /// item begins with it.
    static let startsMark: UInt8 = 1
    /// The byte before the number of a source, and in its token.
    static let sourceMark: UInt8 = 2
    /// The byte before the number of a protection, and in its token.
    static let protectionMark: UInt8 = 3
    /// The length of the beginnings of words, in letters.
    package static let startLength = 3

    private let stemmer: Stemmer?

    /// - Parameter arguments: the language, as a code of ISO 639.
    init(db: Database, arguments: [String]) throws {
        stemmer = arguments.first.flatMap(Stemmer.init(language:))
    }

    func tokenize(
        context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization, pText: UnsafePointer<CChar>?, nText: CInt,
        tokenCallback: @escaping FTS5TokenCallback
    ) -> CInt {
        guard let pText, nText > 0 else { return SQLITE_OK }
        let bytes = UnsafeRawBufferPointer(start: pText, count: Int(nText)).bindMemory(to: UInt8.self)
        var result = SQLITE_OK
        func emit(_ token: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, isColocated: Bool) -> Bool {
            result = token.withMemoryRebound(to: CChar.self) {
                tokenCallback(
                    context, isColocated ? FTS5_TOKEN_COLOCATED : 0, $0.baseAddress, CInt($0.count),
                    CInt(range.lowerBound), CInt(range.upperBound))
            }
            return result == SQLITE_OK
        }
        if tokenization.contains(.query) {
            if bytes[0] <= Self.protectionMark {
                _ = emit(bytes, 0..<bytes.count, isColocated: false)
            } else {
                // Each string of a query is one word, of whose grams only the first one is meant.
                WordScanner.scan(bytes) { word, letters in
                    _ = emit(letters, word.range, isColocated: false)
                    return false
                }
            }
        } else if bytes[0] == EncodedTokens.mark {
            EncodedTokens.decode(bytes) { token, isColocated in emit(token, 0..<0, isColocated: isColocated) }
        } else {
            Self.scan(bytes, stemmer: stemmer, emit)
        }
        return result
    }

    /// Calls `body` with each token of an item's text, its range in the text, and whether it is at the same position as the
    /// one before. Ends early if `body` returns `false`.
    static func scan(
        _ text: UnsafeBufferPointer<UInt8>, stemmer: Stemmer?,
        _ body: (UnsafeBufferPointer<UInt8>, Range<Int>, Bool) -> Bool
    ) {
        guard text.first == startsMark else {
            func stem(_ letters: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
                guard let stemmer else { return true }
                return stemmer.withStem(letters) { stem in
                    stem.elementsEqual(letters) ? true : body(stem, range, true)
                }
            }
            return scanJoining(text) { word, letters, joined in
                guard body(letters, word.range, false), stem(letters, word.range) else { return false }
                guard let joined else { return true }
                return body(joined, word.range, true) && stem(joined, word.range)
            }
        }
        var start = 1
        for mark in [sourceMark, protectionMark] {
            guard start < text.count, text[start] == mark else { break }
            let end = text[(start + 1)...].firstIndex { !(0x30...0x39).contains($0) } ?? text.count
            guard body(UnsafeBufferPointer(rebasing: text[start..<end]), start..<end, false) else { return }
            start = end
        }
        scanJoining(UnsafeBufferPointer(rebasing: text[start...])) { word, letters, joined in
            let range = word.range.lowerBound + start..<word.range.upperBound + start
            guard Self.start(of: letters, { body($0, range, false) }) else { return false }
            // A longer word before the hyphen has the same beginning.
            guard let joined, letterCount(joined.prefix(joined.count - letters.count)) < startLength else {
                return true
            }
            return Self.start(of: joined) { body($0, range, true) }
        }
    }

    /// Calls `body` with each word of a text and, after a hyphen or a separator of thousands, the word that it forms with the one
    /// before: “Wi-Fi” is found as “wifi”, too, and “1,250” as “1250”.
    private static func scanJoining(
        _ text: UnsafeBufferPointer<UInt8>,
        _ body: (WordScanner.Word, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>?) -> Bool
    ) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * WordScanner.maximumLength + 16) { buffer in
            var former = 0
            WordScanner.scan(text) { word, letters in
                var joined: UnsafeBufferPointer<UInt8>?
                if word.link != .none, former + letters.count <= WordScanner.maximumLength {
                    for (index, letter) in letters.enumerated() { buffer[former + index] = letter }
                    joined = UnsafeBufferPointer(rebasing: buffer[..<(former + letters.count)])
                }
                guard body(word, letters, joined) else { return false }
                if word.link == .thousands, let joined {
                    // “1,250,000” is one number.
                    former = joined.count
                    return true
                }
                former = min(letters.count, buffer.count)
                for index in 0..<former { buffer[index] = letters[index] }
                return true
            }
        }
    }

    private static func letterCount(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        bytes.count { $0 & 0xC0 != 0x80 }
    }

    /// Calls `body` with the beginning of a word, after the mark; not for shorter words.
    private static func start(
        of word: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        var (size, letters) = (0, 0)
        while size < word.count, letters < startLength {
            size += 1
            // A letter ends where the next byte continues none.
            if size == word.count || word[size] & 0xC0 != 0x80 { letters += 1 }
        }
        guard letters == startLength else { return true }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 + size) { buffer in
            buffer[0] = startsMark
            for index in 0..<size { buffer[index + 1] = word[index] }
            return body(UnsafeBufferPointer(buffer))
        }
    }
}
