public import HunchDBus

/// BlueZ as seen by its clients, with devices that come and go as a test says; see ``withMockBlueZ(on:_:)``.
///
/// It is python-dbusmock's `bluez5` template with the properties that the real BlueZ has and the template leaves out
/// or fakes: `Connected` in the object tree, `ServicesResolved`, and an icon other than a phone's.
public struct MockBlueZ: Sendable {
    private static let mock: InterfaceName = "org.freedesktop.DBus.Mock"
    private static let device: InterfaceName = "org.bluez.Device1"

    /// The process that plays BlueZ; killing it is what a crash of BlueZ looks like.
    public let daemon: Daemon
    private let root: Proxy

    init(daemon: Daemon, connection: Connection) {
        self.daemon = daemon
        root = Proxy(connection, "org.bluez", "/")
    }

    func addAdapter() async throws {
        let _: String = try await root.call("org.bluez.Mock", "AddAdapter", "hci0", "desk")
    }

    /// Makes `device` known and paired but not connected.
    public func add(_ device: MockBluetoothDevice) async throws {
        let _: String = try await root.call("org.bluez.Mock", "AddDevice", "hci0", device.address, device.name)
        let services = device.services.map { Value.string(Self.identifier(of: $0)) }
        try await set(
            [
                "Paired": .boolean(true), "Trusted": .boolean(true), "Icon": .string(device.icon),
                "Class": .uint32(device.deviceClass), "Appearance": .uint16(device.appearance),
                "UUIDs": .array(of: .string, services),
            ], of: device.address)
    }

    /// Connects a device that is known, as BlueZ shows it: first the link, then that its services are known.
    public func connect(_ address: String) async throws {
        try await set(["Connected": .boolean(true)], of: address)
        try await set(["ServicesResolved": .boolean(true)], of: address)
    }

    /// Makes `device` known and connects it.
    public func connect(_ device: MockBluetoothDevice) async throws {
        try await add(device)
        try await connect(device.address)
    }

    /// Disconnects a device, which stays known.
    public func disconnect(_ address: String) async throws {
        try await set(["ServicesResolved": .boolean(false)], of: address)
        try await set(["Connected": .boolean(false)], of: address)
    }

    /// Gives a device another alias, as a user does in the settings.
    public func rename(_ address: String, to alias: String) async throws {
        try await set(["Alias": .string(alias)], of: address)
    }

    /// Forgets a device.
    public func remove(_ address: String) async throws {
        let adapter = Proxy(root.connection, root.service, "/org/bluez/hci0")
        let () = try await adapter.call("org.bluez.Adapter1", "RemoveDevice", Self.path(of: address))
    }

    /// Sets properties of a device's `org.bluez.Device1` and announces them in one signal.
    public func set(_ properties: VariantMap, of address: String) async throws {
        let device = Proxy(root.connection, root.service, try Self.path(of: address))
        let () = try await device.call(Self.mock, "UpdateProperties", Self.device.text, properties)
    }

    /// The object of a device.
    public static func path(of address: String) throws -> ObjectPath {
        try ObjectPath("/org/bluez/hci0/dev_" + address.split(separator: ":").joined(separator: "_").uppercased())
    }

    private static func identifier(of service: UInt16) -> String {
        let digits = String(service, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits + "-0000-1000-8000-00805f9b34fb"
    }
}

/// Runs a BlueZ without hardware on `bus` while `body` runs. It has one adapter, `hci0`, and no devices.
///
/// BlueZ belongs to the system bus, so `bus` is what the program under test must take for it. A second call after the
/// first has returned is a restart of BlueZ.
///
/// - Throws: what `body` throws, or `BenchError` if it does not start (python3-dbusmock missing, say).
public nonisolated(nonsending) func withMockBlueZ<Value>(
    on bus: PrivateBus, _ body: nonisolated(nonsending) (MockBlueZ) async throws -> Value
) async throws -> Value {
    // The template finds its bus by the system bus's variable, whatever role the bus plays.
    let command = Command(
        "/usr/bin/python3", ["-m", "dbusmock", "--system", "--template", "bluez5"],
        environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address], ready: .busName("org.bluez", on: bus))
    return try await withDaemon(command) { daemon in
        try await withConnection(to: bus) { connection in
            let bluez = MockBlueZ(daemon: daemon, connection: connection)
            try await bluez.addAdapter()
            return try await body(bluez)
        }
    }
}
