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

    private var learnedPlays = Learner()
    private var learnedRoutes = RoutingHabits()
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
            return learnedPlays
        }
    }

    /// Which app shows the way where.
    var routes: RoutingHabits {
        get async {
            await settled()
            return learnedRoutes
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
        do {
            (learnedPlays, learnedRoutes) = try await history.use { store, _ in
                var (plays, routes) = (Learner(), RoutingHabits())
                try store.forEachDonation(of: .playMedia, newest: Self.playLimit) {
                    plays.learn(Self.play($0), Circumstances($0.context), at: $0.date)
                }
                try store.forEachDonation(of: .getDirections, newest: RoutingHabits.learnedDirections) {
                    routes.learn($0)
                }
                return (plays, routes)
            }
        } catch {
            await note("what was done before could not be read: \(error)")
        }
    }

    /// Takes in what was just written into the history.
    func learn(_ donations: [Donation]) {
        for donation in donations {
            if donation.kind == .playMedia {
                learnedPlays.learn(Self.play(donation), Circumstances(donation.context), at: donation.date)
            }
            learnedRoutes.learn(donation)
        }
    }

    /// What is learned of a play: the app alone, since what it plays is new every day.
    private static func play(_ donation: Donation) -> Action {
        Action(application: donation.application, kind: donation.kind)
    }
}
