package import HunchModel

/// Withdrawing suggestions for actions that were just done.
extension SuggestionDesk {
    /// Withdraws suggestions for actions that were just done.
    package func withdrawOffers(of done: [Donation]) async {
        await withdraw(because: "it was done already") { suggestion in
            guard case .open(let offered) = suggestion.action else { return false }
            return done.contains { $0.isEquivalent(to: offered) }
        }
    }
}
