public import FoundationEssentials
public import HunchModel
internal import Localization

/// Learns which actions a user takes after which triggers: logging in, arriving somewhere, connecting a device.
///
/// Dismissed and expired suggestions count too. Bounded like ``Learner``, plus the latest donation of each action.
public struct ActionHabits: Sendable {
    /// An action that the user often takes after the same trigger.
    public struct Choice: Hashable, Sendable {
        /// The latest donation of the action.
        public var donation: Donation
        /// The probability that the user wants this action next, 0…1. After n occurrences with this trigger, the
        /// learned probability is scaled by n/(n + 1). It is lower at hours when the action is rare.
        public var likelihood: Double
        /// The reasons why this action ranks above the next likeliest one; at least one.
        public var explanation: Explanation

        /// Creates a choice.
        public init(donation: Donation, likelihood: Double, explanation: Explanation) {
            (self.donation, self.likelihood, self.explanation) = (donation, likelihood, explanation)
        }
    }

    /// The number of recent donations to learn from; they cover several months.
    public static let learnedDonations = 4_000
    /// The number of recent engagements to learn from.
    public static let learnedEngagements = 1_000

    /// The least number of occurrences to suggest something. A single one may be chance.
    private static let leastTimes = 2
    /// The most actions whose latest donation is kept: as many as the learner knows.
    private static let deedLimit = 1_024
    /// The maximum number of bytes of parameters in a donation that is kept. A larger donation is learned but never
    /// suggested.
    private static let parameterLimit = 8_192
    /// The time in seconds within which an action counts as the answer to a trigger.
    private static let momentTime = 1_800.0
    /// The number of ranked actions to consider.
    private static let rankedLimit = 32
    /// The action that represents "the user wanted none of the suggestions".
    private static let nothing = Action(application: "", kind: Donation.Kind(rawValue: ""))

    /// Ignores sequences: the action after one trigger does not predict the action after the next, hours later.
    private var learner = Learner(followsSequences: false)
    private var deeds: [Action: Deed] = [:]
    /// The latest dismissed or expired suggestion, while another action may still follow the same trigger.
    private var latestInVain: Engagement?

    /// Creates habits that know nothing.
    public init() {}

    /// Learns a donation. Donations must come in chronological order.
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

    /// Learns an engagement. A dismissed or expired suggestion means that the user wanted nothing, unless they act
    /// after the same trigger within half an hour. Suggestions that an activity triggered are ignored.
    public mutating func learn(_ engagement: Engagement) {
        let wasInVain = engagement.outcome == .dismissed || engagement.outcome == .expired
        switch engagement.context.trigger {
        case nil, .activity, .appointment: return
        default: guard wasInVain else { return }
        }
        settle(by: .distantFuture)
        latestInVain = engagement
    }

    private static func isSameMoment(_ engagement: Engagement, _ trigger: Trigger?, _ date: Date) -> Bool {
        engagement.context.trigger == trigger && abs(date.timeIntervalSince(engagement.date)) < momentTime
    }

    /// Learns that the user wanted nothing, once the time to act on the trigger has passed.
    private mutating func settle(by date: Date) {
        guard let engagement = latestInVain, abs(date.timeIntervalSince(engagement.date)) >= Self.momentTime else {
            return
        }
        learner.learn(Self.nothing, Self.circumstances(engagement.context), at: engagement.date)
        latestInVain = nil
    }

    /// Returns the learner, after it has learned the unanswered suggestion if its time has passed by `date`.
    private func settled(by date: Date) -> Learner {
        var habits = self
        habits.settle(by: date)
        return habits.learner
    }

    /// Returns the actions that the user took at least twice after this trigger, the likeliest first. Empty when the
    /// context has no trigger.
    ///
    /// - Parameters:
    ///   - context: The current context, with its trigger.
    ///   - deviceName: The user's name for the context's device.
    public func choices(_ context: Context, deviceName: String? = nil, at date: Date) -> [Choice] {
        guard context.trigger != nil else { return [] }
        return choices(context, deviceName: deviceName, at: date) { ranked in
            ranked.evidence.first { $0.source == .trigger }?.share?.count ?? 0
        }
    }

    /// Returns the actions that the user took at least twice, the likeliest in this context first, whether or not
    /// something has just happened.
    ///
    /// - Parameter context: The current context, with its trigger or without.
    public func likely(_ context: Context, at date: Date) -> [Choice] {
        choices(context, at: date) { Int(clamping: learner.count(of: $0.action)) }
    }

    /// - Parameter count: returns the number of occurrences that count for an action.
    private func choices(
        _ context: Context, deviceName: String? = nil, at date: Date, counting count: (RankedAction) -> Int
    ) -> [Choice] {
        let circumstances = Self.circumstances(context)
        let ranked = settled(by: date).predict(circumstances, at: date, limit: Self.rankedLimit)
        return ranked.compactMap { ranked -> Choice? in
            guard let deed = deeds[ranked.action] else { return nil }
            let times = count(ranked)
            guard times >= Self.leastTimes else { return nil }
            let isOfApp = ranked.action.kind == .playMedia
            var explanation = ranked.explanation(
                circumstances, deviceName: deviceName, of: isOfApp ? .application : .action)
            if explanation.reasons.isEmpty {
                explanation.reasons = [
                    .init(
                        isOfApp
                            ? localizedPlural(
                                "you used this app %1 time at such moments",
                                "you used this app %1 times at such moments", times)
                            : localizedPlural(
                                "you did it %1 time at such moments", "you did it %1 times at such moments", times))
                ]
            }
            let confidence = Double(times) / Double(times + 1)
            return Choice(
                donation: deed.latest, likelihood: ranked.probability * confidence * deed.fit(context.hour),
                explanation: explanation)
        }.sorted { $0.likelihood > $1.likelihood }
    }

    /// Returns the probability that the user's next action is of the given kind, 0…1.
    public func likelihood(of kind: Donation.Kind, _ context: Context, at date: Date) -> Double {
        settled(by: date).predict(Self.circumstances(context), at: date, limit: Self.rankedLimit).reduce(0) {
            $0 + ($1.action.kind == kind ? $1.probability : 0)
        }
    }

    /// Returns the latest donation that is equivalent to the given one; `nil` if there is none.
    public func latest(like donation: Donation) -> Donation? { deeds[Self.action(donation)]?.latest }

    /// Returns the circumstances of a context without `session`, which only repeats the trigger.
    private static func circumstances(_ context: Context) -> Circumstances {
        var circumstances = Circumstances(context)
        circumstances.values["session"] = nil
        return circumstances
    }

    /// Returns the action to learn. For playback that is the app alone, because the content is often new.
    private static func action(_ donation: Donation) -> Action {
        donation.kind == .playMedia
            ? Action(application: donation.application, kind: donation.kind) : Action(donation)
    }
}

/// The latest donation of an action, and the hours at which the action occurs.
private struct Deed: Sendable {
    /// The decay factor per occurrence: about the last twenty count.
    private static let decay: Float = 0.95
    /// The initial count of every hour.
    private static let prior = 0.1
    /// The share of three neighbouring hours among the sixteen in which people are awake.
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

    /// Returns the hour's factor for the likelihood, 0…1. It is 1 at hours with at least an even share of the action.
    ///
    /// The learner only sees moments with an action. Only these counts show that there is never one at noon.
    func fit(_ hour: Int?) -> Double {
        guard let hour, (0..<24).contains(hour), !hours.isEmpty else { return 1 }
        let near = [hour + 23, hour, hour + 1].reduce(0) { $0 + Double(hours[$1 % 24]) }
        let all = hours.reduce(0) { $0 + Double($1) }
        return min((near + Self.prior) / (all + Self.prior) / Self.usualShare, 1)
    }
}
