internal import FoundationEssentials
internal import GRDB

/// An expression of FTS5 whose matches have a score.
struct ScoredExpression {
    /// An item's row and how well it fits.
    typealias Ranked = (item: Int64, score: Double)

    /// The most matches whose score is computed, of the newest ones.
    static let limit = 4_000

    private let expression: String
    /// The terms of the phrases in the expression; `nil` for phrases that only select items.
    private let phrases: [(term: Int?, factor: Double)]
    private let terms: [SearchTerm]
    /// Whether the scope is limited to some indexes.
    private let isLimited: Bool

    /// Creates the expression for items with all terms.
    ///
    /// - Parameter preferred: a further term, which an item need not have.
    init(all terms: [SearchTerm], preferring preferred: SearchTerm? = nil, excluded: [SearchTerm], scope: SearchScope) {
        let all = terms.map(\.expression).joined(separator: " AND ")
        if let preferred {
            let expression = "(\(all)) OR (\(all) AND \(preferred.expression))"
            self.init(expression, terms, terms + [preferred], excluded, scope)
        } else {
            self.init(all, [], terms, excluded, scope)
        }
    }

    /// Creates the expression for items with any of the terms, among them at least one of some selecting terms.
    init(any terms: [SearchTerm], selecting: [SearchTerm], excluded: [SearchTerm], scope: SearchScope) {
        let any = terms.map(\.expression).joined(separator: " OR ")
        if selecting.count == terms.count {
            self.init(any, [], terms, excluded, scope)
        } else {
            let some = selecting.map(\.expression).joined(separator: " OR ")
            self.init("(\(some)) AND (\(any))", selecting, terms, excluded, scope)
        }
    }

    private init(
        _ expression: String, _ selecting: [SearchTerm], _ terms: [SearchTerm], _ excluded: [SearchTerm],
        _ scope: SearchScope
    ) {
        self.expression = scope.limiting("(\(expression))" + excluded.map { " NOT " + $0.expression }.joined())
        self.terms = terms
        isLimited = scope.sources != nil
        func silent(_ terms: [SearchTerm]) -> [(Int?, Double)] {
            terms.flatMap { $0.alternatives.map { _ in (nil, 0) } }
        }
        phrases =
            silent(selecting)
            + terms.enumerated().flatMap { number, term in term.alternatives.map { (number, $0.factor) } }
            + silent(excluded) + Array(repeating: (nil, 0), count: scope.phrases)
    }

    /// Returns the newest matches, the best first.
    ///
    /// - Parameters:
    ///   - items: the number of items in the index.
    ///   - limit: the most matches that are compared, of the newest ones.
    func ranked(_ items: Double, limit: Int = Self.limit, _ db: Database) throws -> [Ranked] {
        let weights = phrases.flatMap { phrase -> [Double] in
            guard let term = phrase.term else { return [-1, 0] }
            return [Double(term), terms[term].weight(among: items) * phrase.factor]
        }
        let statement = try db.cachedStatement(
            sql: """
                SELECT rowid, score(word, ?, ?) FROM word WHERE word MATCH ? ORDER BY rowid DESC LIMIT ?
                """)
        let rows = try Row.fetchCursor(
            statement, arguments: [weights.withUnsafeBytes { Data($0) }, isLimited, expression, limit])
        var ranked: [Ranked] = []
        while let row = try rows.next() { ranked.append((row[0], row[1])) }
        return ranked.sorted(by: Self.isBetter)
    }

    /// Returns whether an item comes before another one: it fits better, or was indexed later.
    static func isBetter(_ one: Ranked, _ other: Ranked) -> Bool {
        one.score != other.score ? one.score > other.score : one.item > other.item
    }
}
