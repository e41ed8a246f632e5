package import GRDB
internal import GRDBSQLite
internal import HunchModel

/// The auxiliary function `score(word, weights, isLimited)` of FTS5: how well an item fits typed words, by BM25F.
///
/// The weights are pairs of numbers for each phrase of the query: the number of the typed word that it stands for, and its
/// weight; 0 for a phrase that only selects items. Of several phrases for one word, such as a stem and a beginning, the best
/// counts. If the search is limited to some items, the lengths of other items do not count.
///
/// Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009, section 3.5.
package enum ScoreFunction {
    /// The weight of an occurrence in each column of `word`, how much the column's length counts (0…1), and the largest
    /// average length in words: a few very long texts must not make all others count as short.
    private static let columns: [(weight: Double, length: Double, longest: Double)] = [
        (2, 0.5, 12), (1.5, 0.5, 32), (1, 0.75, 256), (2, 0.5, 48),
    ]
    /// The part of the average below which texts count as equally short, and above which titles count as equally long, so that
    /// a title outweighs the shortest text.
    private static let (shortest, longestTitle) = (0.45, 1.25)
    /// The number of occurrences from which on more of them count little.
    private static let saturation = 1.6

    /// The words of a search, and how they fit an item.
    ///
    /// Searches of few words mostly want an item by its title. Measured with titles of four collections of Debian's
    /// documentation, the mean reciprocal rank of the item grows from .69 to .89 by these factors; the nDCG@10 of subjects
    /// stays.
    private struct WordTally {
        /// The most words of a search for which the factors hold.
        private static let fewWords = 3
        /// The factor if the title has all words, and if it has no others.
        private static let (titled, exact) = (1.5, 1.25)
        /// The part that an item without some of the words loses at most.
        private static let missing = 0.25

        private var (sum, weight, matchedWeight) = (0.0, 0.0, 0.0)
        private var (words, titleWords) = (0, 0)

        /// Adds a word with its contribution to the score.
        mutating func add(_ contribution: Double, of wordWeight: Double, _ isInTitle: Bool) {
            // There is none before the first phrase.
            guard wordWeight > 0 else { return }
            sum += contribution
            weight += wordWeight
            if contribution > 0 { matchedWeight += wordWeight }
            words += 1
            if isInTitle { titleWords += 1 }
        }

        func score(titleLength: Double) -> Double {
            guard (1...Self.fewWords).contains(words) else { return sum }
            var score = sum * (1 - Self.missing * (1 - matchedWeight / weight))
            if titleWords == words { score *= titleLength <= Double(words) ? Self.titled * Self.exact : Self.titled }
            return score
        }
    }

    package static func add(to db: Database) {
        let api = UnsafeMutablePointer(mutating: FTS5.api(db))
        _ = api.pointee.xCreateFunction(api, "score", nil, score, nil)
        _ = api.pointee.xCreateFunction(api, "item_count", nil, itemCount, nil)
    }

    /// The auxiliary function `item_count(word)` of FTS5: the number of all items.
    private static let itemCount: fts5_extension_function = { api, fts, context, _, _ in
        var rows: Int64 = 0
        _ = api?.pointee.xRowCount(fts, &rows)
        sqlite3_result_int64(context, rows)
    }

    private static let score: fts5_extension_function = { api, fts, context, count, values in
        guard let api = api?.pointee, count == 2, let blob = sqlite3_value_blob(values?[0]) else {
            return sqlite3_result_error(context, "score needs weights and a flag", -1)
        }
        let size = Int(sqlite3_value_bytes(values?[0])) / MemoryLayout<Double>.stride
        let weights = UnsafeBufferPointer(start: blob.assumingMemoryBound(to: Double.self), count: size)
        let phrases = Int(api.xPhraseCount(fts))
        guard phrases * 2 == size else { return sqlite3_result_error(context, "score needs two numbers a phrase", -1) }
        let isLimited = sqlite3_value_int(values?[1]) != 0
        var rows: Int64 = 0
        guard api.xRowCount(fts, &rows) == SQLITE_OK else { return sqlite3_result_double(context, 0) }
        let lengths = ItemLengths(row: api.xRowid(fts))
        // The weight of one occurrence by column, in the proportion of the column's length to the average; 0: unknown.
        var factors = (0.0, 0.0, 0.0, 0.0)
        let score = withUnsafeMutableBytes(of: &factors) { raw -> Double? in
            let factors = raw.assumingMemoryBound(to: Double.self)
            var tally = WordTally()
            // Phrases of one word are adjacent.
            var (word, best, wordWeight, isInTitle) = (-1.0, 0.0, 0.0, false)
            for phrase in 0..<phrases where weights[2 * phrase + 1] > 0 {
                if weights[2 * phrase] != word {
                    tally.add(best, of: wordWeight, isInTitle)
                    (word, best, wordWeight, isInTitle) = (weights[2 * phrase], 0, 0, false)
                }
                wordWeight = max(wordWeight, weights[2 * phrase + 1])
                var count = 0.0
                var instance = Fts5PhraseIter()
                var (column, offset): (CInt, CInt) = (-1, 0)
                guard api.xPhraseFirst(fts, CInt(phrase), &instance, &column, &offset) == SQLITE_OK else { continue }
                while column >= 0 {
                    let index = Int(column)
                    // FTS5 does not check it, so that a damaged file may contain any number.
                    guard index < columns.count else { return nil }
                    if factors[index] == 0 {
                        let words =
                            switch column {
                            case 0: lengths.title
                            case 1: lengths.names
                            case 2: lengths.text
                            default: lengths.title + lengths.names
                            }
                        var total: Int64 = 0
                        _ = api.xColumnTotalSize(fts, column, &total)
                        let (weight, part, longest) = columns[index]
                        let average =
                            isLimited ? longest / 4 : min(max(Double(total) / Double(max(rows, 1)), 1), longest)
                        let length = max(
                            shortest, min(words / average, weight > 1 ? longestTitle : .infinity))
                        factors[index] = weight / (1 - part + part * length)
                    }
                    count += factors[index]
                    // The beginnings of the title's words follow one or two marks, and those of names follow them.
                    let isTitle = column == 0 || column == 3 && Double(offset) < 2 + lengths.title
                    // A compound of the word does not make it the item's title.
                    if isTitle, 2 * weights[2 * phrase + 1] >= wordWeight { isInTitle = true }
                    api.xPhraseNext(fts, &instance, &column, &offset)
                }
                best = max(best, weights[2 * phrase + 1] * count / (saturation + count))
            }
            tally.add(best, of: wordWeight, isInTitle)
            return tally.score(titleLength: lengths.title)
        }
        if let score {
            sqlite3_result_double(context, score)
        } else {
            sqlite3_result_error_code(context, SQLITE_CORRUPT)
        }
    }
}
