/// What the bus answered to a request for a name.
public enum NameRequestResult: Hashable, Sendable {
    /// This connection owns the name now, or owned it before.
    case owner
    /// Another connection owns it, and this one is next in line.
    case queued
    /// Another connection owns it.
    case taken
}

extension Connection {
    /// Asks for a well-known name.
    ///
    /// - Parameters:
    ///   - replaceable: whether others may take it over.
    ///   - replaces: whether to take it from an owner that allows it.
    ///   - queues: whether to wait in line for it.
    /// - Throws: ``DBusError`` when the bus refuses.
    public func requestName(
        _ name: BusName, replaceable: Bool = false, replaces: Bool = false, queues: Bool = false
    ) async throws -> NameRequestResult {
        let flags: UInt32 = (replaceable ? 1 : 0) | (replaces ? 2 : 0) | (queues ? 0 : 4)
        let code: UInt32 = try await call(.bus, .bus, .bus, "RequestName", name.text, flags)
        switch code {
        case 1, 4: return .owner
        case 2: return .queued
        default: return .taken
        }
    }

    /// Gives a well-known name back.
    public func releaseName(_ name: BusName) async throws {
        let _: UInt32 = try await call(.bus, .bus, .bus, "ReleaseName", name.text)
    }

    /// The unique name that owns a name; `nil` when nobody does.
    public func owner(of name: BusName) async throws -> BusName? {
        try await ownerWithArrival(of: name).owner
    }

    func ownerWithArrival(of name: BusName) async throws -> (owner: BusName?, arrival: UInt64) {
        let answer = try await exchange(
            MethodCall(.bus, .bus, .bus, "GetNameOwner", body: [.string(name.text)]), timeout: .seconds(25))
        if answer.error?.name == .nameHasNoOwner { return (nil, answer.arrival) }
        return (try BusName(answer.checked().arguments(String.self)), answer.arrival)
    }

    /// All names on the bus.
    public func names() async throws -> [BusName] {
        let names: [String] = try await call(.bus, .bus, .bus, "ListNames")
        return try names.map { (name) throws(DBusError) in try BusName(name) }
    }

    /// All names that the bus could start a service for.
    public func activatableNames() async throws -> [BusName] {
        let names: [String] = try await call(.bus, .bus, .bus, "ListActivatableNames")
        return try names.map { (name) throws(DBusError) in try BusName(name) }
    }

    /// Who owns a name: first the present owner, then every change. `nil` means nobody.
    public func owners(of name: BusName) async throws -> NameOwners {
        let stream = try await signals([
            MatchRule(sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged", argument0: name.text)
        ])
        return NameOwners(name: name, connection: self, stream: stream)
    }
}

/// The owners of a name, as they come and go; each differs from the one before.
public struct NameOwners: AsyncSequence, Sendable {
    /// The owner's unique name; `nil` for none.
    public typealias Element = BusName?
    /// It does not fail.
    public typealias Failure = Never

    let name: BusName
    let connection: Connection
    let stream: SignalStream

    /// Starts with the present owner.
    public func makeAsyncIterator() -> Iterator {
        Iterator(name: name, connection: connection, signals: stream.makeAsyncIterator())
    }

    /// Reads the owners.
    public struct Iterator: AsyncIteratorProtocol {
        let name: BusName
        let connection: Connection
        var signals: SignalStream.Iterator
        var current: BusName??

        /// The next owner; the sequence ends with the connection.
        public mutating func next() async -> BusName?? {
            guard current != nil else { return await ask() }
            while let event = await signals.next() {
                guard case .signal(let message) = event else { return await ask() }
                guard let (_, _, text) = try? message.arguments(String.self, String.self, String.self) else { continue }
                let owner = text.isEmpty ? nil : try? BusName(text)
                if .some(owner) == current { continue }
                current = .some(owner)
                return .some(owner)
            }
            return nil
        }

        private mutating func ask() async -> BusName?? {
            do {
                let owner = try await connection.owner(of: name)
                current = .some(owner)
                return .some(owner)
            } catch {
                // The connection is gone or the task was cancelled.
                return nil
            }
        }
    }
}
