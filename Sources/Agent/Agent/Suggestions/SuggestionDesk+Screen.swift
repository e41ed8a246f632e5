internal import EventLoops
internal import FoundationEssentials
internal import History
internal import HunchDBus
package import HunchModel
internal import Learning
internal import Suggestions
internal import Surfaces
internal import Localization

/// The visibility of suggestions on a locked screen.
extension SuggestionDesk {
    /// Sets whether the user sees the screen: their session is unlocked and in front.
    ///
    /// On a hidden screen, suggestions show no content, unless the user switched that on, and do not count as shown. Once the
    /// screen is visible, the current suggestions are shown.
    func setScreen(isSeen: Bool) async {
        guard isSeen != isScreenSeen else { return }
        isScreenSeen = isSeen
        await showAnew()
    }

    /// Shows the current suggestions in the form that the screen allows now.
    func showAnew() async {
        // It may have expired while the machine slept.
        await expire()
        for life in board.standing where life.state.isOpen {
            do {
                try await card.change(fit(life.suggestion))
                // A notification that was seen and disappeared does not come back.
                if case .shown = life.state, await !surface.shownSuggestions.contains(life.id) { continue }
                try await notify(of: life.suggestion)
            } catch {
                problems.report(localized("a suggestion could not be updated: %1", ErrorMapping.logged(error)))
            }
        }
    }

    /// Shows the current suggestions on a new notification server, as ``NotificationRecovery`` decides.
    func showOnNewServer() async {
        await settleDisplayProblems()
        await expire()
        do {
            if let asked, let first = asked.choices.first, recovery.shows(first, wasShown: true) {
                _ = try await ask(asked.question, asked.choices, for: board.life(of: first)?.requester ?? "")
                return
            }
            for life in board.standing where life.state.isOpen {
                let wasShown = if case .shown = life.state { true } else { false }
                guard recovery.shows(life.id, wasShown: wasShown) else { continue }
                try await notify(of: life.suggestion, onlyIfGone: true)
            }
        } catch {
            problems.report(localized("a suggestion could not be shown again: %1", ErrorMapping.logged(error)))
        }
    }

    /// Shows the suggestions that Do Not Disturb holds back once that has ended, if they are still open.
    ///
    /// Asks at intervals, because most servers do not report the end.
    private func awaitEndOfDoNotDisturb() {
        if let disturbanceTimer { loop.cancel(disturbanceTimer) }
        disturbanceTimer = loop.schedule(after: configuration.disturbanceTime) { [weak self, loop] in
            Task(executorPreference: loop) { await self?.showThoseNotShown() }
        }
    }

    private func showThoseNotShown() async {
        disturbanceTimer = nil
        await expire()
        for identifier in board.standing.map(\.id) {
            guard let life = board.life(of: identifier), case .offered(let date) = life.state else { continue }
            // A device that disconnected may come back for some seconds. Until then, nothing is shown for it.
            if let device = life.suggestion.readyDevice?.id, await present.now().device != device {
                awaitEndOfDoNotDisturb()
            } else {
                await showAgain(life.suggestion)
                if case .shown = board.life(of: identifier)?.state {
                    note(life.suggestion.context.trigger, after: date, wasOffered: true, hold: nil)
                }
            }
        }
    }

    private func noteDisplayProblem(_ problem: String) async {
        displayProblems.insert(problem)
        problems.report(problem)
    }

    private func settleDisplayProblems() async {
        let shown = displayProblems
        displayProblems = []
        for problem in shown { problems.settle(problem) }
    }

    /// Whether a notification makes no sound. Only the first one of a departure or a call may: not after a change, a pause or a
    /// restart. Their identifiers stay the same.
    private func isSilent(_ suggestion: Suggestion, _ stage: NotificationStage) async -> Bool {
        guard suggestion.isUrgent, stage == .offered, !sounded.contains(suggestion.id) else { return true }
        return await appointmentOutcomes()[suggestion.id] != nil
    }

    /// Returns a suggestion in the form that may be shown now.
    package func fit(_ suggestion: Suggestion) async throws -> Suggestion {
        if isScreenSeen { return suggestion }
        let showsTitles = try await history.use { store, _ in
            try store.settings().switchedOn.contains(.lockScreenTitles)
        }
        // The screen may have been unlocked meanwhile.
        return showsTitles || isScreenSeen ? suggestion : suggestion.withoutContent
    }

    /// Shows a suggestion as a notification, in its current stage.
    ///
    /// - Parameter onlyIfGone: whether to leave an existing notification unchanged.
    /// - Returns: the reason why the user does not see it; `nil` if they do, or if it has ended.
    /// - Throws: `DBusError` if the bus is gone; `HistoryError` if the settings for what may be shown cannot be read.
    @discardableResult
    func notify(of suggestion: Suggestion, onlyIfGone: Bool = false) async throws -> Hold? {
        let shown = try await fit(suggestion)
        guard var stage = stage(of: suggestion.id) else { return nil }
        // The reason may contain the title.
        if shown.application.isEmpty {
            switch stage {
            case .failed(_, let playsAnew): stage = .failed("", playsAnew: playsAnew)
            case .waiting: stage = .starting
            case .offered, .starting: break
            }
        }
        let wasSeen = isScreenSeen
        let isSilent = await isSilent(suggestion, stage)
        // The companions show their own content.
        let alternatives = shown == suggestion ? board.companions(of: suggestion.id) : []
        if !suggestion.isUrgent { companions = (suggestion.id, alternatives.map(\.id)) }
        let lifetime = Duration.clamping(seconds: max(1, suggestion.expiry.timeIntervalSince(configuration.now())))
        // Not cancelled with the caller: a server that is being asked would show a notification that no one tracks.
        // The surface has its own deadline.
        let presentation = Task(executorPreference: loop) { [surface, stage] in
            try await surface.present(
                shown, with: alternatives, stage: stage, for: lifetime, onlyIfGone: onlyIfGone, isSilent: isSilent)
        }
        switch try await presentation.value {
        case .shown:
            await settleDisplayProblems()
            if !isSilent { sounded.insert(suggestion.id) }
            if wasSeen, isScreenSeen { await apply(.show, to: suggestion.id) }
            // If it ended while the server was asked, it has to be closed here.
            switch self.stage(of: suggestion.id) {
            case nil: try await surface.withdraw(suggestion.id)
            case let now? where now.isAccepted && !stage.isAccepted: try await surface.withdraw(suggestion.id)
            default: break
            }
            return nil
        case .inhibited:
            awaitEndOfDoNotDisturb()
            return .doNotDisturb
        case .unanswerable: return .notDisplayed
        case .noServer:
            await noteDisplayProblem(
                localized("a suggestion could not be shown: no notification server runs; see “hunch doctor”"))
            return .notDisplayed
        case .refused(let error):
            await noteDisplayProblem("a suggestion could not be shown: \(error.message)")
            return .notDisplayed
        }
    }
}
