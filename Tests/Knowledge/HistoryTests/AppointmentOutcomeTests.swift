import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@testable import History

@Suite("Outcomes of suggestions for appointments") struct AppointmentOutcomeTests {
    private static let now = TemporaryHistory.now

    private static func engagement(
        _ suggestion: String, _ outcome: Engagement.Outcome, after seconds: Double = 0,
        trigger: Trigger = .appointment, wasRequested: Bool = false
    ) -> Engagement {
        Engagement(
            suggestion: suggestion, application: "org.example.Maps", kind: .directions, outcome: outcome,
            date: now.addingTimeInterval(seconds), context: Context(trigger: trigger), wasRequested: wasRequested)
    }

    @Test(
        "Forgetting something keeps them for two days without the minute, and forgetting everything does not",
        arguments: [
            ForgetScope.application("org.example.Maps"), .kind(.getDirections), .since(now.addingTimeInterval(-60)),
            .device("AA:BB"), .place("Paris"), .everything,
        ])
    func forgetting(scope: ForgetScope) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let outcomes = try store.record(
                [
                    Self.engagement("a", .shown), Self.engagement("a", .accepted, after: 1),
                    Self.engagement("b", .shown),
                    Self.engagement("c", .dismissed, wasRequested: true),
                    Self.engagement("d", .dismissed, trigger: .move),
                ], now: Self.now.addingTimeInterval(2))
            #expect(outcomes.allSatisfy { if case .recorded = $0 { true } else { false } })
            let before = try store.appointmentOutcomes(since: .distantPast)
            #expect(before.mapValues(\.outcome) == ["a": .accepted, "b": .shown])
            #expect(before["a"]?.date == Self.now.addingTimeInterval(1))
            _ = try store.forget(scope)
            let after = try store.appointmentOutcomes(since: .distantPast)
            guard scope != .everything else { return #expect(after.isEmpty) }
            #expect(after.mapValues(\.outcome) == ["a": .accepted, "b": .shown])
            let isKept = try !store.engagements(limit: 10).isEmpty
            let hour = Self.now.addingTimeInterval(1_800)
            #expect(after["a"]?.date == (isKept ? Self.now.addingTimeInterval(1) : hour), "\(after)")
            // A later answer counts.
            _ = try store.record(Self.engagement("b", .closed, after: 3), now: Self.now.addingTimeInterval(3))
            #expect(try store.appointmentOutcomes(since: .distantPast)["b"]?.outcome == .closed)
            try store.prune(now: Self.now.addingTimeInterval(3 * 86_400))
            _ = try store.forget(.application("org.example.Maps"))
            try store.prune(now: Self.now.addingTimeInterval(3 * 86_400))
            #expect(try store.appointmentOutcomes(since: .distantPast).isEmpty)
        }
    }

    @Test("An answer forgotten with the last minute still counts, also after more is forgotten")
    func forgottenAnswer() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            _ = try store.record(
                [Self.engagement("a", .shown), Self.engagement("a", .accepted, after: 120)],
                now: Self.now.addingTimeInterval(121))
            _ = try store.forget(.since(Self.now.addingTimeInterval(60)))
            #expect(try store.engagements(limit: 10).map(\.outcome) == [.shown])
            #expect(try store.appointmentOutcomes(since: .distantPast)["a"]?.outcome == .accepted)
            _ = try store.forget(.kind(.playMedia))
            #expect(try store.appointmentOutcomes(since: .distantPast)["a"]?.outcome == .accepted)
            // A later departure to the moved event counts.
            _ = try store.record(
                Self.engagement("a", .shown, after: 7_200), now: Self.now.addingTimeInterval(7_200))
            #expect(try store.appointmentOutcomes(since: .distantPast)["a"]?.outcome == .shown)
        }
    }
}
