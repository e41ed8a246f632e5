/// The tokens of a text, made before the write transaction, because only one thread can write.
///
/// Their text takes the place of the original one, which FTS5 does not store: ``mark``, then each token and the byte after it.
package struct EncodedTokens {
    /// The byte before the tokens. No text begins with it; see ``ItemColumns``.
    package static let mark: UInt8 = 4
    /// The byte after a token.
    private static let end: UInt8 = 5
    /// The byte after a token at the same position as the one before.
    private static let colocatedEnd: UInt8 = 6

    package let text: String
    /// The number of positions.
    package let count: Int

    /// Makes the tokens that ``IndexTokenizer`` makes of a text.
    package init(_ text: String, stemmer: Stemmer?) {
        var (text, count) = (text, 0)
        self.text = text.withUTF8 { bytes in
            var encoded: [UInt8] = []
            // Room for stems; tokens of texts without spaces need more.
            encoded.reserveCapacity(2 * bytes.count + 1)
            encoded.append(Self.mark)
            IndexTokenizer.scan(bytes, stemmer: stemmer) { token, _, isColocated in
                encoded.append(contentsOf: token)
                encoded.append(isColocated ? Self.colocatedEnd : Self.end)
                if !isColocated { count += 1 }
                return true
            }
            return String(decoding: encoded, as: UTF8.self)
        }
        self.count = count
    }

    /// Returns a text with further tokens before the others.
    package func text(after tokens: [String]) -> String {
        tokens.reduce("\u{4}") { $0 + $1 + "\u{5}" } + text.dropFirst()
    }

    /// Calls `body` with each of encoded tokens, and whether it is at the same position as the one before.
    package static func decode(_ text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>, Bool) -> Bool) {
        var start = 1
        for index in 1..<max(text.count, 1) where text[index] == end || text[index] == colocatedEnd {
            guard body(UnsafeBufferPointer(rebasing: text[start..<index]), text[index] == colocatedEnd) else { return }
            start = index + 1
        }
    }
}
