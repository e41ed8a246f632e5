package import FoundationEssentials
package import History
package import EventLoops
package import HunchModel
package import Prediction
internal import Localization
internal import Synchronization

/// The learned habits, kept consistent with the history. All actions are recorded here.
package actor Habits: LoopActor {
    /// The number of plays, newest first, that are learned at startup. They cover months and take about 40 of the 100
    /// ms in which the first answer is due.
    private static let playLimit = 4_000
    /// The time in seconds within which an app's own donation counts as the action that Hunch recorded.
    private static let openedTime = 120.0

    /// The number of donations with the latest dates among which the newest one is looked for.
    private static let newestCount = 8

    /// The time without late donations after which they are learned in order.
    private static let quietTime = Duration.seconds(5)

    /// The time in seconds within which the order of donations does not matter. Apps report what began at once one after the
    /// other, and learning the history again takes a second for 100,000 donations.
    private static let orderTime = 60.0

    private struct Learned {
        var usual = ConsistentKnowledge<Usual, Donation>(Usual()) { $0.learn($1) }
        var actions = ConsistentKnowledge<ActionHabits, Lesson>(ActionHabits()) { $0.learn($1) }
        var items = ConsistentKnowledge<ItemHabits, Donation>(ItemHabits()) { $0.learn($1) }
    }

    private var learned = Learned()
    /// Closed until the history was read for the first time. Otherwise the call that starts the agent would get a
    /// worse answer than later calls.
    private let usualKnown = Gate()
    private let actionsKnown = Gate()
    private let itemsKnown = Gate()
    /// The recent actions that Hunch opened and recorded itself.
    private var opened: [Donation] = []
    /// The latest date of the recorded donations; `nil` until the history says it. Only the store's thread changes it, in turn.
    private let newest = Mutex<Date?>(nil)
    /// Whether donations were learned out of the order of their dates.
    private var isOutOfOrder = false
    /// Whether the history is being learned again because of that.
    private var isOrdering = false
    private var quietTimer: LoopTimer?
    private let history: HistoryKeeper
    /// The loop that executes the actor.
    package nonisolated let loop: EventLoop
    private let problems: ProblemReporter

    package init(loop: EventLoop, history: HistoryKeeper, problems: ProblemReporter) {
        self.loop = loop
        self.problems = problems
        self.history = history
        usualKnown.close()
        actionsKnown.close()
        itemsKnown.close()
    }

    /// The habits of plays.
    package var plays: Learner {
        get async {
            await pass(usualKnown)
            return learned.usual.knowledge.plays
        }
    }

    /// The habits of routing apps.
    package var routes: RoutingHabits {
        get async {
            await pass(usualKnown)
            return learned.usual.knowledge.routes
        }
    }

    /// The habits of actions.
    package var actions: ActionHabits {
        get async {
            await pass(actionsKnown)
            return learned.actions.knowledge
        }
    }

    /// The habits of items within apps.
    package var items: ItemHabits {
        get async {
            await pass(itemsKnown)
            return learned.items.knowledge
        }
    }

    /// Resumes the tasks that wait for the first learning, even if it failed.
    package func settle() {
        usualKnown.open()
        actionsKnown.open()
        itemsKnown.open()
    }

    // MARK: Learning

    /// Learns again from the whole history, after rows of it were removed.
    package func learn() async {
        // They may be among the forgotten rows.
        opened = []
        newest.withLock { $0 = nil }
        await readAll()
    }

    /// Prepares to learn again from the whole history, because a donation has come later than one with a later date. It is
    /// learned once no more come, or when somebody asks for habits, who then waits: an app may report a year at once.
    private func learnInOrder() {
        isOutOfOrder = true
        for known in [usualKnown, actionsKnown, itemsKnown] { known.close() }
        if let quietTimer { loop.cancel(quietTimer) }
        quietTimer = loop.schedule(after: Self.quietTime) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.readInOrder() }
        }
    }

    private func readInOrder() async {
        guard !isOrdering else { return }
        isOrdering = true
        while isOutOfOrder {
            isOutOfOrder = false
            await readAll()
        }
        isOrdering = false
    }

    /// Waits until habits are known.
    private func pass(_ known: Gate) async {
        if isOutOfOrder { await readInOrder() }
        await known.pass()
    }

    private func readAll() async {
        await read(\.usual, for: usualKnown) { try Usual(of: $0, plays: Self.playLimit) }
        await read(\.actions, for: actionsKnown) { try ActionHabits(of: $0) }
        await read(\.items, for: itemsKnown) { try ItemHabits(of: $0) }
        // The caches of such a large read are not needed again soon.
        try? await history.use { store, _ in store.releaseMemory() }
    }

    private func read<Knowledge, Lesson>(
        _ step: WritableKeyPath<Learned, ConsistentKnowledge<Knowledge, Lesson>>, for known: Gate,
        _ body: @escaping @Sendable (HistoryStore) throws -> Knowledge
    ) async {
        // Callers that wait must not get habits that were learned out of order.
        defer { if !isOutOfOrder { known.open() } }
        learned[keyPath: step].beginReading()
        do {
            learned[keyPath: step].endReading(try await history.useInTurn { store, _ in try body(store) })
        } catch {
            learned[keyPath: step].endReading(nil)
            problems.report(localized("the history could not be learned: %1", "\(error)"))
        }
    }

    /// Records donations and learns from those that were stored.
    ///
    /// - Returns: one outcome for each donation, in order. A donation that repeats an opening by Hunch counts as
    ///   recorded.
    package func record(_ donations: [Donation]) async throws -> [RecordOutcome] {
        await history.privacyGate.pass()
        let isNew = donations.map { !repeatsOpening($0) }
        let new = zip(donations, isNew).filter(\.1).map(\.0)
        let ((former, outcomes), turn) = try await history.useInTurn { [self] store, now in
            // After the clock was set back, those with dates in the future are not the newest.
            let known = newest.withLock { $0 }.flatMap { $0 <= now ? $0 : nil }
            let former = try known ?? store.donations(limit: Self.newestCount).first { $0.date <= now }?.date
            let outcomes = try store.record(new, now: now)
            let dates = zip(new, outcomes).filter { $1.isRecorded }.map(\.0.date)
            newest.withLock { $0 = (dates + [former].compactMap(\.self)).max() }
            return (former, outcomes)
        }
        let recorded = zip(new, outcomes).filter { $1.isRecorded }.map(\.0).sorted { $0.date < $1.date }
        if let former, let first = recorded.first, former.timeIntervalSince(first.date) > Self.orderTime {
            learnInOrder()
        }
        // After a late donation, all are learned again anyway.
        if !isOutOfOrder {
            learned.usual.take(recorded, writtenIn: turn)
            learned.actions.take(recorded.map(Lesson.done), writtenIn: turn)
            learned.items.take(recorded, writtenIn: turn)
        }
        var rest = outcomes[...]
        return isNew.map { $0 ? rest.popFirst() ?? .notEnabled : .recorded }
    }

    /// Records a donation and learns from it if it was stored.
    ///
    /// - Throws: `HistoryError`, also if it was rejected.
    package func record(_ donation: Donation) async throws {
        if case .refused(let error) = try await record([donation]).first { throw error }
    }

    /// Records an engagement and learns from it.
    ///
    /// - Throws: `HistoryError`, also if it was rejected.
    package func record(_ engagement: Engagement) async throws {
        let (outcome, turn) = try await history.useInTurn { store, now in try store.record(engagement, now: now) }
        if outcome.isRecorded, !isOutOfOrder { learned.actions.take([.offered(engagement)], writtenIn: turn) }
        if case .refused(let error) = outcome { throw error }
    }

    // MARK: Openings by Hunch

    /// Records that Hunch opened something for the user, unless its app donated it meanwhile.
    ///
    /// - Parameter began: the date at which opening began.
    package func recordOpening(of donation: Donation, since began: Date) async throws {
        let known = await actions.latest(like: donation)
        if let known, known.date >= began { return }
        opened.removeAll { donation.date.timeIntervalSince($0.date) > Self.openedTime }
        try await record(donation)
        opened.append(donation)
    }

    /// Whether an app donates again what Hunch recorded. The identifiers must be equal, or the app could not delete
    /// it.
    private func repeatsOpening(_ donation: Donation) -> Bool {
        opened.contains {
            $0.isEquivalent(to: donation) && $0.identifier == donation.identifier && $0.group == donation.group
                && abs(donation.date.timeIntervalSince($0.date)) <= Self.openedTime
        }
    }
}

/// The habits of plays and routing apps, which every answer needs.
private struct Usual: Sendable {
    var plays = Learner()
    var routes = RoutingHabits()

    init() {}

    /// - Parameter plays: the number of plays to learn, newest first.
    init(of store: HistoryStore, plays: Int) throws {
        try store.forEachDonation(of: .playMedia, newest: plays) { learn($0) }
        try store.forEachDonation(of: .getDirections, newest: RoutingHabits.learnedDirections) { learn($0) }
    }

    mutating func learn(_ donation: Donation) {
        if donation.kind == .playMedia {
            // Only the app, since what it plays is new every day.
            let action = Action(application: donation.application, kind: donation.kind)
            plays.learn(action, Circumstances(donation.context), at: donation.date)
        }
        routes.learn(donation)
    }
}

extension ItemHabits {
    /// Learns the habits from the history.
    fileprivate init(of store: HistoryStore) throws {
        self.init()
        try store.forEachDonation(of: .playMedia, newest: Self.learnedPlays) { learn($0) }
    }
}

/// A row of the history that teaches which actions the user wants.
private enum Lesson: Sendable {
    case done(Donation)
    case offered(Engagement)
}

extension ActionHabits {
    fileprivate mutating func learn(_ lesson: Lesson) {
        switch lesson {
        case .done(let donation): learn(donation)
        case .offered(let engagement): learn(engagement)
        }
    }

    /// Reads the actions and engagements from the history, in the order of their dates.
    fileprivate init(of store: HistoryStore) throws {
        self.init()
        var engagements = try store.engagements(limit: Self.learnedEngagements)
        try store.forEachDonation(newest: Self.learnedDonations) { donation in
            while let engagement = engagements.last, engagement.date <= donation.date {
                learn(engagement)
                engagements.removeLast()
            }
            learn(donation)
        }
        for engagement in engagements.reversed() { learn(engagement) }
    }
}
