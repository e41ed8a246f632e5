package import FoundationEssentials
package import History
package import HunchModel
internal import Localization
package import Learning

/// The stored data of the media job: resume points, plays and device policies.
package struct MediaRecords: Sendable {
    package let history: HistoryKeeper
    package let habits: Habits
    package let present: CurrentContext
    package let now: @Sendable () -> Date

    package init(
        history: HistoryKeeper, habits: Habits, present: CurrentContext, now: @escaping @Sendable () -> Date
    ) {
        self.history = history
        self.habits = habits
        self.present = present
        self.now = now
    }

    /// Stores a resume point. Returns whether that was allowed.
    package func remember(_ point: ResumePoint) async throws -> Bool {
        try await history.use { store, now in try store.remember(point, now: now) }.isRecorded
    }

    /// Stores the resume point of a started play. A later observation of the player is more precise, and is kept.
    package func rememberStarted(_ point: ResumePoint) async throws {
        try await history.use { store, now in
            let seen = try store.resumePoints(device: point.device).first { $0.application == point.application }
            if let seen, seen.date >= point.date { return }
            _ = try store.remember(point, now: now)
        }
    }

    /// Notes that a device no longer interrupted last what was seen before a date, because it has disconnected again since.
    func endInterruptions(by device: AudioDevice, before date: Date) async throws {
        try await history.use { store, now in
            for var point in try store.resumePoints(device: device.id)
            where point.pausedByDisconnect && point.date < date {
                point.pausedByDisconnect = false
                _ = try store.remember(point, now: now)
            }
        }
    }

    /// Records a play as a donation.
    package func record(_ play: MediaPolicy.Play) async throws {
        try await habits.record(
            Donation(
                application: play.application, kind: .playMedia,
                parameters: ["item": play.item, "title": play.info.title], date: now(),
                context: await present.now(device: play.device), combination: ["item"]))
    }

    package func exclusions() async throws -> Set<AppID> {
        try await history.use { store, _ in try store.exclusions() }
    }

    /// Returns the excluded app that was played last, for a device at which nothing else can be played; `nil` if there is none.
    package func excludedPlayer() async throws -> AppID? {
        try await history.use { store, _ in try store.excludedPlayer() }
    }

    package func policy(of device: AudioDevice) async throws -> DevicePolicy {
        try await history.use { store, _ in try store.policies()[device.id] ?? DevicePolicy() }
    }

    /// Returns whether a disconnect at or after a date interrupted playback on a device.
    package func wasInterrupted(_ device: AudioDevice, since loss: Date?) async -> Bool {
        // Dates are stored in milliseconds.
        guard let loss = loss?.addingTimeInterval(-0.001) else { return false }
        let points = try? await history.use { store, _ in try store.resumePoints(device: device.id) }
        return points?.contains { $0.pausedByDisconnect && $0.date >= loss } ?? false
    }
}

extension MediaPolicy.Effect {
    /// The problem to report if the effect fails.
    package var problem: String {
        switch self {
        case .record: localized("a play could not be recorded")
        case .remember, .rememberStarted, .endInterruptions: localized("the resume point could not be stored")
        case .pausePlayers(_, let device): localized("playback on %1 could not be paused", device.name)
        default: localized("no suggestion could be made")
        }
    }

    /// Whether its success shows that the problem is over: a suggestion has many steps, of which only the last one does.
    var isProof: Bool {
        switch self {
        case .record, .remember, .rememberStarted, .endInterruptions, .pausePlayers, .offer: true
        default: false
        }
    }

    /// The answer if the effect fails.
    package var failure: MediaPolicy.Event? {
        switch self {
        case .check(let attempt, _), .readPolicy(let attempt, _), .rank(let attempt, _), .prepare(let attempt, _, _, _),
            .makeSuggestion(let attempt, _, _), .offer(let attempt, _, _, _), .resume(let attempt, _):
            .attempt(attempt, .failed)
        case .play(let start, _, _, _, _): .start(start, .failed)
        case .pausePlayers(_, let device): .pausedPlayers(on: device)
        default: nil
        }
    }
}
