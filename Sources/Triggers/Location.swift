public import HunchDBus
public import HunchModel

/// What is known of where the person is.
public enum LocationState: Hashable, Sendable {
    /// GeoClue is not installed.
    case absent
    /// GeoClue waits for the program that asks the person: none runs in this session.
    case waitingForAgent
    /// The person, or whoever set up the machine, does not want it; in GeoClue's words.
    case denied(String)
    /// It is being found out.
    case searching
    /// It is known.
    case at(Position)
}

/// Follows where the person is, through GeoClue, which is started for it: only to be used when the person allowed that.
///
/// GeoClue looks at the networks around, asks a service for where they are, and asks the person through an agent of the
/// desktop, which knows the program by its desktop entry. It is asked as exactly as may be, since it leaves out every source
/// that is more exact than what it is asked for, such as a satellite receiver; and for what is further than 250 m from the
/// last position.
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
    /// In metres.
    private static let threshold: UInt32 = 250
    private static let deadline = Duration.seconds(10)
    /// An agent may come, and a person may take their time to answer it.
    private static let patience = Duration.seconds(86_400)
    /// The pauses before a GeoClue that ended is asked again; then it is left alone until it comes by itself.
    private static let pauses: [Duration] = [.seconds(1), .seconds(5), .seconds(30)]

    private let loop: EventLoop
    private let application: String
    private let agentTime: Duration

    /// Describes what is followed; nothing is asked.
    ///
    /// - Parameters:
    ///   - loop: a running loop.
    ///   - application: the desktop entry by which the person knows who asks, without `.desktop`.
    ///   - agentTime: how long an answer may take before it is said that an agent is waited for.
    public init(on loop: EventLoop, application: String, agentTime: Duration = .seconds(5)) {
        self.loop = loop
        self.application = application
        self.agentTime = agentTime
    }

    /// Delivers what is known now and after each change, as long as the connection lasts.
    ///
    /// - Parameter bus: a connection to the system bus that is used for nothing else: GeoClue stops when it is closed.
    /// - Throws: ``DBusError`` when the bus is of no use; `CancellationError`.
    public func follow(_ bus: Connection, _ deliver: @escaping @Sendable (LocationState) async -> Void) async throws {
        let signals = try await bus.signals([
            MatchRule(
                sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged", argument0: Self.service.text),
            MatchRule(sender: Self.service, interface: Self.client, member: "LocationUpdated"),
            MatchRule(
                sender: Self.service, interface: .properties, member: "PropertiesChanged", argument0: Self.client.text),
        ])
        var iterator = signals.makeAsyncIterator()
        var failures = 0
        while await bus.isOpen {
            try Task.checkCancellation()
            if try await isThere(bus) {
                do {
                    let path = try await start(bus, deliver)
                    failures = 0
                    try await read(path, bus, &iterator, deliver)
                } catch let error as DBusError where error.name == .accessDenied {
                    await deliver(.denied(error.message))
                    // Nobody is asked again by the same GeoClue.
                    try await waitForService(&iterator, afterItWent: true)
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
                try await waitForService(&iterator, afterItWent: false)
                failures = 0
                continue
            }
            try await loop.sleep(for: Self.pauses[failures])
            failures += 1
        }
    }

    private func isThere(_ bus: Connection) async throws -> Bool {
        if try await bus.owner(of: Self.service) != nil { return true }
        return try await bus.activatableNames().contains(Self.service)
    }

    /// Waits until GeoClue comes.
    private func waitForService(_ signals: inout SignalStream.Iterator, afterItWent: Bool) async throws {
        var hasGone = !afterItWent
        while let event = await signals.next() {
            guard let change = Self.change(event) else { continue }
            if change.hasGone { hasGone = true }
            if change.hasCome, hasGone { return }
        }
        try Task.checkCancellation()
    }

    /// Whether a GeoClue went and whether one came, when an event tells of it: one may take the place of another.
    private static func change(_ event: SignalEvent) -> (hasGone: Bool, hasCome: Bool)? {
        guard case .signal(let message) = event, message.member == "NameOwnerChanged",
            let (_, former, owner) = try? message.arguments(String.self, String.self, String.self)
        else { return nil }
        return (!former.isEmpty, !owner.isEmpty)
    }

    /// Asks GeoClue to look; returns the client object that tells.
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
                // Answered when an agent is there, and not before.
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

    /// Follows a client until GeoClue goes. Throws ``DBusError`` `AccessDenied` when the person takes the permission back.
    private func read(
        _ path: ObjectPath, _ bus: Connection, _ signals: inout SignalStream.Iterator,
        _ deliver: @Sendable (LocationState) async -> Void
    ) async throws {
        while let event = await signals.next() {
            guard case .signal(let message) = event else {
                let client = Proxy(bus, Self.service, path)
                let latest: ObjectPath? = try? await client.property(Self.client, "Location", timeout: Self.deadline)
                if let latest { await tell(latest, bus, deliver) }
                continue
            }
            switch message.member {
            case "NameOwnerChanged":
                // That it came is what was just asked for.
                if Self.change(event)?.hasGone == true { return }
            case "LocationUpdated" where message.path == path:
                guard let (_, new) = try? message.arguments(ObjectPath.self, ObjectPath.self) else { continue }
                await tell(new, bus, deliver)
            case "PropertiesChanged" where message.path == path:
                guard let (_, changed, _) = try? message.arguments(String.self, VariantMap.self, [String].self),
                    let isActive: Bool = try? changed.value("Active"), !isActive
                else { continue }
                throw DBusError(.accessDenied, "the permission was taken back")
            default: continue
            }
        }
        try Task.checkCancellation()
    }

    private func tell(
        _ path: ObjectPath, _ bus: Connection, _ deliver: @Sendable (LocationState) async -> Void
    ) async {
        // One that is gone was followed by another.
        let properties = try? await Proxy(bus, Self.service, path).properties(Self.location, timeout: Self.deadline)
        if let position = properties.flatMap(Position.init(location:)) { await deliver(.at(position)) }
    }
}

extension Position {
    /// Reads a location of GeoClue's; `nil` for none.
    init?(location: VariantMap) {
        guard let latitude = try? location.value("Latitude", as: Double.self),
            let longitude = try? location.value("Longitude", as: Double.self),
            let coordinate = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        let accuracy = (try? location.value("Accuracy", as: Double.self)) ?? .infinity
        self.init(coordinate: coordinate, accuracy: accuracy.isNaN ? .infinity : accuracy)
    }
}
