internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Prediction

/// The learned habits, kept in step with the history. Actions are recorded through here.
actor Habits {
    /// The number of newest plays that are learned at the start: months of them, in about 40 of the 100 ms that the
    /// first answer may take.
    private static let playLimit = 4_000
    /// The time in seconds in which an app may donate the action that Hunch opened, too.
    private static let openedTime = 120.0

    private struct Learned {
        var usual = InStep<Usual, Donation>(Usual()) { $0.learn($1) }
        var actions = InStep<ActionHabits, Lesson>(ActionHabits()) { $0.learn($1) }
        var items = InStep<ItemHabits, Donation>(ItemHabits()) { $0.learn($1) }
    }

    private var learned = Learned()
    /// Closed until the history was read for the first time: the call that starts the agent is answered as well as any
    /// later one.
    private let usualKnown = Gate()
    private let actionsKnown = Gate()
    private let itemsKnown = Gate()
    /// The recent actions that Hunch opened and recorded itself.
    private var opened: [Donation] = []
    private let history: HistoryKeeper
    private let loop: EventLoop
    private var note: @Sendable (String) async -> Void = { _ in }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, history: HistoryKeeper) {
        self.loop = loop
        self.history = history
        usualKnown.close()
        actionsKnown.close()
        itemsKnown.close()
    }

    /// Says where problems go.
    func setNote(_ note: @escaping @Sendable (String) async -> Void) { self.note = note }

    /// Which app plays when.
    var plays: Learner {
        get async {
            await usualKnown.pass()
            return learned.usual.knowledge.plays
        }
    }

    /// Which app shows the way where.
    var routes: RoutingHabits {
        get async {
            await usualKnown.pass()
            return learned.usual.knowledge.routes
        }
    }

    /// The habits of actions.
    var actions: ActionHabits {
        get async {
            await actionsKnown.pass()
            return learned.actions.knowledge
        }
    }

    /// Which items of an app are come back to, and when.
    var items: ItemHabits {
        get async {
            await itemsKnown.pass()
            return learned.items.knowledge
        }
    }

    /// Lets go whoever waits for what was learned; it is what there is.
    func settle() {
        usualKnown.open()
        actionsKnown.open()
        itemsKnown.open()
    }

    // MARK: Learning

    /// Learns anew from what the history holds.
    func learn() async {
        // It may be among what was removed, and told anew.
        opened = []
        await read(\.usual, for: usualKnown) { try Usual(of: $0, plays: Self.playLimit) }
        await read(\.actions, for: actionsKnown) { try ActionHabits(of: $0) }
        await read(\.items, for: itemsKnown) { try ItemHabits(of: $0) }
        // So much is not read again soon.
        try? await history.use { store, _ in store.releaseMemory() }
    }

    private func read<Knowledge, Lesson>(
        _ step: WritableKeyPath<Learned, InStep<Knowledge, Lesson>>, for known: Gate,
        _ body: @escaping @Sendable (HistoryStore) throws -> Knowledge
    ) async {
        defer { known.open() }
        learned[keyPath: step].beginReading()
        do {
            learned[keyPath: step].endReading(try await history.useInTurn { store, _ in try body(store) })
        } catch {
            learned[keyPath: step].endReading(nil)
            await note("what was done before could not be read: \(error)")
        }
    }

    /// Writes down what was done, and learns of it what is on disk then.
    ///
    /// - Returns: one outcome for each donation, in their order; what Hunch opened itself and wrote down then counts as
    ///   recorded.
    func record(_ donations: [Donation]) async throws -> [RecordOutcome] {
        await history.desktopWord.pass()
        let isNew = donations.map { !repeatsOpening($0) }
        let new = zip(donations, isNew).filter(\.1).map(\.0)
        let (outcomes, turn) = try await history.useInTurn { store, now in try store.record(new, now: now) }
        let recorded = zip(new, outcomes).filter { $1.isRecorded }.map(\.0)
        learned.usual.take(recorded, writtenIn: turn)
        learned.actions.take(recorded.map(Lesson.done), writtenIn: turn)
        learned.items.take(recorded, writtenIn: turn)
        var rest = outcomes[...]
        return isNew.map { $0 ? rest.popFirst() ?? .notEnabled : .recorded }
    }

    /// Writes down what was done, and learns of it if it is on disk then.
    ///
    /// - Throws: also when it was refused.
    func record(_ donation: Donation) async throws {
        if case .refused(let error) = try await record([donation]).first { throw error }
    }

    /// Writes down what became of a suggestion, and learns of it.
    ///
    /// - Throws: also when it was refused.
    func record(_ engagement: Engagement) async throws {
        let (outcome, turn) = try await history.useInTurn { store, now in try store.record(engagement, now: now) }
        if outcome.isRecorded { learned.actions.take([.offered(engagement)], writtenIn: turn) }
        if case .refused(let error) = outcome { throw error }
    }

    // MARK: What Hunch opens

    /// Writes down that Hunch opened something for the person, unless its app did meanwhile.
    ///
    /// - Parameter began: when it began to.
    func recordOpening(of donation: Donation, since began: Date) async throws {
        let known = await actions.latest(like: donation)
        if let known, known.date >= began { return }
        opened.removeAll { donation.date.timeIntervalSince($0.date) > Self.openedTime }
        try await record(donation)
        opened.append(donation)
    }

    /// Whether an app tells once more what Hunch wrote down. What the app would find it by has to be the same, or it could
    /// not take it back.
    private func repeatsOpening(_ donation: Donation) -> Bool {
        opened.contains {
            $0.isEquivalent(to: donation) && $0.identifier == donation.identifier && $0.group == donation.group
                && abs(donation.date.timeIntervalSince($0.date)) <= Self.openedTime
        }
    }
}

/// Which app plays when, and which shows the way where.
private struct Usual: Sendable {
    var plays = Learner()
    var routes = RoutingHabits()

    init() {}

    /// - Parameter plays: how many of the newest are learned.
    init(of store: HistoryStore, plays: Int) throws {
        try store.forEachDonation(of: .playMedia, newest: plays) { learn($0) }
        try store.forEachDonation(of: .getDirections, newest: RoutingHabits.learnedDirections) { learn($0) }
    }

    mutating func learn(_ donation: Donation) {
        if donation.kind == .playMedia {
            // The app alone, since what it plays is new every day.
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

/// The input of learning which actions are wanted.
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
