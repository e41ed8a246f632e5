public import FoundationEssentials
public import HunchModel

/// Which items of an app a person comes back to, and when: the playlist with one pair of headphones, the news on the speaker.
///
/// Only an item that was played again after another one of its app comes back; where each item is new, as an episode, there
/// is nothing to choose. What counts is what a sitting began with: what follows within half an hour on the same device is
/// mostly what the app goes on with by itself. Bounded as ``Learner`` is, with the latest donations of 512 items and the last
/// 16 beginnings of 256 apps at a trigger beside it.
public struct ItemHabits: Sendable {
    /// An item that is usual at a moment.
    public struct Choice: Hashable, Sendable {
        /// The latest donation of it.
        public var donation: Donation
        /// How likely it is this item when its app is wanted, from 0.5 to below 1.
        public var share: Double
        /// Why it rather than the likeliest other item of its app, how often it was begun with at such moments first.
        public var explanation: Explanation
    }

    /// How many of the latest plays say enough.
    public static let learnedPlays = 2_000

    /// Once may be by chance.
    private static let leastTimes = 2
    private static let leastReturns = 2
    /// What is wanted less often than anything else of the app is not its usual item.
    private static let leastShare = 0.5
    /// How long after a play what its app plays on the same device is what it goes on with, in seconds.
    private static let sitting = 1_800.0
    private static let beginningLimit = 16
    private static let placeLimit = 256
    private static let itemLimit = 512
    /// The most bytes of parameters; a play with more is not learned.
    private static let parameterLimit = 8_192

    /// What is known of an item.
    private struct Item: Sendable {
        /// How often it was played.
        var count = 0
        /// How often it was played after another item of its app.
        var returns = 0
        /// When it was played last, in plays.
        var last = 0
    }

    /// An app at a trigger.
    private struct Place: Hashable, Sendable {
        let application: String
        let trigger: Trigger
    }

    /// What an app's sittings at a trigger began with, the latest last.
    private struct Beginnings: Sendable {
        var actions: [Action] = []
        var last = 0
    }

    /// What an app played last.
    private struct Play: Sendable {
        var action: Action
        var donation: Donation
        var last = 0
    }

    /// Days lie between one sitting and the next: what followed on what would be taken for a habit.
    private var learner = Learner(followsSequences: false)
    private var items: [Action: Item] = [:]
    /// The latest donations of the items that were played more than once: of most there is only one, and nothing is made of it.
    private var latest: [Action: Donation] = [:]
    private var beginnings: [Place: Beginnings] = [:]
    private var plays: [String: Play] = [:]
    /// How many plays were learned.
    private var clock = 0

    /// Habits of which nothing is known.
    public init() {}

    /// Takes in a play, in the order in which they were; anything else is left out.
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

    /// Halves a table that is full; what was used least lately goes.
    private static func bound<Key, Value>(_ table: inout [Key: Value], _ limit: Int, _ last: KeyPath<Value, Int>) {
        guard table.count > limit else { return }
        let oldest = table.values.map { $0[keyPath: last] }.sorted()[table.count / 2]
        table = table.filter { $0.value[keyPath: last] >= oldest }
    }

    /// The usual items of apps at moments like this one, by their app: of each the likeliest, if it was begun with twice at
    /// least at such moments, came back twice at least, and is likelier than everything else of the app together, what is new
    /// included. Nothing where nothing happened just before.
    ///
    /// - Parameters:
    ///   - context: now, with its trigger.
    ///   - deviceName: what the person calls the context's device.
    public func choices(_ context: Context, deviceName: String? = nil, at date: Date) -> [String: Choice] {
        guard let trigger = context.trigger else { return [:] }
        let circumstances = Circumstances(context)
        var choices: [String: Choice] = [:]
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
        // Something new is to be expected as often as was begun with what was played once alone (Good, 1953), and a little.
        let single = Double(begun.count { items[$0]?.count ?? 1 == 1 })
        let new = (single + 0.5) / (Double(begun.count) + 1)
        let share = best.probability * (1 - new)
        guard times >= Self.leastTimes, share >= Self.leastShare else { return nil }
        return Choice(
            donation: donation, share: share,
            explanation: explanation(of: best, among: known, times: times, circumstances, deviceName, at: date))
    }

    /// - Parameter known: what was begun with at such moments.
    private func explanation(
        of best: RankedAction, among known: Set<Action>, times: Int, _ circumstances: Circumstances,
        _ deviceName: String?, at date: Date
    ) -> Explanation {
        var compared = best
        if known.count < 2 {
            // Nothing else was played at such moments, but elsewhere something may have been.
            let others = items.keys.filter { $0.application == best.action.application && learner.count(of: $0) > 0 }
            let first = learner.predict(circumstances, at: date, among: others.sorted(by: isLater), limit: 1).first
            if let first, first.action == best.action { compared = first }
        }
        var explanation = compared.explanation(circumstances, deviceName: deviceName)
        // Where other items go with the same moments, that it does tells nothing against them, but is why it is offered now.
        let occasion =
            compared.occasion(circumstances, deviceName: deviceName)
            ?? "you played it \(times) times at such moments"
        if !explanation.texts.contains(occasion.text) { explanation.reasons.insert(occasion, at: 0) }
        return explanation
    }

    /// An order that is the same for the same history.
    private func isLater(_ one: Action, _ other: Action) -> Bool {
        (items[one]?.last ?? 0) > (items[other]?.last ?? 0)
    }

    /// How much is known beside what is learned.
    var size: (items: Int, apps: Int, places: Int) { (items.count, plays.count, beginnings.count) }

    /// What an app played last; `nil` when that is not known.
    public func latest(of application: String) -> Donation? {
        plays[application]?.donation
    }
}
