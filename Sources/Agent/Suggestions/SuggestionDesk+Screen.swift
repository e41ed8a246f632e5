internal import FoundationEssentials
internal import History
internal import HunchDBus
internal import HunchModel
internal import Suggestions
internal import Surfaces

/// The visibility of suggestions on a locked screen.
extension SuggestionDesk {
    /// Sets whether the person sees the screen: their session is unlocked and in front.
    ///
    /// On a hidden screen, suggestions show no content, unless the person switched that on, and do not count as shown. Once the
    /// screen is visible, the current suggestion is shown.
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

    /// Shows what stands on a notification server that came, as ``NotificationRecovery`` has it.
    func showOnNewServer() async {
        await settleDisplayProblems()
        await expire()
        do {
            if let first = choices.first, recovery.shows(first, wasShown: true) {
                _ = try await ask(question, choices, for: board.life(of: first)?.requester ?? "")
                return
            }
            guard let life = board.standing, life.state.isOpen else { return }
            let wasShown = if case .shown = life.state { true } else { false }
            guard recovery.shows(life.id, wasShown: wasShown) else { return }
            try await notify(of: life.suggestion, onlyIfGone: true)
        } catch {
            await note?("what is offered could not be shown again: \(ErrorMapping.logged(error))")
        }
    }

    private func noteDisplayProblem(_ problem: String) async {
        displayProblems.insert(problem)
        await note?(problem)
    }

    private func settleDisplayProblems() async {
        let problems = displayProblems
        displayProblems = []
        for problem in problems { await settle?(problem) }
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
    /// - Parameter onlyIfGone: whether to leave a notification alone that is there already.
    /// - Throws: `DBusError` when the bus is gone; `HistoryError` when it cannot be told what may be shown.
    func notify(of suggestion: Suggestion, onlyIfGone: Bool = false) async throws {
        let shown = try await fit(suggestion)
        guard var stage = stage(of: suggestion.id) else { return }
        // The reason may name what was to be played.
        if case .failed = stage, shown.application.isEmpty { stage = .failed("") }
        let wasSeen = isScreenSeen
        // A second choice tells of itself, too.
        let companion = shown == suggestion ? board.companion(of: suggestion.id) : nil
        let lifetime = Duration.clamping(seconds: max(1, suggestion.expiry.timeIntervalSince(configuration.now())))
        // Not cancelled with what offers it: a server that is just being asked would show what nobody knows of any more.
        // It ends by the surface's own deadline.
        let presentation = Task(executorPreference: loop) { [surface, stage] in
            try await surface.present(shown, with: companion, stage: stage, for: lifetime, onlyIfGone: onlyIfGone)
        }
        switch try await presentation.value {
        case .shown:
            await settleDisplayProblems()
            if wasSeen, isScreenSeen { await apply(.show, to: suggestion.id) }
            // It may have ended while the server was asked; then nobody else takes it off the screen.
            switch self.stage(of: suggestion.id) {
            case nil: try await surface.withdraw(suggestion.id)
            case .starting? where stage != .starting: try await surface.withdraw(suggestion.id)
            default: break
            }
        case .inhibited, .unanswerable: break
        case .noServer:
            await noteDisplayProblem("a suggestion could not be shown: no notification server runs; see “hunch doctor”")
        case .refused(let error): await noteDisplayProblem("a suggestion could not be shown: \(error.message)")
        }
    }
}
