internal import History
package import HunchModel
internal import Learning
internal import Suggestions
internal import Surfaces
internal import Localization

/// Dismissing and muting suggestions.
extension SuggestionDesk {
    /// Dismisses a suggestion, or cancels it if it waits for its device. Returns whether it was still current.
    @discardableResult
    func dismiss(_ identifier: Suggestion.ID, reason: String) async -> Bool {
        let suggestion = board.life(of: identifier)?.suggestion
        let device = reason == SuggestionBoard.never ? suggestion?.device : nil
        let event = SuggestionEvent.dismiss(reason: reason)
        let ended = await endWaits(by: event) {
            localized("it was cancelled before %1 came back", $0)
        } where: {
            $0.id == identifier
        }
        // A suggestion that is being carried out can no longer be answered.
        if ended == 0 {
            guard isOpen(identifier), await apply(event, to: identifier) else { return false }
        }
        guard let device else { return true }
        do {
            try await history.use { store, _ in
                try store.changePolicy(of: device) { policy in
                    policy.suggests = false
                    policy.device = suggestion?.readyDevice?.withShownName ?? policy.device
                }
            }
        } catch {
            problems.report(localized("the policy of a device could not be stored: %1", "\(error)"))
        }
        return true
    }

    /// Dismisses a suggestion from its notification. If this muted the app or silenced the device, informs the user.
    func dismissFromNotification(_ identifier: Suggestion.ID, reason: String) async {
        guard let life = board.life(of: identifier) else { return }
        let wasMuted = isMuted(life.pair)
        guard await dismiss(identifier, reason: reason), isScreenSeen else { return }
        let effect: LastingEffect
        if reason == SuggestionBoard.never, let device = life.suggestion.readyDevice {
            effect = .silenced(device)
            let muted = !wasMuted && isMuted(life.pair) ? life.pair : nil
            undo = (identifier, .silence(of: device.id, muting: muted))
        } else if !wasMuted, isMuted(life.pair) {
            effect = .muted(days: board.limits.muteDays)
            undo = (identifier, .mute(of: life.pair))
        } else {
            return
        }
        do {
            try await surface.announce(effect, of: life.suggestion)
        } catch {
            problems.report(localized("the effect of a dismissal could not be shown: %1", ErrorMapping.logged(error)))
        }
    }

    /// Reverts the effect of a dismissal that the notification announced.
    func undoDismissal(of identifier: Suggestion.ID) async {
        guard let announced = undo, announced.suggestion == identifier else { return }
        undo = nil
        do {
            // The press itself is undone. Earlier dismissals stay in the history.
            try await history.use { store, _ in try store.undoDismissal(of: identifier) }
            switch announced.effect {
            case .mute(let pair): _ = try await unmute(pair)
            case .silence(let device, let pair):
                try await history.use { store, _ in try store.changePolicy(of: device) { $0.suggests = true } }
                if let pair { _ = try await unmute(pair) } else { try await relearn() }
            }
        } catch {
            problems.report(localized("a dismissal could not be undone: %1", ErrorMapping.logged(error)))
        }
    }

    /// Whether a pair is muted now.
    package func isMuted(_ pair: SuggestionPair) -> Bool { board.isMuted(pair, at: configuration.now()) }

    /// Ends a mute and undoes the dismissals that led to it, so that neither the limits nor the habits count them.
    /// Returns whether the pair was muted.
    func unmute(_ pair: SuggestionPair) async throws -> Bool {
        let wasMuted = try await history.use { store, _ in try store.unmute(pair) }
        try await relearn()
        await tell(.unmuted)
        return wasMuted
    }

    private func relearn() async throws {
        try await readLimits()
        await habits.learn()
    }
}

extension AudioDevice {
    /// The device with a name that is safe to show and of limited length.
    package var withShownName: AudioDevice {
        AudioDevice(id: id, name: DisplayText(name, limit: 120).text, kind: kind, transport: transport)
    }
}
