import FoundationEssentials
import GRDB
internal import HunchModel

/// Reads the tables of one segment for one query, with a cache.
final class SegmentReader {
    let segment: Int64
    let db: Database
    private var sources: [String: Source] = [:]

    init(segment: Int64, db: Database) {
        self.segment = segment
        self.db = db
    }

    /// The occurrences of alternative words. At first only the most important places are loaded, the others on demand.
    final class Source {
        private unowned let reader: SegmentReader
        private let words: [String]
        /// The occurrences that were loaded at first, of all words together.
        private(set) var postings = Postings()
        /// Whether all occurrences were read.
        private(set) var isComplete = true
        /// The blocks that were loaded on demand for each word, in ascending order.
        private var blocks: [[(postings: Postings, first: UInt32)]]

        /// - Parameter maximumBlocks: the number of blocks of each word to read at first.
        fileprivate init(_ words: [String], _ reader: SegmentReader, maximumBlocks: Int) throws {
            self.reader = reader
            self.words = words
            blocks = Array(repeating: [], count: words.count)
            for word in words {
                let (read, isAll) = try reader.postings(of: word, maximumBlocks: maximumBlocks)
                if !isAll { isComplete = false }
                postings = postings.union(read)
            }
        }

        /// Returns the role of one of the words in a place; `nil` if the place has none of them.
        func role(of rank: UInt32) throws -> Postings.Role? {
            if let role = postings.role(of: rank) { return role }
            guard !isComplete else { return nil }
            for index in words.indices {
                if let role = try role(of: rank, ofWord: index) { return role }
            }
            return nil
        }

        private func role(of rank: UInt32, ofWord index: Int) throws -> Postings.Role? {
            var (low, high) = (0, blocks[index].count)
            while low < high {
                let middle = (low + high) / 2
                if blocks[index][middle].first <= rank { low = middle + 1 } else { high = middle }
            }
            if low > 0, rank <= blocks[index][low - 1].postings.ranks.last ?? 0 {
                return blocks[index][low - 1].postings.role(of: rank)
            }
            guard let read = try reader.block(of: words[index], holding: rank) else { return nil }
            // The previous block may be the one that was read again.
            if low == 0 || blocks[index][low - 1].first != read.1 { blocks[index].insert(read, at: low) }
            return read.0.role(of: rank)
        }
    }

    /// Returns the occurrences of any of some words.
    ///
    /// - Parameter isAll: whether to read everything at once instead of only the most important places.
    func source(_ words: [String], isAll: Bool = false) throws -> Source {
        let key = words.joined(separator: " ")
        if let known = sources[key], known.isComplete || !isAll { return known }
        let source = try Source(words, self, maximumBlocks: isAll ? 512 : 8)
        sources[key] = source
        return source
    }

    private func postings(of word: String, maximumBlocks: Int) throws -> (Postings, isAll: Bool) {
        let statement = try db.cachedStatement(
            sql: "SELECT first, entries FROM posting WHERE segment = ? AND word = ? ORDER BY first LIMIT ?")
        let rows = try Row.fetchCursor(statement, arguments: [segment, word, maximumBlocks + 1])
        var postings = Postings()
        var count = 0
        while let row = try rows.next() {
            guard count < maximumBlocks else { return (postings, false) }
            try append(row, to: &postings)
            count += 1
        }
        return (postings, true)
    }

    private func block(of word: String, holding rank: UInt32) throws -> (Postings, UInt32)? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT first, entries FROM posting WHERE segment = ? AND word = ? AND first <= ? ORDER BY first DESC LIMIT 1
                """)
        guard let row = try Row.fetchOne(statement, arguments: [segment, word, Int64(rank)]) else { return nil }
        var postings = Postings()
        try append(row, to: &postings)
        return (postings, row[0])
    }

    private func append(_ row: Row, to postings: inout Postings) throws {
        let first: UInt32 = row[0]
        let isWhole = try row.withUnsafeData(atIndex: 1) { data in
            data?.withUnsafeBytes { postings.append(block: $0, first: first) } ?? false
        }
        guard isWhole else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a block of postings is corrupt")
        }
    }

    /// Returns the words that begin with a text, the most frequent first.
    func words(beginningWith start: String, limit: Int) throws -> [String] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT word FROM posting WHERE segment = ? AND word >= ? AND word < ? GROUP BY word
                ORDER BY sum(length(entries)) DESC LIMIT ?
                """)
        return try String.fetchAll(statement, arguments: [segment, start, start + "\u{10FFFF}", limit])
    }

    /// Returns whether any place has a word.
    func has(_ word: String) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM posting WHERE segment = ? AND word = ? LIMIT 1")
        return try Row.fetchOne(statement, arguments: [segment, word]) != nil
    }

    /// Returns the words that are similar to a word.
    func neighbours(of word: WordPattern) throws -> [Vocabulary.Neighbour] {
        let statement = try db.cachedStatement(
            sql: "SELECT words FROM vocabulary WHERE segment = ? AND length BETWEEN ? AND ?")
        var found: [Vocabulary.Neighbour] = []
        let rows = try Row.fetchCursor(
            statement, arguments: [segment, word.lengths.lowerBound, word.lengths.upperBound])
        while let row = try rows.next() {
            try row.withUnsafeData(atIndex: 0) { data in
                data?.withUnsafeBytes { Vocabulary.forEachNeighbour(of: word, in: $0) { found.append($0) } }
            }
        }
        return found
    }

    /// Calls `body` with the places or houses in ranges of cells.
    func forEach(
        _ layer: CellBlock.Layer, in ranges: [ClosedRange<Int64>], _ body: (CellBlock.Entry) -> Void
    ) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT entries FROM cells WHERE segment = ?1 AND layer = ?2 AND first <= ?4 AND first >= ifnull(
                    (SELECT max(first) FROM cells WHERE segment = ?1 AND layer = ?2 AND first <= ?3), ?3)
                """)
        for range in ranges {
            let rows = try Row.fetchCursor(
                statement, arguments: [segment, layer.rawValue, range.lowerBound, range.upperBound])
            while let row = try rows.next() {
                try row.withUnsafeData(atIndex: 0) { data in
                    data?.withUnsafeBytes { CellBlock.forEach(in: $0, cells: range, body) }
                }
            }
        }
    }

    /// Returns the houses of a street.
    func houses(ofStreet number: Int64) throws -> [HouseList.House] {
        let statement = try db.cachedStatement(sql: "SELECT entries FROM houses WHERE street = ?")
        guard let row = try Row.fetchOne(statement, arguments: [number]) else { return [] }
        return try row.withUnsafeData(atIndex: 0) { data in
            data?.withUnsafeBytes { HouseList.houses(in: $0) } ?? []
        }
    }
}
