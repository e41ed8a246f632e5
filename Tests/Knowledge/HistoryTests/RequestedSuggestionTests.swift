import FoundationEssentials
import History
import HunchModel
import Testing

/// Suggestions and answers to requests in the history.
@Suite("Suggestions and requests")
struct RequestedSuggestionTests {
    private let now = TemporaryHistory.now

    private func engagement(_ id: String, _ outcome: Engagement.Outcome, requested: Bool) -> Engagement {
        Engagement(
            suggestion: id, application: "org.example.Maps", kind: .directions, outcome: outcome, date: now,
            context: Context(), wasRequested: requested)
    }

    @Test("Answers to requests are counted apart, also after an export")
    func apart() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let recorded = [
                engagement("a", .shown, requested: false), engagement("a", .dismissed, requested: false),
                engagement("b", .shown, requested: true), engagement("b", .accepted, requested: true),
                engagement("c", .shown, requested: true),
            ]
            _ = try store.record(recorded, now: now)
            let counts = try store.counts()
            #expect(counts.suggestions == 1 && counts.answers == 2 && counts.engagements == 5)
            // A user counts suggestions, not what became of them.
            let forgotten = try store.counts(in: .everything)
            #expect(forgotten.shownSuggestions == 3 && forgotten.engagements == 5)
            #expect(try store.engagements(limit: 9).reversed() == recorded)
            _ = try store.unmute(SuggestionPair(recorded[1]))
            #expect(try store.engagements(limit: 9).count == 4)
            #expect(try store.lastEngagements(limit: 9).map(\.outcome) == [.shown, .accepted, .dismissed])
        }
    }

    @Test("Counting a period gives the numbers of forgetting it, and forgets nothing")
    func counting() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            for number in 0..<5 {
                _ = try store.record(.played("T\(number)", at: Double(-100 * number)), now: now)
            }
            _ = try store.record([engagement("a", .shown, requested: false)], now: now)
            for scope in [ForgetScope.since(now.addingTimeInterval(-250)), .everything] {
                let counted = try store.counts(in: scope)
                #expect(try store.counts(in: scope).counts == counted.counts)
                #expect(try store.forget(scope).counts == counted.counts)
                #expect(counted.donations == (scope == .everything ? 2 : 3), "\(counted)")
            }
        }
    }
}
