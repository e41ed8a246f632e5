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
        folded = parts.map { Self.folded($0, modifiers) }
    }

    /// Returns whether a text matches.
    public func matches(_ text: String) -> Bool {
        let text = Self.folded(text, modifiers)
        if modifiers.contains(.tokens) {
            let words = Self.words(text).map { Array(text[$0]) }
            return tokenPatterns.allSatisfy { token in words.contains { Self.matches($0[...], token, isWhole: true) } }
        }
        guard modifiers.contains(.words) else { return Self.matches(text[...], folded, isWhole: true) }
        let boundaries = Self.boundaries(text)
        return boundaries.dropLast().contains { start in
            Self.end(of: text[start...], folded).contains { boundaries.contains($0) }
        }
    }

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

    /// Returns whether a text begins with the first part, ends with the last one, and has the others in between.
    private static func matches(_ text: ArraySlice<Unicode.Scalar>, _ parts: [[Unicode.Scalar]], isWhole: Bool) -> Bool
    {
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

    /// Returns the indices at which a match that begins at the start of a text may end.
    private static func end(of text: ArraySlice<Unicode.Scalar>, _ parts: [[Unicode.Scalar]]) -> [Int] {
        guard let first = parts.first, text.starts(with: first) else { return [] }
        var rest = text.dropFirst(first.count)
        guard parts.count > 1, let last = parts.last else { return [rest.startIndex] }
        for part in parts.dropFirst().dropLast() {
            guard let found = find(part, in: rest) else { return [] }
            rest = rest[(found + part.count)...]
        }
        if last.isEmpty { return Array(rest.startIndex...rest.endIndex) }
        var ends: [Int] = []
        while let found = find(last, in: rest) {
            ends.append(found + last.count)
            rest = rest[(found + 1)...]
        }
        return ends
    }

    private static func find(_ part: [Unicode.Scalar], in text: ArraySlice<Unicode.Scalar>) -> Int? {
        guard let first = part.first else { return text.startIndex }
        var rest = text
        while rest.count >= part.count, let found = rest.firstIndex(of: first) {
            rest = rest[found...]
            if rest.starts(with: part) { return found }
            rest = rest.dropFirst()
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

    /// The indices at which a word may begin or end: also between lower and upper case, and between letters and digits.
    private static func boundaries(_ text: [Unicode.Scalar]) -> [Int] {
        (0...text.count).filter { index in
            guard index > 0, index < text.count else { return true }
            let (left, right) = (text[index - 1], text[index])
            guard isInWord(left), isInWord(right) else { return true }
            return isDigit(left) != isDigit(right)
                || left.properties.isLowercase && right.properties.isUppercase
        }
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

    private static func folded(_ text: String, _ modifiers: Modifiers) -> [Unicode.Scalar] {
        let (ignoresCase, ignoresMarks) = (
            modifiers.contains(.ignoresCase), modifiers.contains(.ignoresDiacritics)
        )
        guard ignoresCase || ignoresMarks else { return Array(text.unicodeScalars) }
        var folded: [Unicode.Scalar] = []
        folded.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                let isCapital = ("A"..."Z").contains(scalar)
                folded.append(ignoresCase && isCapital ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
            } else if ignoresMarks, let letters = LetterFolding.letters(of: scalar) {
                let isCapital = !ignoresCase && scalar.properties.isUppercase
                for letter in letters {
                    if isCapital {
                        folded += letter.properties.uppercaseMapping.unicodeScalars
                    } else {
                        folded.append(letter)
                    }
                }
            } else {
                folded += ignoresCase ? Array(scalar.properties.lowercaseMapping.unicodeScalars) : [scalar]
            }
        }
        return folded
    }
}
