internal import GRDB
internal import HunchModel

/// Finds words of the index that are spelled like a typed one, or that contain such a word at their beginning or end.
enum Spelling {
    /// The shortest word that is corrected, and the shortest one that is also compared with parts of words, in letters.
    private static let (shortest, shortestPart) = (4, 5)
    /// The length from which on two faults are corrected, in letters.
    private static let twoFaults = 8
    /// The most words of the index that are compared for one beginning.
    private static let compared = 20_000
    /// The most words that are returned, and the most of them that only contain such a word.
    private static let (limit, partLimit) = (3, 8)
    /// The most similar words that are looked up.
    private static let candidates = 40

    /// A word of the index that replaces a typed one.
    struct Correction {
        let word: String
        let distance: Int
        /// Whether only a part of it is spelled like the typed word.
        let isPart: Bool
    }

    /// Returns the most similar words, whole ones first, then the most frequent; empty if none is similar.
    ///
    /// The first letter must be right, or swapped with the second one; of a last part, the last letter.
    ///
    /// - Parameter count: returns the number of items with a word. Words without any are not returned.
    static func words(
        like word: String, _ db: Database, _ count: (String) throws -> Double
    ) throws -> [Correction] {
        let letters = word.unicodeScalars.map(\.value)
        guard letters.count >= shortest, !word.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return [] }
        // Most faults are behind the first two letters. Few words begin with these.
        for beginnings in beginnings(of: word) {
            let known = try best(similar(to: letters, beginnings, Self.words, db), count)
            guard known.isEmpty else { return known }
        }
        guard letters.count >= shortestPart, try WordEndings.exists(db) else { return [] }
        let reversed = String(word.reversed())
        for ends in beginnings(of: reversed) {
            let similar = try similar(to: letters.reversed(), ends, Self.endings, db)
            let known = try best(
                similar.map { Correction(word: String($0.word.reversed()), distance: $0.distance, isPart: true) }
                    .filter { Compounds.isCompound($0.word, end: letters.count) }, count)
            guard known.isEmpty else { return known }
        }
        return []
    }

    /// The words of the index from one text to another, and the same for words spelled backwards.
    private static let (words, endings) = (
        "SELECT term FROM spelling WHERE term >= ? AND term < ? LIMIT \(compared)",
        "SELECT word FROM ending WHERE word >= ? AND word < ? LIMIT \(compared)"
    )

    /// Returns the beginnings of words that may be like a word: its first two letters, then each of them.
    private static func beginnings(of word: String) -> [Set<String>] {
        let (first, second) = (word.unicodeScalars.prefix(1), word.unicodeScalars.dropFirst().prefix(1))
        return [[String(first) + String(second)], [String(first), String(second)]]
    }

    /// Returns those that some items have and that are not less similar than others.
    private static func best(_ similar: [Correction], _ count: (String) throws -> Double) throws -> [Correction] {
        var known: [(correction: Correction, count: Double)] = []
        var distances: [Bool: Int] = [:]
        for correction in similar {
            let distance = distances[correction.isPart] ?? distances[false] ?? correction.distance
            guard correction.distance <= distance else { continue }
            let count = try count(correction.word)
            guard count > 0 else { continue }
            distances[correction.isPart] = correction.distance
            known.append((correction, count))
        }
        known.sort { one, other in
            one.count != other.count ? one.count > other.count : one.correction.word < other.correction.word
        }
        let sorted = known.map(\.correction)
        return Array(sorted.filter { !$0.isPart }.prefix(limit)) + sorted.filter(\.isPart).prefix(partLimit)
    }

    /// Returns similar words, the most similar first.
    private static func similar(
        to letters: [UInt32], _ beginnings: Set<String>, _ sql: String, _ db: Database
    ) throws -> [Correction] {
        let faults = letters.count >= twoFaults ? 2 : 1
        var found: [Correction] = []
        for beginning in beginnings {
            let rows = try String.fetchCursor(
                db.cachedStatement(sql: sql), arguments: [beginning, beginning + "\u{10FFFF}"])
            while let other = try rows.next() {
                if let correction = correction(letters, other, limit: faults) { found.append(correction) }
            }
        }
        found.sort { ($0.distance, $0.isPart ? 1 : 0, $0.word) < ($1.distance, $1.isPart ? 1 : 0, $1.word) }
        return Array(found.prefix(candidates))
    }

    private static func correction(_ letters: [UInt32], _ word: String, limit: Int) -> Correction? {
        let others = word.unicodeScalars.map(\.value)
        return letters.withUnsafeBufferPointer { left in
            others.withUnsafeBufferPointer { right in
                if let distance = EditDistance.between(left, right, limit: limit) {
                    return Correction(word: word, distance: distance, isPart: false)
                }
                guard letters.count >= shortestPart, others.count > letters.count else { return nil }
                let distances = (letters.count - 1...letters.count + 1).compactMap { length in
                    EditDistance.between(left, UnsafeBufferPointer(rebasing: right[..<length]), limit: limit)
                }
                return distances.min().map { Correction(word: word, distance: $0, isPart: true) }
            }
        }
    }
}
