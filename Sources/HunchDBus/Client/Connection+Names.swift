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
    /// - Throws: ``DBusError`` when the bus refuses or is gone; `CancellationError`.
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

    /// Gives a well-known name back, or the place in the line for it; nothing happens when neither was held.
    ///
    /// - Throws: ``DBusError`` when the bus refuses or is gone; `CancellationError`.
    public func releaseName(_ name: BusName) async throws {
        let _: UInt32 = try await call(.bus, .bus, .bus, "ReleaseName", name.text)
    }

    /// The unique name that owns a name; `nil` when nobody does.
    ///
    /// - Throws: ``DBusError`` when the bus is gone or does not answer; `CancellationError`.
    public func owner(of name: BusName) async throws -> BusName? {
        try await ownerWithArrival(of: name).owner
    }

    func ownerWithArrival(of name: BusName) async throws -> (owner: BusName?, arrival: UInt64) {
        let answer = try await exchange(
            MethodCall(.bus, .bus, .bus, "GetNameOwner", body: [.string(name.text)]), timeout: .seconds(25))
        if answer.error?.name == .nameHasNoOwner { return (nil, answer.arrival) }
        return (try BusName(answer.checked().arguments(String.self)), answer.arrival)
    }

    /// All names on the bus, unique and well-known.
    ///
    /// - Throws: ``DBusError`` when the bus is gone or does not answer; `CancellationError`.
    public func names() async throws -> [BusName] {
        let names: [String] = try await call(.bus, .bus, .bus, "ListNames")
        return try names.map { (name) throws(DBusError) in try BusName(name) }
    }

    /// All names that the bus could start a service for.
    ///
    /// - Throws: ``DBusError`` when the bus is gone or does not answer; `CancellationError`.
    public func activatableNames() async throws -> [BusName] {
        let names: [String] = try await call(.bus, .bus, .bus, "ListActivatableNames")
        return try names.map { (name) throws(DBusError) in try BusName(name) }
    }

    /// Who owns a name: first the present owner, then every change. `nil` means nobody.
    ///
    /// - Throws: ``DBusError`` when the bus refuses the subscription; `CancellationError`.
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
        /// Changes that arrived before the bus was asked are part of its answer.
        var asked: UInt64 = 0

        /// The next owner; `nil` at the end of the connection or when the task was cancelled.
        public mutating func next() async -> BusName?? {
            if current == nil { return await ask() }
            while let event = await signals.next() {
                let former = current
                switch event {
                case .lost:
                    guard let owner = await ask() else { return nil }
                    if .some(owner) != former { return .some(owner) }
                case .signal(let message):
                    guard message.arrival > asked,
                        let (_, _, text) = try? message.arguments(String.self, String.self, String.self)
                    else { continue }
                    let owner = text.isEmpty ? nil : try? BusName(text)
                    if .some(owner) == current { continue }
                    current = .some(owner)
                    return .some(owner)
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
                    // The bus is slow or stuck; who owns the name is not known before it answers.
                    continue
                } catch {
                    // The connection is gone or the task was cancelled.
                    return nil
                }
            }
        }
    }
}
