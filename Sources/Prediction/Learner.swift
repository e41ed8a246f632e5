public import FoundationEssentials

/// Learns what a person does when, and predicts it: additive log-odds evidence with online softmax weights.
///
/// Each kind of evidence gives every candidate a log-odds value against how often it is done at all; the score is their
/// weighted sum, the weights are learned from each event (predicted first, then learned), and a prediction's explanation
/// is the terms of that sum. Bounded: 512 actions, 4,000 contexts a table, 64 actions a context, 8 names of
/// circumstances. The same history gives the same state and the same predictions; to forget something, learn the rest
/// of the history anew.
///
/// ```swift
/// var learner = Learner()
/// for donation in history { learner.learn(Action(donation), Circumstances(donation.context), at: donation.date) }
/// let ranked = learner.predict(Circumstances(context), at: now, limit: 5)
/// ```
///
/// Source of the smoothing: absolute discounting (Ney, Essen, Kneser 1994); of the rates: AdaGrad (2011).
public struct Learner: Sendable {
    static let sessionGap: Double = 1_800
    static let lengths = 1...4
    static let contextCapacity = 4_000
    static let pairCapacity = 8_192

    var items = ItemTable()
    var weights = Weights()
    var sequences = Self.lengths.map { _ in CountTable(capacity: Self.contextCapacity) }
    var recentSequences = (1...2).map { _ in CountTable(capacity: Self.contextCapacity, decay: 0.8) }
    var triggers = CountTable(capacity: Self.contextCapacity)
    var values = CountTable(capacity: Self.contextCapacity)
    var pairs = CountTable(capacity: Self.pairCapacity)
    /// The names of circumstances, each at its place.
    var names: [String] = []
    /// The last actions' numbers, the latest first.
    var recent: [Int] = []
    private var lastDate: Date?

    /// A learner that knows nothing.
    public init() {}

    /// How many actions are known.
    public var actionCount: Int { items.count }

    /// How often an action was learned, as far as it is remembered; 0 when it is not known.
    public func count(of action: Action) -> Double { items.number(of: action).map { items.count(of: $0) } ?? 0 }

    /// Takes in what was done. Events are to be given in the order in which they happened.
    ///
    /// Afterwards the action is known, and the weights have moved towards what would have predicted it.
    public mutating func learn(_ action: Action, _ circumstances: Circumstances, at date: Date) {
        for name in circumstances.values.keys.sorted() where !names.contains(name) {
            if names.count < EvidenceSlot.maximumNames { names.append(name) }
        }
        learnWeights(action, circumstances, at: date)

        var evicted: Set<Int> = []
        let number = items.use(action) { evicted = $0 }
        if !evicted.isEmpty { remove(evicted) }
        for length in Self.lengths {
            guard let key = sequenceKey(length) else { break }
            sequences[length - 1].add(number, to: key)
            if length <= recentSequences.count { recentSequences[length - 1].add(number, to: key) }
        }
        if let trigger = circumstances.trigger { triggers.add(number, to: Self.triggerKey(trigger)) }
        let present = presentValues(circumstances)
        for value in present { values.add(number, to: CountTable.Key(table: value.place, first: value.hash)) }
        for (low, high) in Self.pairs(of: present) {
            pairs.add(
                number,
                to: CountTable.Key(table: low.place, first: low.hash, second: UInt64(high.place), third: high.hash))
        }
        recent.insert(number, at: 0)
        recent = Array(recent.prefix(Self.lengths.upperBound))
        lastDate = date
    }

    private mutating func learnWeights(_ action: Action, _ circumstances: Circumstances, at date: Date) {
        guard let number = items.number(of: action) else { return }
        let moment = moment(circumstances, at: date, candidates: nil)
        guard let index = moment.index(of: number) else { return }
        for column in moment.columns {
            var expected = 0.0
            for candidate in moment.items.indices {
                expected += moment.probabilities[candidate] * column.values[candidate]
            }
            weights.learn(column.slot, moment.gate, gradient: column.values[index] - expected)
        }
    }

    /// Removes items from every table, for their numbers are given out again.
    private mutating func remove(_ gone: Set<Int>) {
        let hashes = Set(gone.map { UInt64($0) })
        for index in sequences.indices {
            sequences[index].remove(gone)
            sequences[index].removeRows { $0.holds(hashes, length: index + 1) }
        }
        for index in recentSequences.indices {
            recentSequences[index].remove(gone)
            recentSequences[index].removeRows { $0.holds(hashes, length: index + 1) }
        }
        triggers.remove(gone)
        values.remove(gone)
        pairs.remove(gone)
        recent.removeAll { gone.contains($0) }
    }

    func gate(_ circumstances: Circumstances, at date: Date) -> Weights.Gate {
        if circumstances.trigger != nil { return .trigger }
        guard let lastDate, abs(date.timeIntervalSince(lastDate)) <= Self.sessionGap else { return .sessionStart }
        return .withinSession
    }
}

extension CountTable.Key {
    /// Whether one of the first values is one of these.
    fileprivate func holds(_ hashes: Set<UInt64>, length: Int) -> Bool {
        [first, second, third, fourth].prefix(length).contains { hashes.contains($0) }
    }
}
