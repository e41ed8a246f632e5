internal import CDBus

/// One reader of signals, and what it asked for.
struct Subscription {
    let rules: [MatchRule]
    let buffer: SignalBuffer
}

/// A match rule on the bus, shared by all subscriptions that ask for it.
struct MatchState {
    var count = 1
    var isInstalled = false
    var waiters: [CheckedContinuation<Void, any Error>] = []

    func fail(_ error: DBusError) {
        for waiter in waiters { waiter.resume(throwing: error) }
    }
}

/// Who owns a well-known name that some subscription names as its sender.
struct OwnerState {
    var count = 1
    var owner: BusName?
    /// When the last change arrived.
    var arrival: UInt64 = 0
}

extension Connection {
    /// Subscribes to signals that fit any of some rules. Signals emitted after the return are delivered.
    ///
    /// - Parameters:
    ///   - rules: what is wanted; one stream keeps the order across them, and a signal that fits several comes once.
    ///   - capacity: how many signals may wait for the reader; what comes beyond is counted and reported as
    ///     ``SignalEvent/lost(_:)``.
    /// - Throws: ``DBusError`` when the bus refuses a rule; `CancellationError`.
    public func signals(_ rules: [MatchRule], capacity: Int = 512) async throws -> SignalStream {
        if case .closed(let reason) = state { throw reason }
        nextSubscription += 1
        let identifier = nextSubscription
        let buffer = SignalBuffer(capacity: capacity)
        subscriptions[identifier] = Subscription(rules: rules, buffer: buffer)
        let loop = loop
        let stream = SignalStream(
            buffer: buffer,
            handle: SubscriptionHandle { [weak self] in
                loop.execute { [weak self] in self?.assumeIsolated { $0.unsubscribe(identifier) } }
            })
        var installed: [MatchRule] = []
        do {
            for rule in rules {
                if let sender = rule.sender { try await follow(sender) }
                try await install(rule)
                installed.append(rule)
            }
        } catch {
            subscriptions[identifier] = nil
            for (index, rule) in rules.enumerated() {
                if index < installed.count { uninstall(rule) }
                if index <= installed.count, let sender = rule.sender { unfollow(sender) }
            }
            throw error
        }
        return stream
    }

    private func unsubscribe(_ identifier: Int) {
        guard let subscription = subscriptions.removeValue(forKey: identifier) else { return }
        subscription.buffer.finish()
        for rule in subscription.rules {
            uninstall(rule)
            if let sender = rule.sender { unfollow(sender) }
        }
    }

    // MARK: Match rules

    /// How many match rules the bus holds for this connection.
    public var matchRuleCount: Int { matches.count }

    private func install(_ rule: MatchRule) async throws {
        let text = rule.text
        if let known = matches[text] {
            matches[text]?.count += 1
            guard !known.isInstalled else { return }
            try await withCheckedThrowingContinuation { matches[text]?.waiters.append($0) }
            return
        }
        matches[text] = MatchState()
        do {
            let () = try await call(.bus, .bus, .bus, "AddMatch", text)
        } catch {
            let failed = matches.removeValue(forKey: text)
            let reason = error as? DBusError ?? DBusError(.failed, "adding a match rule was cancelled")
            failed?.fail(reason)
            throw error
        }
        matches[text]?.isInstalled = true
        let waiters = matches[text]?.waiters ?? []
        matches[text]?.waiters = []
        for waiter in waiters { waiter.resume() }
    }

    private func uninstall(_ rule: MatchRule) {
        let text = rule.text
        guard let known = matches[text] else { return }
        if known.count > 1 {
            matches[text]?.count -= 1
        } else {
            matches[text] = nil
            // A connection that is gone has no rules left to remove.
            try? send(MethodCall(.bus, .bus, .bus, "RemoveMatch", body: [.string(text)]))
        }
    }

    // MARK: Owners of senders

    private static func ownerRule(_ name: BusName) -> MatchRule {
        MatchRule(sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged", argument0: name.text)
    }

    private func follow(_ name: BusName) async throws {
        if name.isUnique || name == .bus { return }
        if owners[name] == nil { owners[name] = OwnerState() } else { owners[name]?.count += 1 }
        do {
            try await install(Self.ownerRule(name))
            let answer = try await ownerWithArrival(of: name)
            // The bus sends answers and changes in order: the later of the two tells the present.
            if let known = owners[name], known.arrival < answer.arrival { owners[name]?.owner = answer.owner }
        } catch {
            unfollow(name)
            throw error
        }
    }

    private func unfollow(_ name: BusName) {
        if name.isUnique || name == .bus { return }
        guard let known = owners[name] else { return }
        if known.count > 1 {
            owners[name]?.count -= 1
        } else {
            owners[name] = nil
            uninstall(Self.ownerRule(name))
        }
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
            if let decoded, let (name, _, owner) = try? decoded.arguments(String.self, String.self, String.self) {
                let name = BusName(unchecked: name)
                owners[name]?.owner = owner.isEmpty ? nil : BusName(unchecked: owner)
                owners[name]?.arrival = decoded.arrival
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
