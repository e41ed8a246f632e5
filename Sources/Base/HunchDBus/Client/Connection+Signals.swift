internal import EventLoops
internal import CDBus

/// A subscription of one reader to signals.
struct Subscription {
    let rules: [MatchRule]
    let buffer: SignalBuffer
}

extension Connection {
    /// Subscribes to signals that match any of the rules. Signals emitted after the return are delivered.
    ///
    /// - Parameters:
    ///   - rules: the match rules. One stream keeps the order across them and delivers each signal once.
    ///   - capacity: the maximum number of waiting signals, at least 1. Signals beyond that or beyond
    ///     ``ConnectionLimits/bufferedBytes`` are counted and reported as ``SignalEvent/lost(_:)``.
    /// - Returns: a stream that retains the connection. The rules are removed if the stream and its iterators go.
    /// - Throws: ``DBusError`` if the bus refuses a rule or is gone, with `…InvalidArgs` for a rule that contains a
    ///   zero byte; `CancellationError`.
    public func signals(_ rules: [MatchRule], capacity: Int = 512) async throws -> SignalStream {
        if case .closed(let reason) = state { throw reason }
        nextIdentifier += 1
        let identifier = nextIdentifier
        let buffer = SignalBuffer(capacity: capacity, bytes: limits.bufferedBytes)
        subscriptions[identifier] = Subscription(rules: rules, buffer: buffer)
        let stream = SignalStream(
            buffer: buffer,
            handle: SubscriptionHandle { [self] in execute { $0.unsubscribe(identifier) } })
        var held: [MatchRule] = []
        do {
            for rule in rules {
                try await hold(rule)
                held.append(rule)
            }
        } catch {
            subscriptions[identifier] = nil
            held.forEach(release)
            throw error
        }
        return stream
    }

    private func hold(_ rule: MatchRule) async throws {
        if let sender = rule.sender { try await follow(sender) }
        do {
            try await hold(rule.text)
        } catch {
            if let sender = rule.sender { unfollow(sender) }
            throw error
        }
    }

    private func release(_ rule: MatchRule) {
        release(rule.text)
        if let sender = rule.sender { unfollow(sender) }
    }

    private func unsubscribe(_ identifier: Int) {
        guard let subscription = subscriptions.removeValue(forKey: identifier) else { return }
        subscription.buffer.finish()
        subscription.rules.forEach(release)
    }

    // MARK: Routing

    func receiveSignal(_ message: OpaquePointer) {
        guard let path = dbus_message_get_path(message), let interface = dbus_message_get_interface(message),
            let member = dbus_message_get_member(message)
        else { return }
        let header = SignalHeader(
            sender: dbus_message_get_sender(message).map { BusName(unchecked: String(cString: $0)) },
            path: ObjectPath(unchecked: String(cString: path)),
            interface: InterfaceName(unchecked: String(cString: interface)),
            member: MemberName(unchecked: String(cString: member)), argument0: Self.firstString(of: message))
        var decoded: Message?
        if header.sender == .bus, header.member == "NameOwnerChanged" {
            decoded = try? decode(message)
            if let decoded, let change = decoded.ownerChange {
                note(owner: change.owner, of: change.name, arrival: decoded.arrival)
            }
        }
        for subscription in subscriptions.values {
            let fits = subscription.rules.contains { rule in
                rule.matches(header, senderOwner: rule.sender.flatMap { owners[$0]?.owner })
            }
            guard fits else { continue }
            if decoded == nil { decoded = try? decode(message) }
            subscription.buffer.push(decoded)
        }
    }

    private static func firstString(of message: OpaquePointer) -> String? {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0,
            dbus_message_iter_get_arg_type(&iterator) == Int32(UInt8(ascii: "s"))
        else { return nil }
        var basic = DBusBasicValue()
        dbus_message_iter_get_basic(&iterator, &basic)
        return basic.str.map { String(cString: $0) }
    }
}
