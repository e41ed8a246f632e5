/// The interfaces of an object, with their properties.
public typealias ObjectInterfaces = [InterfaceName: VariantMap]

/// A change in a remote tree of objects.
public enum ObjectTreeEvent: Sendable {
    /// The service is available. The snapshot has all its objects and replaces earlier knowledge.
    case available([ObjectPath: ObjectInterfaces])
    /// The service and all its objects are gone.
    case unavailable
    /// An object has new interfaces.
    case added(ObjectPath, ObjectInterfaces)
    /// An object lost interfaces.
    case removed(ObjectPath, [InterfaceName])
    /// Properties changed. The new values of invalidated ones must be read.
    case changed(ObjectPath, InterfaceName, VariantMap, invalidated: [String])
}

/// The objects of a service that exports `org.freedesktop.DBus.ObjectManager`, such as BlueZ, across its restarts.
///
///     for await event in try await ObjectTree(of: "org.bluez", at: "/", on: systemBus).events() { … }
public struct ObjectTree: Sendable {
    private let service: BusName
    private let path: ObjectPath
    private let connection: Connection
    private let startsService: Bool

    /// Creates a tree for a service. Sends nothing.
    ///
    /// - Parameters:
    ///   - path: the object that manages the tree.
    ///   - startsService: whether reading the tree may start the service.
    public init(of service: BusName, at path: ObjectPath, on connection: Connection, startsService: Bool = false) {
        self.service = service
        self.path = path
        self.connection = connection
        self.startsService = startsService
    }

    /// Returns a stream of events that begins with ``ObjectTreeEvent/available(_:)`` or
    /// ``ObjectTreeEvent/unavailable``.
    ///
    /// After lost signals, the stream delivers a new snapshot.
    ///
    /// - Throws: ``DBusError`` if the bus refuses the subscription.
    public func events() async throws -> Events {
        let stream = try await connection.signals(
            [
                .ownerChanges(of: service),
                MatchRule(sender: service, path: path, interface: .objectManager),
                MatchRule(
                    sender: service, pathNamespace: path, interface: .properties, member: "PropertiesChanged"),
            ], capacity: 4_096)
        return Events(
            service: service, path: path, connection: connection, startsService: startsService, stream: stream)
    }

    /// The events of a tree.
    public struct Events: AsyncSequence, Sendable {
        /// An event of the tree.
        public typealias Element = ObjectTreeEvent
        /// Iteration does not fail. It ends with the connection.
        public typealias Failure = Never

        let service: BusName
        let path: ObjectPath
        let connection: Connection
        let startsService: Bool
        let stream: SignalStream

        /// Makes an iterator that begins with a snapshot.
        public func makeAsyncIterator() -> Iterator { Iterator(tree: self, signals: stream.makeAsyncIterator()) }
    }

    /// Iterates over the events of a tree.
    public struct Iterator: AsyncIteratorProtocol {
        let tree: Events
        var signals: SignalStream.Iterator
        var started = false
        /// The arrival of the snapshot, which includes all earlier signals.
        var snapshotArrival: UInt64 = 0

        /// Returns the next event, or `nil` if the connection is closed or the task cancelled.
        public mutating func next() async -> ObjectTreeEvent? {
            if !started {
                started = true
                return await snapshot()
            }
            while let event = await signals.next() {
                guard case .signal(let message) = event else { return await snapshot() }
                if message.arrival <= snapshotArrival { continue }
                if let change = message.ownerChange {
                    return change.owner == nil ? .unavailable : await snapshot()
                }
                if let event = Self.event(of: message) { return event }
            }
            return nil
        }

        private mutating func snapshot() async -> ObjectTreeEvent? {
            let call = MethodCall(
                tree.service, tree.path, .objectManager, "GetManagedObjects", startsService: tree.startsService)
            do {
                let reply = try await tree.connection.reply(to: call)
                snapshotArrival = reply.arrival
                return .available(
                    try reply.arguments([ObjectPath: [String: VariantMap]].self).mapValues(Self.named))
            } catch is CancellationError {
                return nil
            } catch {
                // The service is not running, or it is not a working object manager.
                return await tree.connection.isOpen ? .unavailable : nil
            }
        }

        private static func named(_ interfaces: [String: VariantMap]) -> ObjectInterfaces {
            var named: ObjectInterfaces = [:]
            for (name, properties) in interfaces {
                if let name = try? InterfaceName(name) { named[name] = properties }
            }
            return named
        }

        private static func event(of message: Message) -> ObjectTreeEvent? {
            switch message.member {
            case "InterfacesAdded":
                guard let (path, interfaces) = try? message.arguments(ObjectPath.self, [String: VariantMap].self)
                else { return nil }
                return .added(path, named(interfaces))
            case "InterfacesRemoved":
                guard let (path, names) = try? message.arguments(ObjectPath.self, [String].self) else { return nil }
                return .removed(path, names.compactMap { try? InterfaceName($0) })
            case "PropertiesChanged":
                guard let path = message.path,
                    let (name, changed, invalidated) = try? message.arguments(
                        String.self, VariantMap.self, [String].self),
                    let interface = try? InterfaceName(name)
                else { return nil }
                return .changed(path, interface, changed, invalidated: invalidated)
            default:
                return nil
            }
        }
    }
}
