public import EventLoops
public import HunchDBus
public import HunchModel

/// The state of locating the user.
public enum LocationState: Hashable, Sendable {
    /// GeoClue is not installed.
    case absent
    /// GeoClue waits for an agent, the program that asks the user for permission. None runs in this session.
    case waitingForAgent
    /// The user or the system configuration denies access; the text is GeoClue's reason.
    case denied(String)
    /// GeoClue searches for the location.
    case searching
    /// The location is known.
    case at(Position)
}

/// Follows the user's location through GeoClue, which it starts. Use it only with the user's permission.
///
/// GeoClue scans the nearby networks and asks a web service for their location. It asks the user for permission
/// through an agent, which knows this program by its desktop entry. Hunch requests the exact accuracy level, because
/// GeoClue omits every source that is more accurate than requested, such as a satellite receiver.
///
/// Source: GeoClue's reference, `org.freedesktop.GeoClue2.Manager` and `.Client`.
public struct Location: Sendable {
    private static let service: BusName = "org.freedesktop.GeoClue2"
    private static let manager: ObjectPath = "/org/freedesktop/GeoClue2/Manager"
    private static let managerInterface: InterfaceName = "org.freedesktop.GeoClue2.Manager"
    private static let client: InterfaceName = "org.freedesktop.GeoClue2.Client"
    private static let location: InterfaceName = "org.freedesktop.GeoClue2.Location"
    /// `GCLUE_ACCURACY_LEVEL_EXACT`
    private static let exact: UInt32 = 8
    /// The minimum distance between updates, in metres.
    private static let threshold: UInt32 = 250
    private static let deadline = Duration.seconds(10)
    /// The timeout of calls that may wait for an agent to start and for the user's answer: one day.
    private static let patience = Duration.seconds(86_400)
    /// The pauses before retrying after GeoClue ended. After the last one, wait for GeoClue to start.
    private static let pauses: [Duration] = [.seconds(1), .seconds(5), .seconds(30)]

    private let loop: EventLoop
    private let application: String
    private let agentTime: Duration

    /// Creates the follower without contacting GeoClue.
    ///
    /// - Parameters:
    ///   - loop: a running loop.
    ///   - application: the desktop entry that identifies this program to the user, without `.desktop`.
    ///   - agentTime: the time without an answer after which ``LocationState/waitingForAgent`` is delivered.
    public init(on loop: EventLoop, application: String, agentTime: Duration = .seconds(5)) {
        self.loop = loop
        self.application = application
        self.agentTime = agentTime
    }

    /// Delivers the current location and each change until the connection ends.
    ///
    /// - Parameter bus: a connection to the system bus for this purpose only. GeoClue stops when it is closed.
    /// - Throws: ``DBusError`` if the bus connection fails; `CancellationError`.
    public func follow(_ bus: Connection, _ deliver: @escaping @Sendable (LocationState) async -> Void) async throws {
        let signals = try await bus.signals([
            .ownerChanges(of: Self.service),
            MatchRule(sender: Self.service, interface: Self.client, member: "LocationUpdated"),
            MatchRule(
                sender: Self.service, interface: .properties, member: "PropertiesChanged", argument0: Self.client.text),
        ])
        var iterator = signals.makeAsyncIterator()
        var failures = 0
        while await bus.isOpen {
            try Task.checkCancellation()
            if try await isAvailable(bus) {
                do {
                    let path = try await start(bus, deliver)
                    failures = 0
                    try await read(path, bus, &iterator, deliver)
                } catch let error as DBusError where error.name == .accessDenied {
                    await deliver(.denied(error.message))
                    // The same GeoClue process will not ask the user again.
                    try await waitForService(&iterator, mustEndFirst: true)
                    continue
                } catch let error as DBusError {
                    guard await bus.isOpen else { throw error }
                    await deliver(.searching)
                }
            } else {
                await deliver(.absent)
                failures = Self.pauses.count
            }
            guard failures < Self.pauses.count else {
                try await waitForService(&iterator, mustEndFirst: false)
                failures = 0
                continue
            }
            try await loop.sleep(for: Self.pauses[failures])
            failures += 1
        }
    }

    private func isAvailable(_ bus: Connection) async throws -> Bool {
        if try await bus.owner(of: Self.service) != nil { return true }
        return try await bus.activatableNames().contains(Self.service)
    }

    /// Waits until GeoClue starts.
    ///
    /// - Parameter mustEndFirst: whether a running GeoClue must end before.
    private func waitForService(_ signals: inout SignalStream.Iterator, mustEndFirst: Bool) async throws {
        var hasEnded = !mustEndFirst
        while let event = await signals.next() {
            guard let change = Self.change(event) else { continue }
            if change.hasEnded { hasEnded = true }
            if change.hasStarted, hasEnded { return }
        }
        try Task.checkCancellation()
    }

    /// Returns whether GeoClue ended and started, both if another process took over; `nil` for other events.
    private static func change(_ event: SignalEvent) -> (hasEnded: Bool, hasStarted: Bool)? {
        guard case .signal(let message) = event, let change = message.ownerChange else { return nil }
        return (change.former != nil, change.owner != nil)
    }

    /// Asks GeoClue to start locating, and returns the client object.
    private func start(
        _ bus: Connection, _ deliver: @escaping @Sendable (LocationState) async -> Void
    ) async throws -> ObjectPath {
        let manager = Proxy(bus, Self.service, Self.manager)
        await deliver(.searching)
        return try await withThrowingTaskGroup(of: ObjectPath?.self) { group in
            group.addTask { [loop, agentTime] in
                try await loop.sleep(for: agentTime)
                await deliver(.waitingForAgent)
                return nil
            }
            group.addTask { [application] in
                // GeoClue answers only once an agent runs.
                let path: ObjectPath = try await manager.call(
                    Self.managerInterface, "GetClient", timeout: Self.patience)
                let client = Proxy(bus, Self.service, path)
                let wanted: [(MemberName, any DBusRepresentable)] = [
                    ("DesktopId", application), ("RequestedAccuracyLevel", Self.exact),
                    ("DistanceThreshold", Self.threshold),
                ]
                for (name, value) in wanted {
                    try await client.setProperty(Self.client, name, to: value, timeout: Self.deadline)
                }
                let () = try await client.call(Self.client, "Start", timeout: Self.patience)
                return path
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let path = result {
                    await deliver(.searching)
                    return path
                }
            }
            throw CancellationError()
        }
    }

    /// Follows a client until GeoClue ends. Throws ``DBusError`` `AccessDenied` if the user revokes the permission.
    private func read(
        _ path: ObjectPath, _ bus: Connection, _ signals: inout SignalStream.Iterator,
        _ deliver: @Sendable (LocationState) async -> Void
    ) async throws {
        while let event = await signals.next() {
            guard case .signal(let message) = event else {
                // Without an answer, the follower starts again.
                let client = try await Proxy(bus, Self.service, path).properties(Self.client, timeout: Self.deadline)
                try checkIsActive(client)
                if let latest: ObjectPath = try? client.value("Location") {
                    try await tell(latest, of: path, bus, deliver)
                }
                continue
            }
            switch message.member {
            case "NameOwnerChanged":
                // GeoClue's start is the result of our own call. Only its end matters.
                if Self.change(event)?.hasEnded == true { return }
            case "LocationUpdated" where message.path == path:
                guard let (_, new) = try? message.arguments(ObjectPath.self, ObjectPath.self) else { continue }
                try await tell(new, of: path, bus, deliver)
            case "PropertiesChanged" where message.path == path:
                guard let (_, changed, _) = try? message.arguments(String.self, VariantMap.self, [String].self)
                else { continue }
                try checkIsActive(changed)
            default: continue
            }
        }
        try Task.checkCancellation()
    }

    private func checkIsActive(_ client: VariantMap) throws {
        if let isActive: Bool = try? client.value("Active"), !isActive {
            throw DBusError(.accessDenied, "the permission was revoked")
        }
    }

    /// Delivers the position of a location object. If it has none, delivers that of the client's latest location, or
    /// else ``LocationState/searching``, which ends the previous position.
    private func tell(
        _ path: ObjectPath, of client: ObjectPath, _ bus: Connection,
        _ deliver: @Sendable (LocationState) async -> Void
    ) async throws {
        var position = await readPosition(at: path, bus)
        if position == nil {
            // GeoClue removes a location object once it has newer ones.
            let latest: ObjectPath? = try? await Proxy(bus, Self.service, client).property(
                Self.client, "Location", as: ObjectPath.self, timeout: Self.deadline)
            if let latest, latest != path { position = await readPosition(at: latest, bus) }
        }
        try Task.checkCancellation()
        await deliver(position.map(LocationState.at) ?? .searching)
    }

    /// Returns the position of a location object; `nil` if it cannot be read or has no valid coordinate.
    private func readPosition(at path: ObjectPath, _ bus: Connection) async -> Position? {
        let properties = try? await Proxy(bus, Self.service, path).properties(Self.location, timeout: Self.deadline)
        return properties.flatMap(Position.init(location:))
    }
}

extension Position {
    /// Reads a GeoClue location; `nil` if it has no valid coordinate.
    init?(location: VariantMap) {
        guard let latitude = try? location.value("Latitude", as: Double.self),
            let longitude = try? location.value("Longitude", as: Double.self),
            let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        let accuracy = (try? location.value("Accuracy", as: Double.self)) ?? .infinity
        self.init(coordinate: coordinate, accuracy: accuracy.isNaN ? .infinity : accuracy)
    }
}
