internal import History
internal import HunchModel
internal import Learning
internal import Suggestions
internal import Surfaces

/// Dismissing and muting suggestions.
extension SuggestionDesk {
    /// Dismisses a suggestion. Returns whether it was still current.
    @discardableResult
    func dismiss(_ identifier: Suggestion.ID, reason: String) async -> Bool {
        let suggestion = board.life(of: identifier)?.suggestion
        let device = reason == SuggestionBoard.never ? suggestion?.device : nil
        guard await apply(.dismiss(reason: reason), to: identifier) else { return false }
        guard let device else { return true }
        do {
            try await history.use { store, _ in
                try store.changePolicy(of: device) { policy in
                    policy.suggests = false
                    policy.device = suggestion?.readyDevice?.withShownName ?? policy.device
                }
            }
        } catch {
            problems.report("the policy of a device could not be stored: \(error)")
        }
        return true
    }

    /// Dismisses a suggestion from its notification, and tells the person if this muted the app.
    func dismissFromNotification(_ identifier: Suggestion.ID, reason: String) async {
        guard let life = board.life(of: identifier) else { return }
        let wasMuted = board.isMuted(life.pair, at: configuration.now())
        await dismiss(identifier, reason: reason)
        guard !wasMuted, board.isMuted(life.pair, at: configuration.now()), isScreenSeen else { return }
        announcedMute = (identifier, life.pair)
        do {
            try await surface.tellOfMute(of: life.suggestion, for: .clamping(seconds: board.limits.muteTime))
        } catch {
            problems.report("the message about a mute could not be shown: \(ErrorMapping.logged(error))")
        }
    }

    /// Reverts the mute that the notification reported.
    func undoAnnouncedMute(of identifier: Suggestion.ID) async {
        guard let told = announcedMute, told.suggestion == identifier else { return }
        announcedMute = nil
        do {
            _ = try await unmute(told.pair.application, at: told.pair.trigger)
        } catch {
            problems.report("a mute could not be undone: \(ErrorMapping.logged(error))")
        }
    }
}
