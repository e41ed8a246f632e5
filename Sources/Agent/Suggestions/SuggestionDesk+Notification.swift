internal import HunchDBus
internal import HunchModel
internal import Suggestions
internal import Surfaces

/// The offer as a notification.
extension SuggestionDesk {
    /// Returns the state of notifications: `available`, `inhibited`, `activatable`, `absent` or `unreachable`. Does
    /// not start a server, and waits for one that hangs for at most two seconds.
    func notificationState() async -> String {
        do {
            return try await withDeadline(.seconds(2), on: loop) { [bus, surface] in
                let name: BusName = "org.freedesktop.Notifications"
                guard try await bus.owner(of: name) != nil else {
                    return try await bus.activatableNames().contains(name) ? "activatable" : "absent"
                }
                guard let server = try await surface.server() else { return "absent" }
                return try await surface.isInhibited(server) ? "inhibited" : "available"
            }
        } catch {
            return "unreachable"
        }
    }

    /// Does what the person said on the notification.
    func handle(_ event: NotificationEvent) async {
        switch event {
        case .activated(let identifier, .notNow, _): await turnDown(identifier, reason: "not-now")
        case .activated(let identifier, .undo, _): await undoMute(toldOf: identifier)
        case .activated(let identifier, .never, _): await dismiss(identifier, reason: Self.never)
        case .activated(let identifier, .companion, let token):
            if let companion = board.companion(of: identifier) { await takeFromNotification(companion.id, token) }
        case .activated(let identifier, .choice(let place), let token):
            guard choices.first == identifier, choices.indices.contains(place) else { return }
            let chosen = choices[place]
            await endChoices(but: chosen, because: "another app was chosen")
            await takeFromNotification(chosen, token)
        case .activated(let identifier, _, let token): await takeFromNotification(identifier, token)
        case .closed(let identifier, .dismissed):
            if choices.first == identifier {
                await endChoices(but: identifier, because: "the question was closed")
            }
            await turnDown(identifier, reason: "closed")
        case .closed(let identifier, .serverGone): recovery.lose(identifier)
        case .closed: break
        case .serverAppeared: await showOnNewServer()
        }
    }

    private func takeFromNotification(_ identifier: Suggestion.ID, _ token: String?) async {
        do {
            // Nobody is told when it is not offered any more: it was pressed just as it ended.
            _ = try await take(identifier, activationToken: token)
        } catch {
            await note?("a suggestion that was taken could not be carried out: \(ErrorMapping.logged(error))")
            await explain(identifier)
        }
    }

    /// The stage that the notification of a suggestion is to tell of; `nil` when the suggestion is over.
    func stage(of identifier: Suggestion.ID) -> NotificationStage? {
        guard let life = board.life(of: identifier) else { return nil }
        if case .accepted = life.state { return .starting }
        return failures[identifier].map(NotificationStage.failed) ?? .offered
    }

    /// Shows why a suggestion could not be carried out. It may be taken again there.
    func explain(_ identifier: Suggestion.ID) async {
        guard let life = board.life(of: identifier), life.state.isOpen else { return }
        await showAgain(life.suggestion)
    }

    /// Shows that what the person took has not begun yet.
    func tellStarting(_ identifier: Suggestion.ID) async {
        guard stage(of: identifier) == .starting, let life = board.life(of: identifier) else { return }
        await showAgain(life.suggestion)
    }

    private func showAgain(_ suggestion: Suggestion) async {
        do {
            try await notify(of: suggestion)
        } catch {
            await note?("what became of a suggestion could not be shown: \(ErrorMapping.logged(error))")
        }
    }
}
