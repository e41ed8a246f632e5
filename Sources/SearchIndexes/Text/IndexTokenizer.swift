internal import GRDB
internal import GRDBSQLite
internal import HunchModel

/// The tokenizer of the index in SQLite's FTS5: the words of ``WordScanner``, each with its stem at the same position.
///
/// Queries consist of words and stems already, which it leaves as they are. Of a text that begins with ``startsMark``, only
/// the first two and three letters of each word become tokens, for finding what a person begins to type.
final class IndexTokenizer: FTS5CustomTokenizer {
    static let name = "hunch"
    /// The byte before a text and before its tokens, of which only beginnings of words are indexed. No text contains it.
    static let startsMark: UInt8 = 1
    /// The lengths of the beginnings of words, in letters.
    static let startLengths = 2...3

    private let stemmer: Stemmer?
    private var scanner = WordScanner()

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
        func emit(_ token: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, isColocated: Bool = false) -> Bool {
            result = token.withMemoryRebound(to: CChar.self) {
                tokenCallback(
                    context, isColocated ? FTS5_TOKEN_COLOCATED : 0, $0.baseAddress, CInt($0.count),
                    CInt(range.lowerBound), CInt(range.upperBound))
            }
            return result == SQLITE_OK
        }
        let isQuery = tokenization.contains(.query)
        let isStarts = bytes[0] == Self.startsMark
        if isQuery, isStarts {
            _ = emit(bytes, 0..<bytes.count)
            return result
        }
        scanner.scan(bytes) { word, letters in
            if isStarts { return Self.starts(of: letters) { emit($0, word.range) } }
            // Each string of a query is one word, of whose grams only the first one is meant.
            if isQuery {
                _ = emit(letters, word.range)
                return false
            }
            guard emit(letters, word.range) else { return false }
            guard let stemmer else { return true }
            return stemmer.withStem(letters) { stem in
                stem.elementsEqual(letters) ? true : emit(stem, word.range, isColocated: true)
            }
        }
        return result
    }

    /// Calls `body` with the beginnings of a word, each after the mark.
    private static func starts(
        of word: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 + startLengths.upperBound * 4) { buffer in
            buffer[0] = startsMark
            var (size, letters) = (1, 0)
            for (index, byte) in word.enumerated() {
                guard size < buffer.count else { return true }
                buffer[size] = byte
                size += 1
                // The letter ends where the next byte continues none.
                guard index + 1 == word.count || word[index + 1] & 0xC0 != 0x80 else { continue }
                letters += 1
                if startLengths.contains(letters), !body(UnsafeBufferPointer(rebasing: buffer[..<size])) {
                    return false
                }
                if letters == startLengths.upperBound { return true }
            }
            return true
        }
    }
}
