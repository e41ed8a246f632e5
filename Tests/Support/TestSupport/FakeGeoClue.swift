public import EventLoops
public import HunchDBus
internal import HunchModel

/// A fake of GeoClue, whose position the test sets. It behaves as GeoClue 2.6 was observed to behave: without an
/// agent, `GetClient` gets no answer until one registers; `Start` fails if the agent refuses; a move below
/// the threshold changes the last location instead of making a new one.
public final class FakeGeoClue: Sendable {
    /// The events so far.
    public struct Record: Sendable {
        /// Whether an agent is registered.
        public var hasAgent = true
        /// The error with which the agent refuses.
        public var refusal: String?
        /// Desktop entry of the client.
        public var desktopID = ""
        /// The requested accuracy, as `GCLUE_ACCURACY_LEVEL_…`.
        public var accuracyLevel: UInt32 = 0
        /// In metres.
        public var threshold: UInt32 = 0
        /// The caller that started it last.
        public var client: BusName?
        /// The number of starts and refusals.
        public var starts = 0
        /// The locations so far; `nil` for one without a valid coordinate.
        fileprivate var locations: [Position?] = []
    }

    private static let name: BusName = "org.freedesktop.GeoClue2"
    private static let manager: ObjectPath = "/org/freedesktop/GeoClue2/Manager"
    private static let client: ObjectPath = "/org/freedesktop/GeoClue2/Client/1"
    private static let clientInterface: InterfaceName = "org.freedesktop.GeoClue2.Client"

    /// The record, to change and to wait on.
    public let record: Watched<Record>
    private let connection: Connection
    private let server: ObjectServer

    private init(_ connection: Connection, _ server: ObjectServer, _ record: Record) {
        self.connection = connection
        self.server = server
        self.record = Watched(record)
    }

    /// Connects to a bus that replaces the system bus, and takes the name. ``stop()`` ends it.
    public static func start(
        on bus: PrivateBus, loop: EventLoop, configure: @Sendable (inout Record) -> Void = { _ in }
    ) async throws -> FakeGeoClue {
        let connection = try await Connection.open(BusAddress(bus.address), on: loop)
        var record = Record()
        configure(&record)
        let geoclue = FakeGeoClue(connection, await ObjectServer(on: connection), record)
        try await geoclue.export()
        // The bus may not have noticed yet that the former instance has disconnected.
        _ = try await connection.requestName(name, queues: true)
        try await bus.waitForOwner(of: name.text)
        return geoclue
    }

    /// Disconnects, as in a crash.
    public func stop() async { await connection.close() }

    /// Sets the user's position.
    public func move(_ latitude: Double, _ longitude: Double, accuracy: Double = 40) async throws {
        try await tell(
            Position(coordinate: try Coordinate(latitude: latitude, longitude: longitude), accuracy: accuracy))
    }

    /// Announces a location without a valid coordinate.
    public func losePosition() async throws { try await tell(nil) }

    /// Announces a location whose object is already gone, as when newer locations follow quickly.
    public func announceGoneLocation() async throws { try await announce(.max) }

    private func tell(_ position: Position?) async throws {
        let count = record.update { record -> Int in
            record.locations.append(position)
            return record.locations.count
        }
        try await exportLocation(count)
        if record.state.client != nil { try await announce(count) }
    }

    /// Waits until a client was started a number of times.
    public func waitForStart(_ count: Int = 1) async throws {
        try await withDeadline(.seconds(60), "a client of GeoClue's") { [record] in
            try await record.wait { $0.starts >= count ? () : nil }
        }
    }

    /// Whether a client is still on the bus.
    public func hasPeer(_ client: BusName) async -> Bool {
        (try? await connection.owner(of: client)) != nil
    }

    /// Revokes a client's permission.
    public func revoke() async throws {
        let changed: VariantMap = ["Active": .boolean(false)]
        try await connection.emit(
            Self.client, .properties, "PropertiesChanged",
            body: [Self.clientInterface.text.dbusValue, changed.dbusValue, [String]().dbusValue])
    }

    private static func location(_ number: Int) throws -> ObjectPath {
        number == 0 ? "/" : try ObjectPath("\(client.text)/Location/\(number)")
    }

    private func announce(_ number: Int) async throws {
        try await connection.emit(
            Self.client, Self.clientInterface, "LocationUpdated",
            body: [Self.location(number - 1).dbusValue, Self.location(number).dbusValue])
    }

    private func exportLocation(_ number: Int) async throws {
        let position = record.state.locations[number - 1]
        try await server.export(
            Self.location(number),
            [
                ExportedInterface(
                    "org.freedesktop.GeoClue2.Location",
                    [
                        .property("Latitude") { position?.coordinate.latitude ?? Double.nan },
                        .property("Longitude") { position?.coordinate.longitude ?? Double.nan },
                        .property("Accuracy") { position?.accuracy ?? Double.nan },
                    ])
            ])
    }

    private func export() async throws {
        let record = record
        try await server.export(
            Self.manager,
            [
                ExportedInterface(
                    "org.freedesktop.GeoClue2.Manager",
                    [
                        .method("GetClient", results: ["client"]) { _ async throws -> ObjectPath in
                            try await record.wait { $0.hasAgent ? () : nil }
                            return Self.client
                        }
                    ])
            ])
        let members: [ExportedMember] = [
            .property(
                "DesktopId", get: { record.state.desktopID },
                set: { (_, value: String) async throws -> Void in record.update { $0.desktopID = value } }),
            .property(
                "RequestedAccuracyLevel", get: { record.state.accuracyLevel },
                set: { (_, value: UInt32) async throws -> Void in record.update { $0.accuracyLevel = value } }),
            .property(
                "DistanceThreshold", get: { record.state.threshold },
                set: { (_, value: UInt32) async throws -> Void in record.update { $0.threshold = value } }),
            .property("Location") { try Self.location(record.state.locations.count) },
            .method("Start") { [self] call async throws -> Void in
                let count = try record.update { record -> Int in
                    record.starts += 1
                    if let refusal = record.refusal { throw DBusError(.accessDenied, refusal) }
                    record.client = call.sender
                    return record.locations.count
                }
                if count > 0 { try await announce(count) }
            },
        ]
        try await server.export(Self.client, [ExportedInterface(Self.clientInterface, members)])
    }
}
