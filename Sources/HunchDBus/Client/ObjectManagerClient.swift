/// The interfaces of an object with their properties.
public typealias ObjectInterfaces = [InterfaceName: VariantMap]

/// What happens to a remote tree of objects.
public enum ObjectTreeEvent: Sendable {
    /// The service is there; the snapshot holds all its objects. What was known before is void.
    case available([ObjectPath: ObjectInterfaces])
    /// The service is gone, and all objects with it.
    case unavailable
    /// An object has new interfaces.
    case added(ObjectPath, ObjectInterfaces)
    /// An object lost interfaces.
    case removed(ObjectPath, [InterfaceName])
    /// Properties changed; the invalidated ones have to be read when needed.
    case changed(ObjectPath, InterfaceName, VariantMap, invalidated: [String])
}

/// Follows a service that exports `org.freedesktop.DBus.ObjectManager`, such as BlueZ, through all its restarts.
///
///     for await event in try await ObjectTree(of: "org.bluez", at: "/", on: systemBus).events() { … }
public struct ObjectTree: Sendable {
    private let service: BusName
    private let path: ObjectPath
    private let connection: Connection
    private let startsService: Bool

    /// Describes the tree of a service.
    ///
    /// - Parameters:
    ///   - path: the object that manages the tree.
    ///   - startsService: whether asking may start the service.
    public init(of service: BusName, at path: ObjectPath, on connection: Connection, startsService: Bool = false) {
        self.service = service
        self.path = path
        self.connection = connection
        self.startsService = startsService
    }

    /// The tree's events, beginning with ``ObjectTreeEvent/available(_:)`` or ``ObjectTreeEvent/unavailable``.
    ///
    /// When signals were lost, a new snapshot follows.
    ///
    /// - Throws: ``DBusError`` when the bus refuses the subscription.
    public func events() async throws -> Events {
        let name = service.text
        let stream = try await connection.signals(
            [
                MatchRule(sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged", argument0: name),
                MatchRule(sender: service, path: path, interface: .objectManager),
                MatchRule(
                    sender: service, pathNamespace: path, interface: .properties, member: "PropertiesChanged"),
            ], capacity: 4_096)
        return Events(
            service: service, path: path, connection: connection, startsService: startsService, stream: stream)
    }

    /// The events of a tree.
    public struct Events: AsyncSequence, Sendable {
        /// What it delivers.
        public typealias Element = ObjectTreeEvent
        /// It does not fail; it ends with the connection.
        public typealias Failure = Never

        let service: BusName
        let path: ObjectPath
        let connection: Connection
        let startsService: Bool
        let stream: SignalStream

        /// Starts with a snapshot.
        public func makeAsyncIterator() -> Iterator { Iterator(tree: self, signals: stream.makeAsyncIterator()) }
    }

    /// Reads the events of a tree.
    public struct Iterator: AsyncIteratorProtocol {
        let tree: Events
        var signals: SignalStream.Iterator
        var started = false
        /// Signals that arrived before the snapshot are part of it.
        var snapshotArrival: UInt64 = 0

        /// The next event; `nil` when the connection is closed or the task was cancelled.
        public mutating func next() async -> ObjectTreeEvent? {
            if !started {
                started = true
                return await snapshot()
            }
            while let event = await signals.next() {
                guard case .signal(let message) = event else { return await snapshot() }
                if message.member == "NameOwnerChanged" {
                    guard message.arrival > snapshotArrival,
                        let (_, _, owner) = try? message.arguments(String.self, String.self, String.self)
                    else { continue }
                    if owner.isEmpty { return .unavailable }
                    return await snapshot()
                }
                if message.arrival <= snapshotArrival { continue }
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
                // The service is not there, or does not answer as an object manager must.
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
