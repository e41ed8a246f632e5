/// The bus's answer to a request for a name.
public enum NameRequestResult: Hashable, Sendable {
    /// This connection owns the name.
    case owner
    /// Another connection owns the name, and this one waits in the queue.
    case queued
    /// Another connection owns the name.
    case taken
}

extension Connection {
    /// Requests a well-known name.
    ///
    /// - Parameters:
    ///   - replaceable: whether other connections may take over the name.
    ///   - replaces: whether to take over the name from an owner that allows it.
    ///   - queues: whether to wait in the queue for the name.
    /// - Throws: ``DBusError`` if the bus refuses or is gone; `CancellationError`.
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

    /// Releases a well-known name, or the place in its queue. Does nothing if neither is held.
    ///
    /// - Throws: ``DBusError`` if the bus refuses or is gone; `CancellationError`.
    public func releaseName(_ name: BusName) async throws {
        let _: UInt32 = try await call(.bus, .bus, .bus, "ReleaseName", name.text)
    }

    /// Returns the unique name of a name's owner, or `nil` if it has none.
    ///
    /// - Throws: ``DBusError`` if the bus is gone or does not answer; `CancellationError`.
    public func owner(of name: BusName) async throws -> BusName? {
        try await ownerWithArrival(of: name).owner
    }

    func ownerWithArrival(of name: BusName) async throws -> (owner: BusName?, arrival: UInt64) {
        let answer = try await exchange(
            MethodCall(.bus, .bus, .bus, "GetNameOwner", body: [.string(name.text)]), timeout: .seconds(25))
        if answer.error?.name == .nameHasNoOwner { return (nil, answer.arrival) }
        return (try BusName(answer.checked().arguments(String.self)), answer.arrival)
    }

    /// Returns all names on the bus, unique and well-known.
    ///
    /// - Throws: ``DBusError`` if the bus is gone or does not answer; `CancellationError`.
    public func names() async throws -> [BusName] {
        let names: [String] = try await call(.bus, .bus, .bus, "ListNames")
        return try names.map { (name) throws(DBusError) in try BusName(name) }
    }

    /// Returns all names for which the bus can start a service.
    ///
    /// - Throws: ``DBusError`` if the bus is gone or does not answer; `CancellationError`.
    public func activatableNames() async throws -> [BusName] {
        let names: [String] = try await call(.bus, .bus, .bus, "ListActivatableNames")
        return try names.map { (name) throws(DBusError) in try BusName(name) }
    }

    /// Returns the current owner of a name and all later ones, as a stream.
    ///
    /// - Throws: ``DBusError`` if the bus refuses the subscription; `CancellationError`.
    public func owners(of name: BusName) async throws -> NameOwners {
        let stream = try await signals([.ownerChanges(of: name)])
        return NameOwners(name: name, connection: self, stream: stream)
    }
}

/// The successive owners of a name. Each differs from the one before.
public struct NameOwners: AsyncSequence, Sendable {
    /// The owner's unique name; `nil` if the name has no owner.
    public typealias Element = BusName?
    /// Iteration does not fail.
    public typealias Failure = Never

    let name: BusName
    let connection: Connection
    let stream: SignalStream

    /// Makes an iterator that begins with the current owner.
    public func makeAsyncIterator() -> Iterator {
        Iterator(name: name, connection: connection, signals: stream.makeAsyncIterator())
    }

    /// Iterates over the owners.
    public struct Iterator: AsyncIteratorProtocol {
        let name: BusName
        let connection: Connection
        var signals: SignalStream.Iterator
        var current: BusName??
        /// The arrival of the bus's answer, which includes all earlier changes.
        var asked: UInt64 = 0

        /// Returns the next owner, or `nil` if the connection is closed or the task cancelled.
        public mutating func next() async -> BusName?? {
            if current == nil { return await ask() }
            while let event = await signals.next() {
                let former = current
                switch event {
                case .lost:
                    guard let owner = await ask() else { return nil }
                    if .some(owner) != former { return .some(owner) }
                case .signal(let message):
                    guard message.arrival > asked, let change = message.ownerChange else { continue }
                    if .some(change.owner) == current { continue }
                    current = .some(change.owner)
                    return .some(change.owner)
                }
            }
            return nil
        }

        private mutating func ask() async -> BusName?? {
            while true {
                do {
                    let answer = try await connection.ownerWithArrival(of: name)
                    asked = answer.arrival
                    current = .some(answer.owner)
                    return .some(answer.owner)
                } catch let error as DBusError where error.name == .noReply {
                    // The bus is slow or stuck. The owner is unknown until it answers.
                    continue
                } catch {
                    // The connection is gone or the task was cancelled.
                    return nil
                }
            }
        }
    }
}
