internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Prediction

/// What was learned of the person, kept in step with the history.
actor Habits {
    /// How many of the newest plays are learned at the start: months of them, in some 40 of the 100 milliseconds that the
    /// first answer may take, which waits for it.
    private static let playLimit = 4_000

    /// Which app plays when, and which shows the way where.
    private struct Usual: Sendable {
        var plays = Learner()
        var routes = RoutingHabits()

        mutating func learn(_ donation: Donation) {
            if donation.kind == .playMedia {
                // The app alone, since what it plays is new every day.
                let action = Action(application: donation.application, kind: donation.kind)
                plays.learn(action, Circumstances(donation.context), at: donation.date)
            }
            routes.learn(donation)
        }
    }

    private var usual = InStep(Usual()) { $0.learn($1) }
    /// Who asks before the history was read for the first time; `nil` afterwards.
    private var waiting: [CheckedContinuation<Void, Never>]? = []
    private let history: HistoryKeeper
    private let loop: EventLoop
    private var note: @Sendable (String) async -> Void = { _ in }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, history: HistoryKeeper) {
        self.loop = loop
        self.history = history
    }

    /// Says where problems go.
    func setNote(_ note: @escaping @Sendable (String) async -> Void) { self.note = note }

    /// Which app plays when.
    var plays: Learner {
        get async {
            await settled()
            return usual.knowledge.plays
        }
    }

    /// Which app shows the way where.
    var routes: RoutingHabits {
        get async {
            await settled()
            return usual.knowledge.routes
        }
    }

    /// Waits until the history was read: the call that starts the agent is answered as well as any later one.
    private func settled() async {
        guard waiting != nil else { return }
        await withCheckedContinuation { waiting?.append($0) }
    }

    /// Lets go whoever waits for what was learned; it is what there is.
    func settle() {
        for continuation in waiting ?? [] { continuation.resume() }
        waiting = nil
    }

    /// Learns anew from what the history holds.
    func learn() async {
        defer { settle() }
        usual.beginReading()
        do {
            let read = try await history.useInTurn { store, _ in
                var usual = Usual()
                try store.forEachDonation(of: .playMedia, newest: Self.playLimit) { usual.learn($0) }
                try store.forEachDonation(of: .getDirections, newest: RoutingHabits.learnedDirections) {
                    usual.learn($0)
                }
                return usual
            }
            usual.endReading(read)
        } catch {
            usual.endReading(nil)
            await note("what was done before could not be read: \(error)")
        }
    }

    /// Writes down what was done, and learns of it what is on disk then.
    ///
    /// - Returns: one outcome for each donation, in their order.
    func record(_ donations: [Donation]) async throws -> [RecordOutcome] {
        await history.desktopWord.pass()
        let (outcomes, turn) = try await history.useInTurn { store, now in try store.record(donations, now: now) }
        let recorded = zip(donations, outcomes).filter { $1.isRecorded }.map(\.0)
        usual.take(recorded, writtenIn: turn)
        return outcomes
    }

    /// Writes down what was done, and learns of it if it is on disk then.
    ///
    /// - Throws: also when it was refused.
    func record(_ donation: Donation) async throws {
        if case .refused(let error) = try await record([donation]).first { throw error }
    }
}
