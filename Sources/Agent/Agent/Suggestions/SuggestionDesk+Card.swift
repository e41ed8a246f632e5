internal import AgentInterface
package import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Suggestions
package import Surfaces
internal import Localization

extension SuggestionDesk {
    /// The subject of a problem with the card, which the next one that is shown solves.
    private static let showingCard = "card"

    /// Shows a suggestion on the card.
    ///
    /// - Parameter keysCountFrom: the instant from which a media key counts as the user's; `nil` if no card may be
    ///   shown.
    func showCard(_ suggestion: Suggestion, _ keysCountFrom: MonotonicInstant?) async {
        guard let keysCountFrom else { return await card.withdraw() }
        do {
            if try await card.present(suggestion, keysCountFrom: keysCountFrom) == .nameTaken {
                problems.report(
                    localized(
                        "another program is on the bus as %1, so media widgets do not show the suggestion",
                        HunchNames.card), about: Self.showingCard)
            } else {
                problems.settle(Self.showingCard)
            }
        } catch {
            problems.report(
                localized("a suggestion could not be shown as a player: %1", "\(error)"), about: Self.showingCard)
        }
        // The suggestion may have ended meanwhile.
        if !isOpen(suggestion.id) { await card.withdraw(suggestion.id) }
    }

    /// Sets the instant from which media keys count, for example after a brief disconnect.
    package func holdKeys(until instant: MonotonicInstant) async { await card.holdKeys(until: instant) }

    /// Withdraws the card. The suggestion stays.
    package func withdrawCard() async { await card.withdraw() }

    /// Handles the user's answer on the card.
    package func handle(_ event: CardEvent) async {
        switch event {
        case .pressed(let identifier):
            // Not awaited: the user may cancel it meanwhile.
            Task(executorPreference: loop) { [self] in await takeFromSurface(identifier) }
        case .cancelled(let identifier): handlings[identifier]?.performance?.cancel()
        case .closed(let identifier): await apply(.close, to: identifier)
        }
    }
}
