internal import EventLoops

/// A match rule on the bus, shared by all subscriptions that need it.
struct MatchState {
    /// An identifier that distinguishes this rule from a later one with the same text.
    let identifier: Int
    var count = 0
    var isInstalled = false
    var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
}

/// The owner of a well-known name that is the sender of a subscription or was called.
struct OwnerState {
    var count = 0
    var owner: BusName?
    /// The arrival of the last change or answer; see ``Message/arrival``.
    var arrival: UInt64 = 0
}

extension Connection {
    /// The number of match rules that the bus holds for this connection.
    public var matchRuleCount: Int { matches.count }

    /// Retains a match rule until ``release(_:)``. The bus has the rule on return. On error, nothing is retained.
    func hold(_ rule: String) async throws {
        try Task.checkCancellation()
        nextIdentifier += 1
        let waiter = nextIdentifier
        let ticket = Ticket()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                guard !ticket.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                do {
                    if matches[rule] == nil { try add(rule) }
                } catch {
                    return continuation.resume(throwing: error)
                }
                matches[rule]?.count += 1
                if matches[rule]?.isInstalled == true {
                    continuation.resume()
                } else {
                    matches[rule]?.waiters[waiter] = continuation
                }
            }
        } onCancel: {
            execute {
                ticket.isCancelled = true
                $0.abandon(rule, waiter)
            }
        }
    }

    /// Releases a match rule. The last release removes it from the bus.
    func release(_ rule: String) {
        guard let count = matches[rule]?.count else { return }
        if count > 1 {
            matches[rule]?.count -= 1
        } else {
            matches[rule] = nil
            remove(rule)
        }
    }

    /// Adds a rule on the bus, independently of any subscriber's task: if one is cancelled, others may still wait.
    private func add(_ rule: String) throws(DBusError) {
        nextIdentifier += 1
        let identifier = nextIdentifier
        try exchange(
            MethodCall(.bus, .bus, .bus, "AddMatch", body: [.string(rule)]), timeout: .seconds(25)
        ) { [weak self] result in
            self?.assumeIsolated {
                $0.added(rule, identifier, result.flatMap { reply in Result { try reply.checked() } })
            }
        }
        matches[rule] = MatchState(identifier: identifier)
    }

    private func added(_ rule: String, _ identifier: Int, _ result: Result<Message, any Error>) {
        // The rule was removed meanwhile, also on the bus.
        guard let match = matches[rule], match.identifier == identifier else { return }
        switch result {
        case .success:
            matches[rule]?.isInstalled = true
            matches[rule]?.waiters = [:]
            for waiter in match.waiters.values { waiter.resume() }
        case .failure(let error):
            matches[rule] = nil
            // Without the rule, nothing reports changes of the name's owner.
            if let index = destinations.firstIndex(where: { MatchRule.ownerChanges(of: $0).text == rule }) {
                unfollow(destinations.remove(at: index))
            }
            // The bus may still add the rule after a timeout.
            if (error as? DBusError)?.name == .noReply { remove(rule) }
            for waiter in match.waiters.values { waiter.resume(throwing: error) }
        }
    }

    private func abandon(_ rule: String, _ waiter: Int) {
        guard let continuation = matches[rule]?.waiters.removeValue(forKey: waiter) else { return }
        release(rule)
        continuation.resume(throwing: CancellationError())
    }

    private func remove(_ rule: String) {
        // A closed connection has no rules left to remove.
        try? send(MethodCall(.bus, .bus, .bus, "RemoveMatch", body: [.string(rule)]), beyondLimit: true)
    }

    // MARK: Owners of names

    /// Records the owner of a name, unless newer information is known. The bus sends answers and changes in order, so
    /// the later of the two is right.
    func note(owner: BusName?, of name: BusName, arrival: UInt64) {
        if let owner { acceptReplies(of: owner, as: name) }
        guard let known = owners[name], known.arrival < arrival else { return }
        owners[name]?.owner = owner
        owners[name]?.arrival = arrival
    }

    private func acceptReplies(of owner: BusName, as name: BusName) {
        for (serial, call) in pending where call.destination == name && !call.repliers.contains(owner) {
            pending[serial]?.repliers.append(owner)
        }
    }

    /// Tracks the owner of a name until ``unfollow(_:)``. On error, nothing is tracked.
    func follow(_ name: BusName) async throws {
        if name.isUnique || name == .bus { return }
        try await hold(MatchRule.ownerChanges(of: name).text)
        owners[name, default: OwnerState()].count += 1
        do {
            let answer = try await ownerWithArrival(of: name)
            note(owner: answer.owner, of: name, arrival: answer.arrival)
        } catch {
            unfollow(name)
            throw error
        }
    }

    /// Ends the tracking that ``follow(_:)`` started.
    func unfollow(_ name: BusName) {
        if name.isUnique || name == .bus { return }
        guard let count = owners[name]?.count else { return }
        if count > 1 { owners[name]?.count -= 1 } else { owners[name] = nil }
        release(MatchRule.ownerChanges(of: name).text)
    }

    // MARK: Owners of destinations

    /// The maximum number of well-known names whose owners are tracked because they were called.
    static let trackedDestinations = 64

    /// Tracks the owner of a name before a call, to know whose reply counts. The bus works in order, so it answers this
    /// request before it delivers the call.
    ///
    /// - Throws: ``DBusError`` if the request cannot be sent.
    func track(_ name: BusName) throws(DBusError) {
        if name.isUnique || name == .bus || name == destinations.last { return }
        if let index = destinations.firstIndex(of: name) {
            destinations.append(destinations.remove(at: index))
            return
        }
        let rule = MatchRule.ownerChanges(of: name).text
        if matches[rule] == nil { try add(rule) }
        matches[rule]?.count += 1
        owners[name, default: OwnerState()].count += 1
        destinations.append(name)
        do {
            try exchange(
                MethodCall(.bus, .bus, .bus, "GetNameOwner", body: [.string(name.text)]), timeout: .seconds(25)
            ) { [weak self] result in
                // An error means that the name has no owner. A signal reports a later owner.
                guard let answer = try? result.get(), let text = try? answer.arguments(String.self) else { return }
                self?.assumeIsolated {
                    $0.note(owner: BusName(unchecked: text), of: name, arrival: answer.arrival)
                }
            }
        } catch {
            destinations.removeLast()
            unfollow(name)
            throw error
        }
        forgetDestinations()
    }

    /// Ends the tracking of the least recently called name that owes no reply, if too many are tracked.
    private func forgetDestinations() {
        guard destinations.count > Self.trackedDestinations else { return }
        let waiting = Set(pending.values.map(\.destination))
        guard let index = destinations.dropLast().firstIndex(where: { !waiting.contains($0) }) else { return }
        unfollow(destinations.remove(at: index))
    }
}
