package import FoundationEssentials
internal import History
package import HunchModel
internal import Learning
internal import Suggestions

/// The open suggestions.
extension SuggestionDesk {
    /// The uninvited suggestions that the user may still answer.
    package var openIdentifiers: Set<Suggestion.ID> {
        Set(board.lives.filter { !$0.wasRequested && $0.state.isOpen }.map(\.id))
    }

    /// The uninvited suggestions that the user has seen and may still answer.
    package var seenIdentifiers: Set<Suggestion.ID> {
        openIdentifiers.filter { if case .shown = board.life(of: $0)?.state { true } else { false } }
    }

    /// Returns the last engagement of each uninvited suggestion since a date, the latest last. After a restart they
    /// show what the user has seen and answered. An unreadable history provides nothing.
    package func lastEngagements(since date: Date) async -> [Engagement] {
        let engagements = try? await history.use { store, _ in try store.engagements(since: date, limit: 1_000) }
        var known: Set<Suggestion.ID> = []
        // The latest come first.
        return (engagements ?? []).filter { !$0.wasRequested && known.insert($0.suggestion).inserted }.reversed()
    }

    /// Returns the last outcome of each suggestion for an appointment of the last days. After a restart they show what
    /// the user has seen and answered. An unreadable history provides nothing.
    package func appointmentOutcomes() async -> [Suggestion.ID: (outcome: Engagement.Outcome, date: Date)] {
        let outcomes = try? await history.use { store, now in
            try store.appointmentOutcomes(since: now.addingTimeInterval(-HistoryStore.appointmentTime))
        }
        return outcomes ?? [:]
    }

    package func isOpen(_ identifier: Suggestion.ID) -> Bool { board.life(of: identifier)?.state.isOpen ?? false }

    /// Returns the name of the current or last state of a suggestion. One that failed and can be retried is called failed.
    package func state(of identifier: Suggestion.ID) -> String {
        let handling = handlings[identifier]
        guard let state = board.life(of: identifier)?.state else { return handling?.lastState ?? "withdrawn" }
        return state.isOpen && handling?.failure != nil ? "failed" : state.name
    }
}
