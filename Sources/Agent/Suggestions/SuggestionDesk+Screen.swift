internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Suggestions
internal import Surfaces

/// What is shown to whom: on a locked screen everybody looks.
extension SuggestionDesk {
    /// Takes in whether the person sees the screen: their session is unlocked and in front.
    ///
    /// What they do not see tells nothing of itself, unless they switched that on, and does not count as shown. Once they
    /// see it, what still stands is shown to them.
    func setScreen(isSeen: Bool) async {
        guard isSeen != isScreenSeen else { return }
        isScreenSeen = isSeen
        await showAnew()
    }

    /// Shows what stands as the screen allows it now.
    func showAnew() async {
        // Its time may have passed while the machine slept.
        await expire()
        guard let life = board.standing, life.state.isOpen else { return }
        do {
            try await card.change(fit(life.suggestion))
            // What was seen and has left the screen does not come back.
            if case .shown = life.state, await surface.shownSuggestion != life.id { return }
            try await notify(of: life.suggestion)
        } catch {
            await note?("what is offered could not be shown anew: \(ErrorMapping.logged(error))")
        }
    }

    /// A suggestion as it may be shown now.
    func fit(_ suggestion: Suggestion) async throws -> Suggestion {
        if isScreenSeen { return suggestion }
        let showsTitles = try await history.use { store, _ in try store.settings().showsTitlesWhenLocked }
        // It may have been unlocked meanwhile.
        return showsTitles || isScreenSeen ? suggestion : suggestion.withoutContent
    }

    /// Puts a suggestion on the screen as a notification, at the stage at which it is.
    ///
    /// - Throws: `DBusError` when the bus is gone; `HistoryError` when it cannot be told what may be shown.
    func notify(of suggestion: Suggestion) async throws {
        let shown = try await fit(suggestion)
        guard var stage = stage(of: suggestion.id) else { return }
        // The reason may name what was to be played.
        if case .failed = stage, shown.application.isEmpty { stage = .failed("") }
        let wasSeen = isScreenSeen
        let companion = board.companion(of: suggestion.id)
        let lifetime = Duration.seconds(max(1, suggestion.expiry.timeIntervalSince(configuration.now())))
        // Not cancelled with what offers it: a server that is just being asked would show what nobody knows of any more.
        // It ends by the surface's own deadline.
        let presentation = Task(executorPreference: loop) { [surface, stage] in
            try await surface.present(shown, with: companion, stage: stage, for: lifetime)
        }
        switch try await presentation.value {
        case .shown:
            if wasSeen, isScreenSeen { await apply(.show, to: suggestion.id) }
            // It may have ended while the server was asked; then nobody else takes it off the screen.
            switch self.stage(of: suggestion.id) {
            case nil: try await surface.withdraw(suggestion.id)
            case .starting? where stage != .starting: try await surface.withdraw(suggestion.id)
            default: break
            }
        case .inhibited, .unanswerable: break
        case .noServer: await note?("a suggestion could not be shown: no notification server runs; see “hunch doctor”")
        case .refused(let error): await note?("a suggestion could not be shown: \(error.message)")
        }
    }
}
