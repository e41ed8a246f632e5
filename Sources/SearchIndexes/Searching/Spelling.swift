internal import GRDB
internal import HunchModel

/// Finds words of the index that are spelled like a typed one.
enum Spelling {
    /// The shortest word that is corrected, in letters.
    private static let shortest = 4
    /// The length from which on two faults are corrected, in letters.
    private static let twoFaults = 8
    /// The most words of the index that are compared.
    private static let compared = 20_000
    /// The most words that are returned.
    private static let limit = 3

    /// Returns the most similar words, the most frequent first; empty if none is similar.
    ///
    /// The first letter must be right, or swapped with the second one.
    static func words(like word: String, _ db: Database) throws -> [String] {
        let letters = word.unicodeScalars.map(\.value)
        guard letters.count >= shortest, !word.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return [] }
        var best = letters.count >= twoFaults ? 2 : 1
        var found: [(word: String, count: Int)] = []
        for first in Set(word.unicodeScalars.prefix(2)) {
            let rows = try Row.fetchCursor(
                db.cachedStatement(
                    sql: "SELECT term, doc FROM spelling WHERE term >= ? AND term < ? LIMIT \(compared)"),
                arguments: [String(first), String(first) + "\u{10FFFF}"])
            while let row = try rows.next() {
                let other: String = row[0]
                guard abs(other.utf8.count - word.utf8.count) <= best * 2,
                    let distance = distance(letters, other, limit: best)
                else { continue }
                if distance < best { found = [] }
                best = distance
                found.append((other, row[1]))
            }
        }
        return found.sorted { $0.count != $1.count ? $0.count > $1.count : $0.word < $1.word }.prefix(limit).map(\.word)
    }

    private static func distance(_ letters: [UInt32], _ other: String, limit: Int) -> Int? {
        let others = other.unicodeScalars.map(\.value)
        return letters.withUnsafeBufferPointer { left in
            others.withUnsafeBufferPointer { EditDistance.between(left, $0, limit: limit) }
        }
    }
}
