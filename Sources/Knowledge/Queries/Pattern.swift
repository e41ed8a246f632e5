internal import HunchModel

/// A text to compare with, in which an asterisk stands for any characters.
public struct Pattern: Hashable, Sendable {
    /// The ways of comparing, by their letters in the query language.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The bits of the modifiers.
        public let rawValue: Int
        /// Creates modifiers from their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// `c`: upper and lower case are equal.
        public static let ignoresCase = Modifiers(rawValue: 1)
        /// `d`: letters with and without diacritics are equal.
        public static let ignoresDiacritics = Modifiers(rawValue: 2)
        /// `w`: the pattern is found anywhere between two boundaries of words.
        public static let words = Modifiers(rawValue: 4)
        /// `t`: each word of the pattern is a word of the value, in any order.
        public static let tokens = Modifiers(rawValue: 8)

        static let letters: [Character: Modifiers] = [
            "c": .ignoresCase, "d": .ignoresDiacritics, "w": .words, "t": .tokens,
        ]
    }

    /// The texts between the asterisks. `"a*b"` has the parts `a` and `b`.
    public let parts: [String]
    /// The ways of comparing.
    public let modifiers: Modifiers
    private let folded: [[Unicode.Scalar]]

    /// Creates a pattern.
    ///
    /// - Parameter parts: the texts between the asterisks; at least one, which may be empty.
    public init(parts: [String], modifiers: Modifiers = []) {
        self.parts = parts
        self.modifiers = modifiers
        folded = parts.map { Self.folded(Array($0.unicodeScalars), modifiers).text }
    }

    /// Returns whether a text matches.
    public func matches(_ text: String) -> Bool {
        let original = Array(text.unicodeScalars)
        let (text, origins) = Self.folded(original, modifiers)
        if modifiers.contains(.tokens) {
            let words = Self.words(text).map { Array(text[$0]) }
            return tokenPatterns.allSatisfy { token in words.contains { Self.matches($0[...], token) } }
        }
        return modifiers.contains(.words)
            ? matchesWords(text) { Self.isBoundary(origins[$0], $0 > 0 ? origins[$0 - 1] : nil, original) }
            : Self.matches(text[...], folded)
    }

    /// The number of words of the pattern.
    var tokenCount: Int { tokenPatterns.count }

    /// The words of the pattern, each with its parts.
    private var tokenPatterns: [[[Unicode.Scalar]]] {
        // A scalar that is in no text marks the asterisks while the pattern is divided into words.
        let mark = Unicode.Scalar(UInt8(0))
        let joined = Array(folded.joined(separator: [mark]))
        return Self.words(joined) { $0 == mark }.map { range in
            joined[range].split(separator: mark, omittingEmptySubsequences: false).map { Array($0) }
        }
    }

    // MARK: Matching

    // Each takes time in proportion to the length of the text: apps and strangers choose both texts and patterns.

    /// Returns whether a text begins with the first part, ends with the last one, and has the others in between.
    private static func matches(_ text: ArraySlice<Unicode.Scalar>, _ parts: [[Unicode.Scalar]]) -> Bool {
        guard let first = parts.first, let last = parts.last, text.starts(with: first) else { return false }
        if parts.count == 1 { return text.count == first.count }
        guard text.count >= first.count + last.count, text.suffix(last.count).elementsEqual(last) else { return false }
        var rest = text.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() {
            guard let found = find(part, in: rest) else { return false }
            rest = rest[(found + part.count)...]
        }
        return true
    }

    /// Returns whether a text has the parts in order, from a boundary of words to another one.
    private func matchesWords(_ text: [Unicode.Scalar], _ isBoundary: (Int) -> Bool) -> Bool {
        guard let first = folded.first, let last = folded.last else { return false }
        if folded.count == 1 {
            return Self.find(first, in: text[...]) { isBoundary($0) && isBoundary($0 + first.count) } != nil
        }
        // The earliest beginning leaves most of the text for the other parts.
        guard let start = first.isEmpty ? 0 : Self.find(first, in: text[...], where: isBoundary) else {
            return false
        }
        var rest = text[(start + first.count)...]
        for part in folded.dropFirst().dropLast() {
            guard let found = Self.find(part, in: rest) else { return false }
            rest = rest[(found + part.count)...]
        }
        return last.isEmpty || Self.find(last, in: rest) { isBoundary($0 + last.count) } != nil
    }

    /// Returns the first index of a part that satisfies a condition (Knuth, Morris and Pratt 1977).
    private static func find(
        _ part: [Unicode.Scalar], in text: ArraySlice<Unicode.Scalar>, where condition: (Int) -> Bool = { _ in true }
    ) -> Int? {
        guard !part.isEmpty else {
            return text.indices.first(where: condition) ?? (condition(text.endIndex) ? text.endIndex : nil)
        }
        // The length of the longest proper beginning of the part that is also the end of its first letters.
        var borders = [0]
        for index in 1..<max(1, part.count) {
            var length = borders[index - 1]
            while length > 0, part[length] != part[index] { length = borders[length - 1] }
            borders.append(part[length] == part[index] ? length + 1 : 0)
        }
        var matched = 0
        for index in text.indices {
            while matched > 0, matched == part.count || part[matched] != text[index] { matched = borders[matched - 1] }
            if part[matched] == text[index] { matched += 1 }
            if matched == part.count, condition(index - part.count + 1) { return index - part.count + 1 }
        }
        return nil
    }

    // MARK: Words

    /// The ranges of the words of a text: letters and digits in a row.
    private static func words(
        _ text: [Unicode.Scalar], isAlsoIn: (Unicode.Scalar) -> Bool = { _ in false }
    ) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start: Int?
        for (index, scalar) in text.enumerated() {
            // An apostrophe between letters does not divide a word.
            let isInside =
                (scalar == "'" || scalar == "’") && start != nil && index + 1 < text.count && isInWord(text[index + 1])
            let isIn = isInWord(scalar) || isInside || isAlsoIn(scalar)
            if isIn, start == nil { start = index }
            if !isIn, let begun = start {
                words.append(begun..<index)
                start = nil
            }
        }
        if let start { words.append(start..<text.count) }
        return words
    }

    /// Returns whether a word may begin or end at an index of a text: also between lower and upper case, and between letters
    /// and digits.
    ///
    /// - Parameter former: the index of the letter before, which is the same within the folding of one letter.
    private static func isBoundary(_ index: Int, _ former: Int?, _ text: [Unicode.Scalar]) -> Bool {
        guard let former, index < text.count else { return true }
        guard former < index else { return false }
        let (left, right) = (text[index - 1], text[index])
        guard isInWord(left), isInWord(right) else { return true }
        return isDigit(left) != isDigit(right) || left.properties.isLowercase && right.properties.isUppercase
    }

    private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || isDigit(scalar) || isMark(scalar)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.numericType == .decimal
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .nonspacingMark || scalar.properties.generalCategory == .spacingMark
    }

    // MARK: Folding

    /// Returns a folded text, and for each of its letters, and for its end, the index in the original.
    private static func folded(
        _ original: [Unicode.Scalar], _ modifiers: Modifiers
    ) -> (text: [Unicode.Scalar], origins: [Int]) {
        let (ignoresCase, ignoresMarks) = (
            modifiers.contains(.ignoresCase), modifiers.contains(.ignoresDiacritics)
        )
        guard ignoresCase || ignoresMarks else { return (original, Array(0...original.count)) }
        var folded: [Unicode.Scalar] = []
        var origins: [Int] = []
        folded.reserveCapacity(original.count)
        origins.reserveCapacity(original.count + 1)
        func append(_ letters: some Sequence<Unicode.Scalar>, _ index: Int) {
            for letter in letters {
                folded.append(letter)
                origins.append(index)
            }
        }
        for (index, scalar) in original.enumerated() {
            if scalar.isASCII {
                let isCapital = ("A"..."Z").contains(scalar)
                folded.append(ignoresCase && isCapital ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
                origins.append(index)
            } else if ignoresMarks, let letters = LetterFolding.letters(of: scalar) {
                let isCapital = !ignoresCase && scalar.properties.isUppercase
                append(
                    isCapital ? letters.flatMap { Array($0.properties.uppercaseMapping.unicodeScalars) } : letters,
                    index)
            } else if ignoresCase {
                append(scalar.properties.lowercaseMapping.unicodeScalars, index)
            } else {
                append(CollectionOfOne(scalar), index)
            }
        }
        return (folded, origins + [original.count])
    }
}
