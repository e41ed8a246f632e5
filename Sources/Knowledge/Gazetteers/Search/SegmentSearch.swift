internal import HunchModel

/// Finds places of one segment by words.
struct SegmentSearch {
    /// A place with all words.
    struct Hit {
        var number: Int64
        /// The fit of the words, 0…1.
        var fit: Double
    }

    /// The occurrences of a word's alternatives.
    private struct Word {
        /// The alternatives, best first.
        var parts: [(fit: Double, source: SegmentReader.Source)] = []

        var isComplete: Bool { parts.allSatisfy(\.source.isComplete) }
        var count: Int { parts.reduce(0) { $0 + $1.source.postings.count } }
        private var postings: Postings { parts.reduce(Postings()) { $0.union($1.source.postings) } }
        var ranks: [UInt32] { postings.ranks }

        /// Returns the ranks of the loaded places in which the word has a role.
        func ranks(with role: Postings.Role) -> [UInt32] {
            let postings = postings
            return postings.ranks.indices.filter { postings.roles[$0] == role }.map { postings.ranks[$0] }
        }

        func role(of rank: UInt32) throws -> (role: Postings.Role, fit: Double)? {
            for part in parts {
                if let role = try part.source.role(of: rank) { return (role, part.fit) }
            }
            return nil
        }
    }

    let reader: SegmentReader

    /// Returns the places that have all words of a reading. Those whose whole name may be the words come first, then
    /// the most important.
    ///
    /// - Parameters:
    ///   - circle: the circle in which to search, approximately; `nil` for everywhere.
    ///   - onlyWhole: whether the words have to be a whole name.
    func hits(
        _ reading: SearchTerms.Reading, of terms: SearchTerms, in circle: SearchCircle? = nil, onlyWhole: Bool = false,
        limit: Int
    ) throws -> [Hit] {
        var names: [Word] = []
        for index in reading.name {
            var word = Word()
            for alternative in terms.alternatives[index] {
                let source = try reader.source([alternative.word], isAll: circle != nil)
                if source.postings.count > 0 { word.parts.append((alternative.fit, source)) }
            }
            guard !word.parts.isEmpty else { return [] }
            names.append(word)
        }
        var areas: [Word] = []
        for numbers in reading.areas {
            let source = try reader.source(numbers.map(GazetteerSchema.word(ofArea:)))
            guard source.postings.count > 0 else { return [] }
            areas.append(Word(parts: [(1, source)]))
        }
        let whole = Postings.Role(words: names.count)
        let ranks = try circle.map { try $0.ranks(in: reader) } ?? fewest(names, areas, whole: onlyWhole ? whole : nil)
        var wholes: [Hit] = []
        var others: [Hit] = []
        candidates: for rank in ranks where wholes.count < limit {
            var fit = 1.0
            var isNamed = false
            var mayBeWhole = true
            for name in names {
                guard let found = try name.role(of: rank) else { continue candidates }
                fit *= found.fit
                if found.role != .context { isNamed = true }
                if found.role != whole { mayBeWhole = false }
                if onlyWhole, !mayBeWhole { continue candidates }
            }
            guard isNamed, mayBeWhole || others.count < limit else { continue }
            for area in areas { guard try area.role(of: rank) != nil else { continue candidates } }
            let number = GazetteerSchema.place(segment: reader.segment, rank: rank)
            if mayBeWhole {
                wholes.append(Hit(number: number, fit: fit))
            } else {
                others.append(Hit(number: number, fit: fit))
            }
        }
        return Array((wholes + others).prefix(limit))
    }

    /// Returns the ranks of the places of the rarest word. The caller then looks up each of them for the other words.
    ///
    /// - Parameter whole: the role that the words must have; `nil` for any.
    private func fewest(_ names: [Word], _ areas: [Word], whole: Postings.Role?) -> [UInt32] {
        guard let whole else {
            return ((names + areas).filter(\.isComplete).min { $0.count < $1.count } ?? names[0]).ranks
        }
        return (names.filter(\.isComplete).min { $0.count < $1.count } ?? names[0]).ranks(with: whole)
    }
}
