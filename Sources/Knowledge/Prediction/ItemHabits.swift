public import FoundationEssentials
public import HunchModel
internal import Localization

/// Learns which items of an app a user returns to, and when: a playlist with headphones, the news on the speaker.
///
/// A return means that an item plays again after another item of its app. Where every item is new, as with episodes,
/// there is nothing to suggest. Only the first item of a sitting counts, because the app mostly chooses what follows
/// within half an hour on the same device. Bounded like ``Learner``, plus the latest donations of 512 items and the
/// last 16 first items of each of 256 pairs of app and trigger.
public struct ItemHabits: Sendable {
    /// The usual item of an app after a trigger.
    public struct Choice: Hashable, Sendable {
        /// The latest donation of the item.
        public var donation: Donation
        /// The probability of this item, given that the user wants its app, from 0.5 to below 1.
        public var share: Double
        /// The reasons why this item ranks above the likeliest other one of its app. The trigger's count comes first.
        public var explanation: Explanation
    }

    /// The number of recent plays to learn from.
    public static let learnedPlays = 2_000

    /// The least number of occurrences to suggest something. A single one may be chance.
    private static let leastTimes = 2
    private static let leastReturns = 2
    /// The least share of a usual item: at least as likely as everything else of its app together.
    private static let leastShare = 0.5
    /// The time in seconds after a play within which a play of the same app on the same device continues the sitting.
    private static let sitting = 1_800.0
    private static let beginningLimit = 16
    private static let placeLimit = 256
    private static let itemLimit = 512
    /// The maximum number of bytes of parameters. A play with more is not learned.
    private static let parameterLimit = 8_192

    /// The play counts of an item.
    private struct Item: Sendable {
        /// The number of plays.
        var count = 0
        /// The number of plays after another item of its app.
        var returns = 0
        /// The clock value of the last play.
        var last = 0
    }

    /// An app and a trigger.
    private struct Place: Hashable, Sendable {
        let application: AppID
        let trigger: Trigger
    }

    /// The first items of an app's sittings after a trigger, the latest last.
    private struct Beginnings: Sendable {
        var actions: [Action] = []
        var last = 0
    }

    /// The last play of an app.
    private struct Play: Sendable {
        var action: Action
        var donation: Donation
        var last = 0
    }

    /// Ignores sequences: sittings may be days apart, so one does not predict the next.
    private var learner = Learner(followsSequences: false)
    private var items: [Action: Item] = [:]
    /// The latest donations of items that were played more than once. Items with a single play are never suggested.
    private var latest: [Action: Donation] = [:]
    private var beginnings: [Place: Beginnings] = [:]
    private var plays: [AppID: Play] = [:]
    /// The number of plays so far.
    private var clock = 0

    /// Creates habits that know nothing.
    public init() {}

    /// Learns a play. Plays must come in chronological order. Other donations are ignored.
    public mutating func learn(_ donation: Donation) {
        guard donation.kind == .playMedia,
            donation.parameters.reduce(0, { $0 + $1.key.utf8.count + $1.value.utf8.count }) <= Self.parameterLimit
        else { return }
        clock += 1
        let action = Action(donation)
        let former = plays[donation.application]
        note(donation, as: action, after: former)
        plays[donation.application] = Play(action: action, donation: donation, last: clock)
        Self.bound(&plays, Self.placeLimit, \.last)
        guard isBeginning(donation, action, after: former) else { return }
        learner.learn(action, Circumstances(donation.context), at: donation.date)
        let ready = donation.context.device.map(Trigger.device)
        for trigger in Set([donation.context.trigger, ready].compactMap(\.self)) {
            let place = Place(application: donation.application, trigger: trigger)
            beginnings[place, default: Beginnings()].actions.append(action)
            if beginnings[place]?.actions.count ?? 0 > Self.beginningLimit { beginnings[place]?.actions.removeFirst() }
            beginnings[place]?.last = clock
        }
        Self.bound(&beginnings, Self.placeLimit, \.last)
    }

    private mutating func note(_ donation: Donation, as action: Action, after former: Play?) {
        var item = items[action] ?? Item()
        if item.count > 0 {
            latest[action] = donation
            if let former, former.action != action { item.returns += 1 }
        }
        item.count += 1
        item.last = clock
        items[action] = item
        guard items.count > Self.itemLimit else { return }
        Self.bound(&items, Self.itemLimit, \.last)
        latest = latest.filter { items[$0.key] != nil }
    }

    private func isBeginning(_ donation: Donation, _ action: Action, after former: Play?) -> Bool {
        guard let former, former.action != action, former.donation.context.device == donation.context.device else {
            return true
        }
        return !(0...Self.sitting).contains(donation.date.timeIntervalSince(former.donation.date))
    }

    /// Drops the least recently used half of a table that is too large.
    private static func bound<Key, Value>(_ table: inout [Key: Value], _ limit: Int, _ last: KeyPath<Value, Int>) {
        guard table.count > limit else { return }
        let oldest = table.values.map { $0[keyPath: last] }.sorted()[table.count / 2]
        table = table.filter { $0.value[keyPath: last] >= oldest }
    }

    /// Returns the usual item of each app after this trigger, by app. Empty if there is no trigger. A usual item came
    /// first after this trigger at least twice and has at least two returns. It is at least as likely as all other
    /// items of the app together, new ones included.
    ///
    /// - Parameters:
    ///   - context: The current context, with its trigger.
    ///   - deviceName: The user's name for the context's device.
    public func choices(_ context: Context, deviceName: String? = nil, at date: Date) -> [AppID: Choice] {
        guard let trigger = context.trigger else { return [:] }
        let circumstances = Circumstances(context)
        var choices: [AppID: Choice] = [:]
        for (place, beginnings) in beginnings where place.trigger == trigger {
            choices[place.application] = choice(of: beginnings.actions, circumstances, deviceName, at: date)
        }
        return choices
    }

    private func choice(
        of begun: [Action], _ circumstances: Circumstances, _ deviceName: String?, at date: Date
    ) -> Choice? {
        let known = Set(begun).filter { items[$0] != nil && learner.count(of: $0) > 0 }
        guard
            let best = learner.predict(circumstances, at: date, among: Array(known).sorted(by: isLater), limit: 1)
                .first,
            let item = items[best.action], item.returns >= Self.leastReturns, let donation = latest[best.action]
        else { return nil }
        let times = begun.count { $0 == best.action }
        // The probability of a new item: the share of first items that were played only once (Good, 1953), smoothed.
        let single = Double(begun.count { items[$0]?.count ?? 1 == 1 })
        let new = (single + 0.5) / (Double(begun.count) + 1)
        let share = best.probability * (1 - new)
        guard times >= Self.leastTimes, share >= Self.leastShare else { return nil }
        return Choice(
            donation: donation, share: share,
            explanation: explanation(of: best, among: known, times: times, circumstances, deviceName, at: date))
    }

    /// - Parameter known: The first items after this trigger.
    private func explanation(
        of best: RankedAction, among known: Set<Action>, times: Int, _ circumstances: Circumstances,
        _ deviceName: String?, at date: Date
    ) -> Explanation {
        var compared = best
        if known.count < 2 {
            // Nothing else was played after this trigger. Compare with items that were played elsewhere.
            let others = items.keys.filter { $0.application == best.action.application && learner.count(of: $0) > 0 }
            let first = learner.predict(circumstances, at: date, among: others.sorted(by: isLater), limit: 1).first
            if let first, first.action == best.action { compared = first }
        }
        var explanation = compared.explanation(circumstances, deviceName: deviceName)
        // The trigger may not distinguish this item from the others, but it is a reason for suggesting now.
        let contextReason =
            compared.contextReason(circumstances, deviceName: deviceName)
            ?? .init(
                localizedPlural(
                    "you played it %1 time at such moments", "you played it %1 times at such moments", times))
        if !explanation.texts.contains(contextReason.text) { explanation.reasons.append(contextReason) }
        return explanation
    }

    /// Returns whether one item was played later than another. This makes the order of candidates deterministic.
    private func isLater(_ one: Action, _ other: Action) -> Bool {
        (items[one]?.last ?? 0) > (items[other]?.last ?? 0)
    }

    /// The sizes of the tables outside the learner.
    var size: (items: Int, apps: Int, places: Int) { (items.count, plays.count, beginnings.count) }

    /// Returns the last play of an app; `nil` if unknown.
    public func latest(of application: AppID) -> Donation? {
        plays[application]?.donation
    }
}
