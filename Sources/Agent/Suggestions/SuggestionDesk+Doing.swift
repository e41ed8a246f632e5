internal import HunchModel
internal import Suggestions

/// Donations for accepted suggestions.
extension SuggestionDesk {
    /// Whether nobody asked for this and it stands already.
    func stands(_ suggestion: Suggestion) -> Bool {
        board.lives.contains {
            $0.state.isOpen && !$0.wasRequested && $0.suggestion.offersSame(as: suggestion)
        }
    }

    /// Takes back what was offered and has just been done.
    func withdrawOffers(of done: [Donation]) async {
        await withdraw(because: "it was done already") { suggestion in
            guard case .open(let offered) = suggestion.action else { return false }
            return done.contains { $0.isEquivalent(to: offered) }
        }
    }
}
