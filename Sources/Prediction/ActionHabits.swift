public import FoundationEssentials
public import HunchModel

/// What a person does at which moments, of every kind: after coming to the computer, arriving somewhere, connecting a
/// device. Learned from what was donated, and from what was offered in vain.
///
/// Bounded as ``Learner`` is, with the latest donation of each action beside it.
public struct ActionHabits: Sendable {
    /// Something that is done at such moments.
    public struct Choice: Hashable, Sendable {
        /// The latest donation of it.
        public var donation: Donation
        /// How likely it is what the person wants next, 0…1. After n times at such moments, what was learned counts
        /// n/(n + 1), and less at an hour at which it is not done.
        public var likelihood: Double
        /// Why this rather than the next likeliest; at least one reason.
        public var explanation: Explanation
    }

    /// How many of the latest donations say enough: those of months.
    public static let learnedDonations = 4_000
    /// How many of the latest engagements say enough.
    public static let learnedEngagements = 1_000

    /// Once may be by chance.
    private static let leastTimes = 2
    /// Of which the latest donation is kept: as many as the learner knows, and as many again before the others go.
    private static let deedLimit = 1_024
    /// The most bytes of parameters of a donation that is kept; what has more is learned and never offered.
    private static let parameterLimit = 8_192
    /// How long a moment lasts, in seconds: what is done by then was wanted at it.
    private static let momentTime = 1_800.0
    /// How many actions are looked at.
    private static let rankedLimit = 32
    /// What the person does when nothing of what was offered is wanted.
    private static let nothing = Action(application: "", kind: Donation.Kind(rawValue: ""))

    /// What is done at one moment is no reason for what is done at the next, hours later.
    private var learner = Learner(followsSequences: false)
    private var deeds: [Action: Deed] = [:]
    /// The latest offer in vain, as long as something else may be done at its moment.
    private var latestInVain: Engagement?

    /// Habits of which nothing is known.
    public init() {}

    /// Takes in what was done, in the order in which it was.
    public mutating func learn(_ donation: Donation) {
        if let latestInVain, Self.isSameMoment(latestInVain, donation.context.trigger, donation.date) {
            self.latestInVain = nil
        }
        settle(by: donation.date)
        let action = Self.action(donation)
        learner.learn(action, Self.circumstances(donation.context), at: donation.date)
        let size = donation.parameters.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        guard size <= Self.parameterLimit else { return }
        deeds[action, default: Deed(latest: donation)].add(donation)
        if deeds.count > Self.deedLimit { deeds = deeds.filter { learner.count(of: $0.key) > 0 } }
    }

    /// Takes in what became of an offer: one that was turned down or left says that nothing was wanted then, unless it came
    /// of what was on the screen, or something else is done at the same moment.
    public mutating func learn(_ engagement: Engagement) {
        let wasInVain = engagement.outcome == .dismissed || engagement.outcome == .expired
        switch engagement.context.trigger {
        case nil, .activity: return
        default: guard wasInVain else { return }
        }
        settle(by: .distantFuture)
        latestInVain = engagement
    }

    private static func isSameMoment(_ engagement: Engagement, _ trigger: Trigger?, _ date: Date) -> Bool {
        engagement.context.trigger == trigger && abs(date.timeIntervalSince(engagement.date)) < momentTime
    }

    /// Learns that nothing was wanted at a moment that is over.
    private mutating func settle(by date: Date) {
        guard let engagement = latestInVain, abs(date.timeIntervalSince(engagement.date)) >= Self.momentTime else {
            return
        }
        learner.learn(Self.nothing, Self.circumstances(engagement.context), at: engagement.date)
        latestInVain = nil
    }

    /// What is known once the moments that are over by a date were learned.
    private func settled(by date: Date) -> Learner {
        var habits = self
        habits.settle(by: date)
        return habits.learner
    }

    /// What is done at moments like this one, the likeliest first; nothing where nothing happened just before. It was done
    /// twice at least at such moments.
    ///
    /// - Parameters:
    ///   - context: now, with its trigger.
    ///   - deviceName: what the person calls the context's device.
    public func choices(_ context: Context, deviceName: String? = nil, at date: Date) -> [Choice] {
        guard context.trigger != nil else { return [] }
        let circumstances = Self.circumstances(context)
        let ranked = settled(by: date).predict(circumstances, at: date, limit: Self.rankedLimit)
        return ranked.compactMap { ranked -> Choice? in
            guard let deed = deeds[ranked.action] else { return nil }
            let times = ranked.evidence.first { $0.source == .trigger }?.share?.count ?? 0
            guard times >= Self.leastTimes else { return nil }
            let isOfApp = ranked.action.kind == .playMedia
            var explanation = ranked.explanation(
                circumstances, deviceName: deviceName, of: isOfApp ? .application : .action)
            if explanation.reasons.isEmpty {
                explanation.reasons = [
                    isOfApp
                        ? "you used this app \(times) times at such moments"
                        : "you did it \(times) times at such moments"
                ]
            }
            let confidence = Double(times) / Double(times + 1)
            return Choice(
                donation: deed.latest, likelihood: ranked.probability * confidence * deed.fit(context.hour),
                explanation: explanation)
        }.sorted { $0.likelihood > $1.likelihood }
    }

    /// How likely it is that what the person wants next is of a kind, 0…1.
    public func likelihood(of kind: Donation.Kind, _ context: Context, at date: Date) -> Double {
        settled(by: date).predict(Self.circumstances(context), at: date, limit: Self.rankedLimit).reduce(0) {
            $0 + ($1.action.kind == kind ? $1.probability : 0)
        }
    }

    /// The latest donation that is equivalent to one; `nil` when none is known.
    public func latest(like donation: Donation) -> Donation? { deeds[Self.action(donation)]?.latest }

    /// That the person just came to the computer is a trigger already.
    private static func circumstances(_ context: Context) -> Circumstances {
        var circumstances = Circumstances(context)
        circumstances.values["session"] = nil
        return circumstances
    }

    /// What is learned of a donation: of a play the app alone, since what it plays is new every day.
    private static func action(_ donation: Donation) -> Action {
        donation.kind == .playMedia
            ? Action(application: donation.application, kind: donation.kind) : Action(donation)
    }
}

/// When something was done, and what it was the last time.
private struct Deed: Sendable {
    /// What each time is worth after the next one: some twenty count.
    private static let decay: Float = 0.95
    /// What there is of every hour before anything is known.
    private static let prior = 0.1
    /// The hour itself with the one before and the one after, of the sixteen in which people are awake.
    private static let usualShare = 3.0 / 16

    var latest: Donation
    private var hours: [Float] = []

    init(latest: Donation) { self.latest = latest }

    mutating func add(_ donation: Donation) {
        latest = donation
        guard let hour = donation.context.hour, (0..<24).contains(hour) else { return }
        if hours.isEmpty { hours = Array(repeating: 0, count: 24) }
        for index in hours.indices { hours[index] *= Self.decay }
        hours[hour] += 1
    }

    /// How well an hour goes with it, 0…1: 1 when it is done then as often as if it were done at any hour.
    ///
    /// The learner only knows moments at which something was done: that nothing is ever done at noon, only the hours tell.
    func fit(_ hour: Int?) -> Double {
        guard let hour, (0..<24).contains(hour), !hours.isEmpty else { return 1 }
        let near = [hour + 23, hour, hour + 1].reduce(0) { $0 + Double(hours[$1 % 24]) }
        let all = hours.reduce(0) { $0 + Double($1) }
        return min((near + Self.prior) / (all + Self.prior) / Self.usualShare, 1)
    }
}
