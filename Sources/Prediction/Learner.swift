public import FoundationEssentials
internal import HunchModel

/// Learns what a person does when, and predicts it: additive log-odds evidence with online softmax weights.
///
/// Each kind of evidence gives every candidate a log-odds value against how often it is done at all; the score is their
/// weighted sum, the weights are learned from each event (predicted first, then learned), and a prediction's explanation
/// is the terms of that sum. The evidence is what followed on the last actions, what came next where they were done in the
/// same order before, how often and how lately each was done, what sessions begin with, the trigger, and the circumstances
/// one by one, by pairs and together. The weights depend on how the moment came about, and those of order on how much of
/// the last actions' order was seen before. Several models with weights of their own learn side by side.
///
/// Bounded: 1,024 actions, the order of the last 4,096, 2,304 contexts of each kind and 6,144 of pairs, 64 actions a
/// context and 8 on average, 8 names of circumstances; see ``byteCount``. The same history gives the same state and the
/// same predictions; to forget something, learn the rest of the history anew.
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
    static let contextCapacity = 2_304
    /// Three quarters of a power of two: what a hash table holds before it grows to the double.
    static let pairCapacity = 6_144

    var items = ItemTable()
    var mixture: Mixture
    var calibration = Calibration()
    /// Whether an action may be a reason for the next: where it may not, what followed on what is not counted.
    let followsSequences: Bool
    /// What followed in each context.
    var tables = Self.emptyTables()
    /// The names of circumstances, each at its place.
    var names: [String] = []
    /// Empty where no action may be a reason for the next.
    var recent = RecentActions()
    var returns = ReturnCounts()
    /// Whether what is learned is a table of what is done when. Nothing is done twice in the same circumstances there, so
    /// that all circumstances together only tell what is not done again.
    var isTable = false
    /// The number of the action that the latest session began with.
    private(set) var sessionStart: Int?
    private(set) var lastDate: Date?

    /// A learner that knows nothing.
    ///
    /// - Parameters:
    ///   - followsSequences: whether an action may be a reason for the next. Where it is not, as of ways that a person goes
    ///     days apart, what followed on what would be taken for a habit.
    ///   - doubtsOrder: whether actions may come in another order than they were done in, as those of a log without dates
    ///     that was parted into what is learned and what is predicted. What order tells then has to show first.
    public init(followsSequences: Bool = true, doubtsOrder: Bool = false) {
        self.followsSequences = followsSequences
        mixture = Mixture(followsSequences: followsSequences, doubtsOrder: doubtsOrder || !followsSequences)
    }

    /// How many actions are known.
    public var actionCount: Int { items.count }

    /// How often an action was learned, as far as it is remembered; 0 when it is not known.
    public func count(of action: Action) -> Double {
        items.number(of: HashedAction(action)).map { items.count(of: $0) } ?? 0
    }

    /// Takes in what was done. Events are to be given in the order in which they happened.
    ///
    /// Afterwards the action is known, and the weights have moved towards what would have predicted it.
    ///
    /// - Parameter date: when it was done; `nil` where only the order is known.
    public mutating func learn(_ action: Action, _ circumstances: Circumstances, at date: Date?) {
        learn([action], circumstances, at: date)
    }

    /// Takes in several actions of one moment, none of which was a reason for another.
    ///
    /// Afterwards they are known, and the weights have moved once, towards what would have predicted them.
    ///
    /// - Parameter date: when they were done; `nil` where only the order is known.
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
        lastDate = date ?? lastDate
        if setting.gate == .sessionStart { sessionStart = items.number(of: actions[0]) }
        // Only now: within the moment none followed on another.
        if followsSequences { recent.append(actions.compactMap { items.number(of: $0) }, items) }
    }

    private mutating func learnNames(of circumstances: Circumstances) {
        guard names.count < EvidenceSlot.maximumNames else { return }
        let new = circumstances.values.keys.filter { !names.contains($0) }.sorted()
        names += new.prefix(EvidenceSlot.maximumNames - names.count)
    }

    /// Counts whether the match told what came, and how lately each action was done before.
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
        var moment = moment(setting, candidates: nil)
        let scores = mixture.scores(moment)
        moment.take(mixture.mixed(scores))
        guard let first = best(1, of: moment).first else { return calibration.learn(newShare: newShare) }
        calibration.learn(
            said: moment.probabilities[first], rightShare: numbers.contains(moment.items[first]) ? 1 / count : 0,
            newShare: newShare)
        guard !numbers.isEmpty else { return }
        let right = numbers.compactMap { moment.index(of: $0) }
        guard !right.isEmpty else { return }
        mixture.learn(moment, scores, right: right)
    }
}
