internal import AgentInterface
internal import Apps
internal import EventLoops
internal import HunchDBus
package import HunchModel
internal import Learning
internal import Suggestions
package import Surfaces
internal import Localization

/// Suggestions as notifications.
extension SuggestionDesk {
    /// Returns the state of notifications: `available`, `inhibited`, `activatable`, `absent` or `unreachable`. Does
    /// not start a server, and waits at most two seconds for one that hangs.
    func notificationReport() async -> PartReport {
        let title = localized("notifications")
        @Sendable func part(_ state: String, _ text: String, _ level: PartReport.Level = .ok) -> PartReport {
            PartReport("notifications", title, state: state, text, level)
        }
        let absent = part("absent", localized("the desktop shows none"), .limited)
        do {
            return try await withDeadline(.seconds(2), on: loop) { [bus, surface] in
                let name: BusName = "org.freedesktop.Notifications"
                guard try await bus.owner(of: name) != nil else {
                    guard try await bus.activatableNames().contains(name), await surface.mayStartServer() else {
                        return absent
                    }
                    return part("activatable", localized("starts when needed"))
                }
                guard let server = try await surface.server() else { return absent }
                return try await surface.isInhibited(server)
                    ? part("inhibited", localized("held back by Do Not Disturb"), .off)
                    : part("available", localized("available"))
            }
        } catch {
            return PartReport("notifications", title, state: "unreachable", nil, .limited)
        }
    }

    /// Handles the user's answer on the notification.
    package func handle(_ event: NotificationEvent) async {
        switch event {
        case .activated(let identifier, .notNow, _): await dismissFromNotification(identifier, reason: "not-now")
        case .activated(let identifier, .undo, _): await undoDismissal(of: identifier)
        case .activated(_, .settings, let token): await openSettings(activationToken: token)
        case .activated(let identifier, .never, _):
            await dismissFromNotification(identifier, reason: SuggestionBoard.never)
        case .activated(let identifier, .companion(let index), let token):
            guard companions.suggestion == identifier, companions.shown.indices.contains(index) else { return }
            await takeFromSurface(companions.shown[index], activationToken: token)
        case .activated(let identifier, .choice(let place), let token):
            guard let asked, asked.choices.first == identifier, asked.choices.indices.contains(place) else { return }
            let chosen = asked.choices[place]
            await endChoices(but: chosen, because: "another app was chosen")
            await takeFromSurface(chosen, activationToken: token)
        case .activated(let identifier, _, let token): await takeFromSurface(identifier, activationToken: token)
        case .closed(let identifier, .dismissed):
            if asked?.choices.first == identifier {
                await endChoices(but: identifier, because: "the question was closed")
            }
            await apply(.close, to: identifier)
        case .closed(let identifier, .serverGone): recovery.lose(identifier)
        case .closed: break
        case .serverAppeared: await showOnNewServer()
        }
    }

    /// Removes the button of a companion that has ended from the notification of its suggestion.
    func removeButton(of companion: SuggestionLife) async throws {
        guard let principal = companion.companionOf.flatMap(board.life), principal.state.isOpen,
            await surface.shownSuggestions.contains(principal.id)
        else { return }
        try await notify(of: principal.suggestion)
    }

    /// Opens the window. The suggestion stays.
    private func openSettings(activationToken token: String?) async {
        do {
            _ = try await launcher.launch(HunchNames.settingsEntry, activationToken: token)
        } catch {
            problems.report(
                localized("the window (hunch-settings) could not be opened: %1", ErrorMapping.logged(error)))
        }
    }

    /// The subject of a problem with carrying out a suggestion, which its end or the next success solves.
    static let carryingOut = "carrying out"

    /// Carries out a suggestion that the user took on a surface, and explains a failure there.
    func takeFromSurface(_ identifier: Suggestion.ID, activationToken token: String? = nil) async {
        let suggestion = board.life(of: identifier)?.suggestion
        do {
            // Not reported if the suggestion has just ended.
            _ = try await take(identifier, activationToken: token)
        } catch is CancellationError, is Interruption {
            // The user cancelled it, or was told already.
        } catch {
            // A device that left is not a fault of Hunch.
            if (error as? any SuggestionFailure)?.isFinal != true {
                problems.report(
                    localized("a suggestion that was taken could not be carried out: %1", ErrorMapping.logged(error)),
                    about: Self.carryingOut)
            }
            if let suggestion { await tellFailure(of: suggestion, error) }
        }
    }

    /// Returns the stage that a suggestion's notification should show; `nil` if the suggestion has ended.
    func stage(of identifier: Suggestion.ID) -> NotificationStage? {
        guard let life = board.life(of: identifier) else { return nil }
        if case .accepted = life.state {
            return handlings[identifier]?.awaitedDevice.map(NotificationStage.waiting(for:)) ?? .starting
        }
        return handlings[identifier]?.failure ?? .offered
    }

    /// Shows why a suggestion could not be carried out. Unless it has ended, the user can retry from there.
    func tellFailure(of suggestion: Suggestion, _ failure: any Error) async {
        if let life = board.life(of: suggestion.id) {
            if life.state.isOpen { await showAgain(life.suggestion) }
            return
        }
        guard isScreenSeen else { return }
        do {
            let playsAnew = (failure as? any SuggestionFailure)?.playsAnew == true
            try await surface.announce(
                .failed(ErrorMapping.sentence(failure), playsAnew: playsAnew), of: suggestion)
        } catch {
            problems.report(localized("a failure could not be shown: %1", ErrorMapping.logged(error)))
        }
    }

    /// Shows that an accepted suggestion has not begun yet.
    func tellStarting(_ identifier: Suggestion.ID) async {
        guard stage(of: identifier) == .starting, let life = board.life(of: identifier) else { return }
        // A task list shows nothing that could start.
        if case .remind = life.suggestion.action { return }
        await showAgain(life.suggestion)
    }

    func showAgain(_ suggestion: Suggestion) async {
        do {
            try await notify(of: suggestion)
        } catch {
            problems.report(
                localized("a suggestion could not be updated on the screen: %1", ErrorMapping.logged(error)))
        }
    }
}
