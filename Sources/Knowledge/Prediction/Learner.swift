public import FoundationEssentials
internal import HunchModel

/// Learns and predicts what a user does in which circumstances: additive log-odds evidence, online softmax weights.
///
/// Each kind of evidence gives every candidate a log-odds value relative to its overall frequency. The score is the
/// weighted sum of these values. Each event is first predicted and then learned, which adjusts the weights. A
/// prediction's explanation is the terms of its sum. The kinds of evidence are n-grams of the last actions, the longest
/// match with earlier actions, frequency and recency, session starts, the trigger, and the circumstances alone, in
/// pairs and all together. The weights depend on the gate, and those of order also on how many n-gram contexts were
/// seen before. Several models with their own weights learn side by side.
///
/// Bounded: 1,024 actions, the order of the last 4,096, 2,304 contexts of each kind and 6,144 of pairs, 64 actions a
/// context and 8 on average, 8 names of circumstances; see ``byteCount``. The same history gives the same state and the
/// same predictions. To forget something, learn the rest of the history again.
///
/// ```swift
/// var learner = Learner()
/// for donation in history { learner.learn(Action(donation), Circumstances(donation.context), at: donation.date) }
/// let ranked = learner.predict(Circumstances(context), at: now, limit: 5)
/// ```
///
/// Sources: absolute discounting (Ney, Essen, Kneser 1994) for the smoothing, AdaGrad (2011) for the rates.
public struct Learner: Sendable {
    static let sessionGap: Double = 1_800
    static let lengths = 1...4
    static let contextCapacity = 2_304
    /// Three quarters of a power of two: the load at which a hash table doubles.
    static let pairCapacity = 6_144

    var items = ItemTable()
    var mixture: Mixture
    var calibration = Calibration()
    /// Whether earlier actions count as evidence for the next one. If not, successors are not counted.
    let followsSequences: Bool
    /// The successor counts of each context.
    var tables = Self.emptyTables()
    /// The names of circumstances; the index of a name determines its slots.
    var names: [String] = []
    /// The last actions; empty where ``followsSequences`` is false.
    var recent = RecentActions()
    var returns = ReturnCounts()
    /// The occurrences of triggers, for explanations.
    private(set) var occasions = Occasions()
    /// Whether the log is a table: a list of what is done when, in which nothing repeats in the same circumstances.
    /// There, all circumstances together only indicate what will not be done again.
    var isTable = false
    /// The number of the action that the latest session began with.
    private(set) var sessionStart: Int?
    private(set) var lastDate: Date?

    /// Creates a learner that knows nothing.
    ///
    /// - Parameters:
    ///   - followsSequences: Whether earlier actions count as evidence for the next one. Pass `false` if actions are
    ///     days apart, as with directions. Otherwise chance successions are learned as habits.
    ///   - doubtsOrder: Whether actions may arrive out of order, as in a log without dates that is split into events to
    ///     learn and events to predict. Evidence from order must then prove itself first.
    public init(followsSequences: Bool = true, doubtsOrder: Bool = false) {
        self.followsSequences = followsSequences
        mixture = Mixture(followsSequences: followsSequences, doubtsOrder: doubtsOrder || !followsSequences)
    }

    /// The number of known actions.
    public var actionCount: Int { items.count }

    /// Returns how often an action was learned, as far as it is remembered; 0 if it is not known.
    public func count(of action: Action) -> Double {
        items.number(of: HashedAction(action)).map { items.count(of: $0) } ?? 0
    }

    /// Learns an action and moves the weights towards predicting it. Events must come in chronological order.
    ///
    /// - Parameter date: The date of the action; `nil` if only the order is known.
    public mutating func learn(_ action: Action, _ circumstances: Circumstances, at date: Date?) {
        learn([action], circumstances, at: date)
    }

    /// Learns simultaneous actions, none of which led to another. The weights move once for all of them.
    ///
    /// - Parameter date: The date of the actions; `nil` if only the order is known.
    public mutating func learn(_ actions: [Action], _ circumstances: Circumstances, at date: Date?) {
        guard !actions.isEmpty else { return }
        learnNames(of: circumstances)
        let actions = actions.map(HashedAction.init)
        let setting = setting(circumstances, at: date)
        learnWeights(actions, setting)
        learnOrder(actions, setting.gate)
        for action in actions {
            let number = items.use(action, hour: setting.hour)
            for context in setting.contexts { tables[Self.table(of: context.slot)].add(number, to: context.key, items) }
        }
        if let trigger = circumstances.trigger { occasions.note(actions, after: trigger, at: date) }
        lastDate = date ?? lastDate
        if setting.gate == .sessionStart { sessionStart = items.number(of: actions[0]) }
        // Append after all tables are updated: simultaneous actions do not follow one another.
        if followsSequences { recent.append(actions.compactMap { items.number(of: $0) }, items) }
    }

    private mutating func learnNames(of circumstances: Circumstances) {
        guard names.count < EvidenceSlot.maximumNames else { return }
        let new = circumstances.values.keys.filter { !names.contains($0) }.sorted()
        names += new.prefix(EvidenceSlot.maximumNames - names.count)
    }

    /// Counts whether the match predicted the actions, and the rank by recency that each had.
    private mutating func learnOrder(_ actions: [HashedAction], _ gate: Situation.Gate) {
        let numbers = actions.compactMap { items.number(of: $0) }
        recent.learn(numbers, of: actions.count)
        for rank in numbers.compactMap(items.rank) { returns.learn(rank: rank, gate) }
    }

    private mutating func learnWeights(_ actions: [HashedAction], _ setting: Setting) {
        let numbers = actions.compactMap { items.number(of: $0) }
        let count = Double(actions.count)
        let newShare = 1 - Double(numbers.count) / count
        guard items.count > 0 else { return calibration.learn(newShare: newShare) }
        var instance = instance(setting, candidates: nil)
        let scores = mixture.scores(instance)
        instance.take(mixture.mixed(scores))
        guard let first = best(1, of: instance).first else { return calibration.learn(newShare: newShare) }
        calibration.learn(
            said: instance.probabilities[first], rightShare: numbers.contains(instance.items[first]) ? 1 / count : 0,
            newShare: newShare)
        guard !numbers.isEmpty else { return }
        let right = numbers.compactMap { instance.index(of: $0) }
        guard !right.isEmpty else { return }
        mixture.learn(instance, scores, right: right)
    }
}
