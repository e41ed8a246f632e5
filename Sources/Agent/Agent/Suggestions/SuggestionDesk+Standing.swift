package import HunchModel
internal import Suggestions

/// The suggestions that stand.
extension SuggestionDesk {
    /// The uninvited suggestions that the user may still answer.
    package var openIdentifiers: Set<Suggestion.ID> {
        Set(board.lives.filter { !$0.wasRequested && $0.state.isOpen }.map(\.id))
    }

    /// The uninvited suggestions that the user has seen and may still answer.
    package var seenIdentifiers: Set<Suggestion.ID> {
        openIdentifiers.filter { if case .shown = board.life(of: $0)?.state { true } else { false } }
    }

    package func isOpen(_ identifier: Suggestion.ID) -> Bool { board.life(of: identifier)?.state.isOpen ?? false }
}
