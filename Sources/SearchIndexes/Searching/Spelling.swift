internal import GRDB
internal import HunchModel

/// Finds words of the index that are spelled like a typed one.
enum Spelling {
    /// The shortest word that is corrected, in letters.
    private static let shortest = 4
    /// The length from which on two faults are corrected, in letters.
    private static let twoFaults = 8
    /// The most words of the index that are compared for one beginning.
    private static let compared = 20_000
    /// The most words that are returned.
    private static let limit = 3

    /// Returns the most similar words, the most frequent first; empty if none is similar.
    ///
    /// The first letter must be right, or swapped with the second one.
    ///
    /// - Parameter count: returns the number of items with a word. Words without any are not returned.
    static func words(like word: String, _ db: Database, _ count: (String) throws -> Double) throws -> [String] {
        let letters = word.unicodeScalars.map(\.value)
        guard letters.count >= shortest, !word.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return [] }
        let (first, second) = (word.unicodeScalars.prefix(1), word.unicodeScalars.dropFirst().prefix(1))
        // Most faults are behind the first two letters. Few words begin with these.
        for beginnings in [[String(first) + String(second)], [String(first), String(second)]] {
            let similar = try similar(to: letters, beginnings: beginnings, db)
            var known: [(word: String, distance: Int, count: Double)] = []
            for (word, distance) in similar where known.last.map({ $0.distance == distance }) ?? true {
                let count = try count(word)
                if count > 0 { known.append((word, distance, count)) }
            }
            guard known.isEmpty else {
                return known.sorted { $0.count != $1.count ? $0.count > $1.count : $0.word < $1.word }
                    .prefix(limit).map(\.word)
            }
        }
        return []
    }

    /// The most similar words that are looked up.
    private static let candidates = 40

    /// Returns similar words, the most similar first.
    private static func similar(
        to letters: [UInt32], beginnings: [String], _ db: Database
    ) throws -> [(word: String, distance: Int)] {
        let faults = letters.count >= twoFaults ? 2 : 1
        var found: [(word: String, distance: Int)] = []
        for beginning in Set(beginnings) {
            let rows = try Row.fetchCursor(
                db.cachedStatement(sql: "SELECT term FROM spelling WHERE term >= ? AND term < ? LIMIT \(compared)"),
                arguments: [beginning, beginning + "\u{10FFFF}"])
            while let row = try rows.next() {
                let other: String = row[0]
                if let distance = distance(letters, other, limit: faults) { found.append((other, distance)) }
            }
        }
        return Array(found.sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }.prefix(candidates))
    }

    private static func distance(_ letters: [UInt32], _ other: String, limit: Int) -> Int? {
        let others = other.unicodeScalars.map(\.value)
        return letters.withUnsafeBufferPointer { left in
            others.withUnsafeBufferPointer { EditDistance.between(left, $0, limit: limit) }
        }
    }
}
