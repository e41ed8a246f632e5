internal import HunchModel

/// The words of one length in a segment, in a layout for fast scans.
///
/// For each word: four little-endian bytes with a bit for each letter (by its number modulo 32), one byte with the
/// number of places (at most 255), one byte with its length, and its UTF-8.
package struct Vocabulary {
    /// A word similar to the given one.
    struct Neighbour: Hashable {
        var word: String
        /// The number of letters that were left out, added, replaced or swapped.
        var distance: Int
        /// The number of places with the word; 255 means 255 or more.
        var count: Int
    }

    /// The lengths of words that are corrected, in Unicode scalars. Words with digits are never corrected.
    static let lengths = 3...24

    private var bytes: [UInt8] = []

    package init() {}

    /// Adds a word.
    package mutating func append(_ word: ArraySlice<UInt8>, letters: UInt32, count: Int) {
        for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: letters >> shift)) }
        bytes.append(UInt8(min(count, 255)))
        bytes.append(UInt8(truncatingIfNeeded: word.count))
        bytes.append(contentsOf: word)
    }

    /// The bytes to store.
    package var stored: [UInt8] { bytes }

    /// Returns the set of letters of a word and its number of scalars; `nil` for a word that is not corrected.
    package static func signature(_ word: ArraySlice<UInt8>) -> (letters: UInt32, length: Int)? {
        var letters: UInt32 = 0
        var length = 0
        var value: UInt32 = 0
        func bit(_ value: UInt32) -> UInt32 { 1 << (value & 31) }
        var previous: UInt32?
        for byte in word {
            if byte.isASCIIDigit || byte == 0x23 { return nil }
            if byte & 0xC0 == 0x80 {
                value = value << 6 | UInt32(byte & 0x3F)
                previous = value
                continue
            }
            if let previous { letters |= bit(previous) }
            length += 1
            value = byte < 0x80 ? UInt32(byte) : UInt32(byte & (byte < 0xE0 ? 0x1F : byte < 0xF0 ? 0x0F : 0x07))
            previous = value
        }
        if let previous { letters |= bit(previous) }
        return lengths.contains(length) ? (letters, length) : nil
    }

    /// Calls `body` with each stored word within the tolerance of a pattern.
    static func forEachNeighbour(
        of word: WordPattern, in stored: UnsafeRawBufferPointer, _ body: (Neighbour) -> Void
    ) {
        var index = 0
        while index + 6 <= stored.count {
            let letters =
                UInt32(stored[index]) | UInt32(stored[index + 1]) << 8 | UInt32(stored[index + 2]) << 16
                | UInt32(stored[index + 3]) << 24
            let count = Int(stored[index + 4])
            let end = index + 6 + Int(stored[index + 5])
            guard end <= stored.count else { return }
            // Each difference removes at most one letter and adds at most one. This quick test skips most words.
            if (letters & ~word.letters).nonzeroBitCount <= word.tolerance,
                (word.letters & ~letters).nonzeroBitCount <= word.tolerance
            {
                let candidate = UnsafeRawBufferPointer(rebasing: stored[(index + 6)..<end])
                if let distance = word.distance(to: candidate) {
                    body(Neighbour(word: String(decoding: candidate, as: UTF8.self), distance: distance, count: count))
                }
            }
            index = end
        }
    }
}

/// A pattern for similar words.
struct WordPattern {
    /// The maximum number of differences: one, or two in a long word.
    let tolerance: Int
    let letters: UInt32
    /// The length in Unicode scalars.
    let length: Int
    private let scalars: [UInt32]

    /// Creates a pattern; `nil` for a word that is too short, too long, or has digits.
    init?(_ word: String) {
        guard let signature = Vocabulary.signature(ArraySlice(word.utf8)), signature.length > 3 else { return nil }
        scalars = word.unicodeScalars.map(\.value)
        letters = signature.letters
        length = signature.length
        tolerance = length >= 8 ? 2 : 1
    }

    /// The lengths of words that can be within the tolerance.
    var lengths: ClosedRange<Int> { (length - tolerance)...(length + tolerance) }

    /// Returns whether a word with two differences is another name and not the same one mistyped. Then its first letter is another
    /// one (“Enoshima” and Toshima), or two letters are replaced, at least one of them a consonant (“Ichikawa” and Ichihara).
    func isAnotherName(_ neighbour: Vocabulary.Neighbour) -> Bool {
        let others = neighbour.word.unicodeScalars.map(\.value)
        guard neighbour.distance > 1 else { return false }
        if others.first != scalars.first { return true }
        guard others.count == scalars.count else { return false }
        let replaced = scalars.indices.filter { scalars[$0] != others[$0] }
        // Letters that were swapped or moved are the same ones.
        guard replaced.count == 2, Set(replaced.map { scalars[$0] }) != Set(replaced.map { others[$0] }) else {
            return false
        }
        return replaced.contains { !Self.vowels.contains(scalars[$0]) || !Self.vowels.contains(others[$0]) }
    }

    private static let vowels = Set("aeiouy".unicodeScalars.map(\.value))

    /// Returns the number of omitted, added, replaced or swapped letters of another word; `nil` beyond the tolerance.
    ///
    /// Computes the optimal string alignment distance in a band around the diagonal. In words of fewer than six
    /// letters, the first letter must be right, since it is seldom mistyped.
    func distance(to other: UnsafeRawBufferPointer) -> Int? {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: other.count) { letters in
            var count = 0
            if other.allSatisfy({ $0 < 0x80 }) {
                for byte in other {
                    letters.initializeElement(at: count, to: UInt32(byte))
                    count += 1
                }
            } else {
                for scalar in String(decoding: other, as: UTF8.self).unicodeScalars.prefix(other.count) {
                    letters.initializeElement(at: count, to: scalar.value)
                    count += 1
                }
            }
            guard count > 0, length >= 6 || letters[0] == scalars[0] else { return nil }
            return scalars.withUnsafeBufferPointer {
                EditDistance.between($0, UnsafeBufferPointer(rebasing: letters[..<count]), limit: tolerance)
            }
        }
    }
}
