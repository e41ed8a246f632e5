internal import EventLoops
internal import HunchDBus

extension NotificationSurface {
    /// The maximum number of signals kept during a call to the server. Nobody presses more buttons in that time.
    static let heldSignals = 64
    /// The maximum length of an activation token, in bytes.
    static let tokenLimit = 4_096

    /// Returns a new stream of the events from now on, which keeps the newest 64 unread events.
    ///
    /// It ends when the reading task is cancelled.
    public func events() -> AsyncStream<NotificationEvent> {
        let (stream, continuation) = AsyncStream<NotificationEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
        nextReader += 1
        let reader = nextReader
        readers[reader] = continuation
        continuation.onTermination = { [weak self] _ in self?.execute { $0.readers[reader] = nil } }
        return stream
    }

    /// Follows the notification server's signals until the task is cancelled or the bus connection ends.
    ///
    /// - Throws: ``DBusError`` if the bus refuses the subscription.
    public func run() async throws {
        let signals = try await subscribe()
        defer { stream = nil }
        for await event in signals {
            switch event {
            case .signal(let message) where isNotifying:
                if held.count < Self.heldSignals { held.append(message) }
            case .signal(let message): take(message)
            case .lost:
                // Presses and closings were lost too. Check at least whether the notification's server still runs.
                let owner = try? await bus.owner(of: .notifications)
                for gone in shown where gone.owner != owner {
                    remove(gone)
                    tell(.closed(suggestion: gone.suggestion, reason: .serverGone))
                }
                if owner != nil, owner != known?.owner { tell(.serverAppeared) }
            }
        }
    }

    /// Subscribes once to all signals, which preserves their order.
    func subscribe() async throws -> SignalStream {
        if let stream { return stream }
        let fresh = try await bus.signals([
            MatchRule(sender: .notifications, path: .notifications, interface: .notifications),
            .ownerChanges(of: .notifications),
        ])
        // A concurrent call may have subscribed meanwhile.
        if let stream { return stream }
        stream = fresh
        return fresh
    }

    /// Applies the outcome of a call to `Notify`, then the signals received during the call.
    ///
    /// - Parameters:
    ///   - next: the new notification; `nil` if the call failed.
    ///   - former: the notification that it replaced.
    func settle(_ next: Shown?, inPlaceOf former: Shown?) {
        let messages = held
        held = []
        if let next {
            // One change, so that the record never lacks a notification.
            shown =
                shown.filter { other in
                    ![next, former].contains { $0?.number == other.number && $0?.owner == other.owner }
                } + [next]
            self.former = former.map { ($0, next.since) }
        }
        for message in messages { take(message) }
    }

    /// Applies a signal to the notification that it concerns. A signal that arrived before the reply to `Notify`
    /// concerns the former notification, which may have had the same number.
    private func take(_ message: Message) {
        defer { if message.isArrivalOfServer { tell(.serverAppeared) } }
        if let former, message.arrival < former.until {
            switch former.shown.outcome(of: message) {
            case .token(let token): self.former?.shown.token = token
            case .ended(let event):
                self.former = nil
                tell(event)
            case .none: break
            }
        }
        for (index, current) in shown.enumerated().reversed() where message.arrival >= current.since {
            switch current.outcome(of: message) {
            case .none: break
            case .token(let token): shown[index].token = token
            case .ended(let event):
                // Most servers close a pressed notification by themselves. For the others, close it here. Closing fails
                // only if the bus is gone, and the notification with it.
                if case .activated = event { try? close(current) } else { remove(current) }
                tell(event)
            }
        }
    }

    private func tell(_ event: NotificationEvent) {
        for reader in readers.values { reader.yield(event) }
    }
}

extension NotificationSurface.Shown {
    enum Outcome {
        case none
        case token(String)
        case ended(NotificationEvent)
    }

    /// Returns the outcome of a signal for this notification.
    func outcome(of message: Message) -> Outcome {
        if message.interface == .bus {
            guard message.changeOfServer?.former == owner.text else { return .none }
            return .ended(.closed(suggestion: suggestion, reason: .serverGone))
        }
        // Other programs on the bus can send such signals too, with any number.
        guard message.sender == owner, message.interface == .notifications, message.body.first == .uint32(number)
        else { return .none }
        switch message.member {
        case "ActivationToken":
            guard let (_, token) = try? message.arguments(UInt32.self, String.self),
                token.utf8.count <= NotificationSurface.tokenLimit
            else { return .none }
            return .token(token)
        case "ActionInvoked":
            guard let (_, key) = try? message.arguments(UInt32.self, String.self),
                let action = ActionKey.meaning(of: key)
            else { return .none }
            return .ended(.activated(suggestion: suggestion, action: action, token: token))
        case "NotificationClosed":
            guard let (_, code) = try? message.arguments(UInt32.self, UInt32.self) else { return .none }
            let reason = NotificationEvent.CloseReason(code: code, from: traits)
            return .ended(.closed(suggestion: suggestion, reason: reason))
        default: return .none
        }
    }
}

extension Message {
    /// The former and the new owner of the notification server's name, empty for none; `nil` for other messages.
    fileprivate var changeOfServer: (former: String, next: String)? {
        guard interface == .bus, let (name, former, next) = try? arguments(String.self, String.self, String.self),
            name == BusName.notifications.text
        else { return nil }
        return (former, next)
    }

    fileprivate var isArrivalOfServer: Bool { changeOfServer.map { !$0.next.isEmpty } ?? false }
}
