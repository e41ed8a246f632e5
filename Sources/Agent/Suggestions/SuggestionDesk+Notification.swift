internal import HunchDBus
internal import HunchModel
internal import Suggestions
internal import Surfaces

/// The offer as a notification.
extension SuggestionDesk {
    /// How notifications stand: `available`, `inhibited`, `activatable`, `absent` or `unreachable`. Asking starts no
    /// server, and one that hangs is waited for no longer than two seconds.
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
        }
    }
}
