public import EventLoops
public import HunchDBus

/// A fake notification server. It shows nothing, records all requests, and sends the signals that a test asks for.
public final class NotificationRecorder: Sendable {
    /// A notification that a program requested.
    public struct Request: Sendable {
        /// The number that it got.
        public let number: UInt32
        /// The unique name of the program.
        public let sender: BusName
        /// The name that the program gave itself.
        public let appName: String
        /// The number to be replaced; 0 for none.
        public let replaces: UInt32
        /// Name of an icon.
        public let icon: String
        /// The first line.
        public let summary: String
        /// The rest.
        public let body: String
        /// Key and label in turn.
        public let actions: [String]
        /// The hints.
        public let hints: VariantMap
        /// Milliseconds.
        public let timeout: Int32
    }

    /// The behaviour of the server.
    public enum Manner: Sendable {
        /// At once.
        case prompt
        /// Each `Notify` with this error.
        case refusing(DBusError)
        /// `Notify` never.
        case silent
        /// `Notify` with the number 0, which the specification forbids.
        case numberless
        /// `Notify` when ``NotificationRecorder/release()`` is called; the request is recorded at once.
        case holding
    }

    /// The events so far.
    public struct Record: Sendable {
        /// The requested notifications, in order.
        public var requests: [Request] = []
        /// The numbers that programs closed, in order.
        public var closed: [UInt32] = []
        /// The number of requests for its capabilities.
        public var capabilityQueries = 0
        /// The property `Inhibited`, as KDE has it; `nil` for none.
        var inhibited: Bool?
        /// The number of reads of `Inhibited`.
        public var inhibitionQueries = 0
        var manner = Manner.prompt
        var releases = 0
        var nextNumber: UInt32 = 1
    }

    /// The record, to wait on.
    public let record = Watched(Record())
    /// Its connection.
    public let connection: Connection
    private let server: ObjectServer

    private init(_ connection: Connection, _ server: ObjectServer) {
        self.connection = connection
        self.server = server
    }

    /// The capabilities that servers commonly have.
    public static let commonCapabilities = ["actions", "body", "body-markup", "icon-static"]

    static let name: BusName = "org.freedesktop.Notifications"
    static let path: ObjectPath = "/org/freedesktop/Notifications"
    static let interface: InterfaceName = "org.freedesktop.Notifications"

    /// Connects a recorder and takes the name; ``stop()`` ends it.
    ///
    /// - Parameters:
    ///   - firstNumber: the number that it gives to the first notification.
    ///   - inhibited: its property `Inhibited`, as KDE has it; `nil` for none.
    public static func start(
        on bus: PrivateBus, loop: EventLoop, name: String = "recorder",
        capabilities: [String] = commonCapabilities, firstNumber: UInt32 = 1, inhibited: Bool? = nil
    ) async throws -> NotificationRecorder {
        let connection = try await Connection.open(BusAddress(bus.address), on: loop)
        let recorder = NotificationRecorder(connection, await ObjectServer(on: connection))
        recorder.record.update {
            $0.nextNumber = firstNumber
            $0.inhibited = inhibited
        }
        try await recorder.export(name, capabilities)
        guard try await connection.requestName(Self.name) == .owner else {
            throw BenchError("the bus has another notification server")
        }
        return recorder
    }

    /// Disconnects, as in a crash.
    public func stop() async { await connection.close() }

    /// Exports further interfaces, as servers with interfaces of their own do.
    public func export(_ path: ObjectPath, _ interfaces: [ExportedInterface]) async throws {
        try await server.export(path, interfaces)
    }

    /// Changes the behaviour from now on.
    public func setManner(_ manner: Manner) { record.update { $0.manner = manner } }

    /// Switches Do Not Disturb on or off, if the recorder has it.
    public func setInhibited(_ isInhibited: Bool) { record.update { $0.inhibited = isInhibited } }

    /// Answers one held call.
    public func release() { record.update { $0.releases += 1 } }

    /// Waits until a number of notifications were requested, and returns the last of them.
    public func request(_ count: Int) async throws -> Request {
        try await withDeadline(.seconds(60), "notification \(count)") { [record] in
            try await record.wait { $0.requests.count >= count ? $0.requests[count - 1] : nil }
        }
    }

    /// Waits until this notification was closed by a program.
    public func waitForClosing(of number: UInt32) async throws {
        try await withDeadline(.seconds(60), "the closing of notification \(number)") { [record] in
            try await record.wait { $0.closed.contains(number) ? () : nil }
        }
    }

    /// Reports that the user pressed a button.
    public func activate(_ number: UInt32, _ key: String, token: String? = nil) async throws {
        if let token { try await server.emit(Self.path, Self.interface, "ActivationToken", number, token) }
        try await server.emit(Self.path, Self.interface, "ActionInvoked", number, key)
    }

    /// Reports that a notification was closed.
    public func tellClosed(_ number: UInt32, reason: UInt32) async throws {
        try await server.emit(Self.path, Self.interface, "NotificationClosed", number, reason)
    }

    private func export(_ name: String, _ capabilities: [String]) async throws {
        var members: [ExportedMember] = [
            .method("GetServerInformation", results: ["name", "vendor", "version", "spec_version"]) { _ in
                (name, "hunch", "1", "1.2")
            },
            .method("GetCapabilities", results: ["capabilities"]) { [record] _ -> [String] in
                record.update { $0.capabilityQueries += 1 }
                return capabilities
            },
            .method("CloseNotification", arguments: ["id"]) { [record] (_, number: UInt32) in
                record.update { $0.closed.append(number) }
            },
            .method("Notify", arguments: Self.parameters, results: ["id"]) {
                [record]
                (
                    call, app: String, replaces: UInt32, icon: String, summary: String, body: String, actions: [String],
                    hints: VariantMap, timeout: Int32
                ) -> UInt32 in
                try await Self.answer(record, replacing: replaces) { number in
                    Request(
                        number: number, sender: call.sender, appName: app, replaces: replaces, icon: icon,
                        summary: summary, body: body, actions: actions, hints: hints, timeout: timeout)
                }
            },
        ]
        if record.state.inhibited != nil {
            let isInhibited = ExportedMember.property("Inhibited") { [record] in
                record.update { record in
                    record.inhibitionQueries += 1
                    return record.inhibited ?? false
                }
            }
            members.append(isInhibited)
        }
        try await server.export(Self.path, [ExportedInterface(Self.interface, members)])
    }

    private static let parameters = [
        "app_name", "replaces_id", "app_icon", "summary", "body", "actions", "hints", "expire_timeout",
    ]

    private static func answer(
        _ record: Watched<Record>, replacing replaced: UInt32, _ request: @Sendable (UInt32) -> Request
    ) async throws -> UInt32 {
        let (number, manner, releases) = record.update { record in
            let number = replaced != 0 ? replaced : record.nextNumber
            if replaced == 0 { record.nextNumber += 1 }
            record.requests.append(request(number))
            return (number, record.manner, record.releases)
        }
        switch manner {
        case .prompt: return number
        case .refusing(let error): throw error
        case .numberless: return 0
        case .silent: return try await record.wait { _ in nil }
        case .holding:
            try await record.wait { $0.releases > releases ? () : nil }
            return number
        }
    }
}
