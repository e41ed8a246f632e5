public import HunchDBus

/// logind as its clients see it, with a session of a user's; see ``withMockLogind(on:_:)``.
public struct MockLogind: Sendable {
    private static let session: InterfaceName = "org.freedesktop.login1.Session"
    private static let manager: InterfaceName = "org.freedesktop.login1.Manager"

    private let root: Proxy

    init(connection: Connection) {
        root = Proxy(connection, "org.freedesktop.login1", "/org/freedesktop/login1")
    }

    /// Makes a session at `seat0`, of class `user`, unlocked.
    ///
    /// - Parameters:
    ///   - began: microseconds of the monotonic clock.
    ///   - isAnnounced: whether logind announces it.
    @discardableResult
    public func addSession(
        _ identifier: String, of user: UInt32, began: UInt64, isAnnounced: Bool = true
    ) async throws -> ObjectPath {
        let text: String = try await root.call(MockService.mock, "AddSession", identifier, "seat0", user, "ada", true)
        let path = try ObjectPath(text)
        try await set(["TimestampMonotonic": .uint64(began)], of: path)
        if isAnnounced {
            let arguments = [Value.string(identifier), .objectPath(path)]
            try await emit(Self.manager, "SessionNew", "so", arguments, at: root.path)
        }
        return path
    }

    /// Sets properties of a session and announces them.
    public func set(_ properties: VariantMap, of session: ObjectPath) async throws {
        let () = try await Proxy(root.connection, root.service, session).call(
            MockService.mock, "UpdateProperties", Self.session.text, properties)
    }

    /// Says of a session whether it is locked, as desktops do.
    public func setLocked(_ isLocked: Bool, _ session: ObjectPath) async throws {
        try await set(["LockedHint": .boolean(isLocked)], of: session)
    }

    /// Asks a session to lock or to unlock, as `loginctl` does.
    public func ask(_ session: ObjectPath, toLock: Bool) async throws {
        try await emit(Self.session, toLock ? "Lock" : "Unlock", "", [], at: session)
    }

    /// Puts the machine to sleep, or wakes it up.
    public func sleep(_ isAsleep: Bool) async throws {
        try await emit(Self.manager, "PrepareForSleep", "b", [.boolean(isAsleep)], at: root.path)
    }

    private func emit(
        _ interface: InterfaceName, _ member: String, _ signature: String, _ arguments: [Value], at path: ObjectPath
    ) async throws {
        let () = try await Proxy(root.connection, root.service, path).call(
            MockService.mock, "EmitSignal", interface.text, member, signature,
            Value.array(of: .variant, arguments.map(Value.variant)))
    }
}

/// UPower as its clients see it; see ``withMockUPower(on:_:)``.
public struct MockUPower: Sendable {
    private let root: Proxy

    init(connection: Connection) {
        root = Proxy(connection, "org.freedesktop.UPower", "/org/freedesktop/UPower")
    }

    /// Plugs the machine in, or out.
    public func setOnBattery(_ isOnBattery: Bool) async throws {
        let properties: VariantMap = ["OnBattery": .boolean(isOnBattery)]
        let () = try await root.call(MockService.mock, "UpdateProperties", "org.freedesktop.UPower", properties)
    }
}

enum MockService {
    static let mock: InterfaceName = "org.freedesktop.DBus.Mock"

    /// Runs a template of python-dbusmock on a bus that replaces the system bus.
    nonisolated(nonsending) static func with<Value>(
        _ template: String, as name: String, on bus: PrivateBus,
        _ body: nonisolated(nonsending) (Connection) async throws -> Value
    ) async throws -> Value {
        let command = Command(
            "/usr/bin/python3", ["-m", "dbusmock", "--system", "--template", template],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address], ready: .busName(name, on: bus))
        return try await withDaemon(command) { _ in try await withConnection(to: bus, body) }
    }
}

/// Runs a logind without sessions on a bus that replaces the system bus.
///
/// - Throws: what `body` throws, or `BenchError` if it does not start.
public nonisolated(nonsending) func withMockLogind<Value>(
    on bus: PrivateBus, _ body: nonisolated(nonsending) (MockLogind) async throws -> Value
) async throws -> Value {
    try await MockService.with("logind", as: "org.freedesktop.login1", on: bus) {
        try await body(MockLogind(connection: $0))
    }
}

/// Runs a UPower of a machine that hangs on the mains, on a bus that replaces the system bus.
///
/// - Throws: what `body` throws, or `BenchError` if it does not start.
public nonisolated(nonsending) func withMockUPower<Value>(
    on bus: PrivateBus, _ body: nonisolated(nonsending) (MockUPower) async throws -> Value
) async throws -> Value {
    try await MockService.with("upower", as: "org.freedesktop.UPower", on: bus) {
        try await body(MockUPower(connection: $0))
    }
}
