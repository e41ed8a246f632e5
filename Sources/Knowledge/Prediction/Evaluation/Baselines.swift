/// The baseline methods that the learner has to beat, for one person. Each ranks at most ten actions in constant time.
struct Baselines: Sendable {
    /// Use counts, with the ten most frequent actions; the latest first among equals. The first ten are exact: counts
    /// only grow by one, so an action that dropped out returns when it is used again.
    struct Counts: Sendable {
        private struct Entry: Sendable {
            var item: Int
            var count: Int
        }

        private var counts: [Int: Int] = [:]
        private var best: [Entry] = []

        /// The most frequent actions, the most frequent first.
        var top: [Int] { best.map(\.item) }

        func holds(_ item: Int) -> Bool { counts[item] != nil }

        mutating func use(_ item: Int) {
            let count = counts[item, default: 0] + 1
            counts[item] = count
            if let index = best.firstIndex(where: { $0.item == item }) { best.remove(at: index) }
            // Insert before all with the same count, because this one is the latest.
            best.insert(Entry(item: item, count: count), at: best.firstIndex { $0.count <= count } ?? best.endIndex)
            if best.count > RankCounts.depth { best.removeLast() }
        }
    }

    private var frequencies = Counts()
    private var recent: [Int] = []
    private var successors: [Int: Counts] = [:]
    private var contexts: [Circumstances: Counts] = [:]

    /// Returns whether an action was ever done.
    func knows(_ item: Int) -> Bool { frequencies.holds(item) }
    /// The most frequent actions first, equals by recency.
    var mostFrequent: [Int] { frequencies.top }
    /// The most recent actions first.
    var mostRecent: [Int] { recent }
    /// The most frequent successors of the last action, then the most frequent actions.
    var markov: [Int] { filled(recent.first.flatMap { successors[$0] }) }
    /// Returns the most frequent actions in exactly these circumstances, then the most frequent ones overall.
    func mostFrequent(in circumstances: Circumstances) -> [Int] { filled(contexts[circumstances]) }

    mutating func learn(_ item: Int, _ circumstances: Circumstances) {
        if let last = recent.first { successors[last, default: Counts()].use(item) }
        contexts[circumstances, default: Counts()].use(item)
        frequencies.use(item)
        if let index = recent.firstIndex(of: item) { recent.remove(at: index) }
        recent.insert(item, at: 0)
        if recent.count > RankCounts.depth { recent.removeLast() }
    }

    private func filled(_ counts: Counts?) -> [Int] {
        guard var top = counts?.top else { return mostFrequent }
        for item in mostFrequent where top.count < RankCounts.depth && !top.contains(item) { top.append(item) }
        return top
    }
}
