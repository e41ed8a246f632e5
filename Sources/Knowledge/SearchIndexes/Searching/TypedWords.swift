internal import FullText
internal import HunchModel

/// Words that a user typed, for finding them in texts that are not in the index.
public struct TypedWords: Sendable {
    /// The longest ``text``, in bytes.
    private static let textLength = 128
    private let words: [String]

    /// Splits a text into words, as the index does. The user may not have finished the last one.
    public init(_ text: String) {
        words = WordScanner.words(text.cut(toBytes: TypedText.maximumLength)).map(\.text)
    }

    /// The words in lower case and without diacritics, separated by spaces.
    var text: String { words.joined(separator: " ").cut(toBytes: Self.textLength) }

    /// Whether there are no words.
    public var isEmpty: Bool { words.isEmpty }

    /// Returns whether each of the words begins a word of the texts. Letter case and diacritics do not matter.
    public func match(_ texts: [String]) -> Bool {
        let known = texts.flatMap { WordScanner.words($0).map(\.text) }
        return !isEmpty && words.allSatisfy { word in known.contains { $0.hasPrefix(word) } }
    }
}
