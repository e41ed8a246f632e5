internal import HunchDBus
internal import HunchModel
internal import Media
internal import Surfaces

extension SuggestionDesk {
    /// Shows an offer on the card.
    ///
    /// - Parameter keysCountFrom: when a media key counts as the person's; `nil` when there may be no card.
    func showCard(_ suggestion: Suggestion, _ keysCountFrom: MonotonicInstant?) async {
        guard let keysCountFrom else { return await card.withdraw() }
        do {
            if try await card.present(suggestion, keysCountFrom: keysCountFrom) == .nameTaken {
                await note?(
                    "another program is on the bus as \(MPRIS.hunch), so media widgets do not show what is offered")
            }
        } catch {
            await note?("what is offered could not be shown as a player: \(error)")
        }
        // It may have ended meanwhile.
        if !isOpen(suggestion.id) { await card.withdraw(suggestion.id) }
    }

    /// Says from when on media keys count, as after a device was away for a moment.
    func holdKeys(until instant: MonotonicInstant) async { await card.holdKeys(until: instant) }

    /// Takes the card away; what is offered stands.
    func withdrawCard() async { await card.withdraw() }

    /// Does what the person said on the card.
    func handle(_ event: CardEvent) async {
        switch event {
        case .pressed(let identifier):
            // Not waited for: the person may take it back meanwhile.
            Task(executorPreference: loop) { [self] in await takeFromCard(identifier) }
        case .cancelled(let identifier): performances[identifier]?.cancel()
        case .dismissed(let identifier): await dismiss(identifier, reason: "closed")
        }
    }

    private func takeFromCard(_ identifier: Suggestion.ID) async {
        do {
            _ = try await take(identifier, activationToken: nil)
        } catch is CancellationError {
            // The person took it back.
        } catch {
            await note?("a suggestion that was taken could not be carried out: \(ErrorMapping.logged(error))")
            await explain(identifier)
        }
    }
}
