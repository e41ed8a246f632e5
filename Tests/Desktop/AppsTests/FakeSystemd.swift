import EventLoops
import HunchDBus
import TestSupport

/// A service manager that answers as a test wants: for versions and faults that the real one does not show.
final class FakeSystemd: Sendable {
    struct Property: DBusStructure {
        let name: String
        let value: Value
        static let layout = StructureLayout(Property.init(name:value:)) { ($0.name, $0.value) }
    }

    struct Auxiliary: DBusStructure {
        let name: String
        let properties: [Property]
        static let layout = StructureLayout(Auxiliary.init(name:properties:)) { ($0.name, $0.properties) }
    }

    /// The properties of the units that were asked for, in order.
    let units = Watched<[[String: Value]]>([])
    private let server: ObjectServer

    /// - Parameters:
    ///   - unknown: a property that it refuses, in the words of systemd.
    ///   - result: what becomes of each job; `nil` if nothing ever does.
    ///   - noise: the number of other jobs that end before and after it.
    ///   - state: what its units are afterwards; `nil` if they are gone.
    static func start(
        on address: String, loop: EventLoop, unknown: String?, result: String?, noise: Int = 1, state: String? = nil
    )
        async throws -> FakeSystemd
    {
        let connection = try await Connection.open(BusAddress(address), on: loop)
        let server = await ObjectServer(on: connection)
        let fake = FakeSystemd(server)
        let units = fake.units
        let path: ObjectPath = "/org/freedesktop/systemd1"
        let manager: InterfaceName = "org.freedesktop.systemd1.Manager"
        let start: ExportedMember = .method(
            "StartTransientUnit", arguments: ["name", "mode", "properties", "aux"], results: ["job"]
        ) { [weak server] (_, name: String, mode: String, properties: [Property], aux: [Auxiliary]) -> ObjectPath in
            let named = Dictionary(properties.map { ($0.name, $0.value) }) { $1 }
            units.update { $0.append(named) }
            if let unknown, named[unknown] != nil {
                throw DBusError(.propertyReadOnly, "Cannot set property \(unknown), or unknown property.")
            }
            let job: ObjectPath = "/org/freedesktop/systemd1/job/1"
            if let result {
                let other: ObjectPath = "/org/freedesktop/systemd1/job/9"
                func makeNoise() async throws {
                    for _ in 0..<noise {
                        try await server?.emit(path, manager, "JobRemoved", UInt32(9), other, "other.service", "failed")
                    }
                }
                try await makeNoise()
                try await server?.emit(path, manager, "JobRemoved", UInt32(1), job, name, result)
                if noise > 1 { try await makeNoise() }
            }
            return job
        }
        let unit: ObjectPath = "/org/freedesktop/systemd1/unit/app"
        let find: ExportedMember = .method("GetUnit", arguments: ["name"], results: ["unit"]) {
            (_, name: String) async throws -> ObjectPath in
            guard state != nil else {
                throw DBusError(.init(rawValue: "org.freedesktop.systemd1.NoSuchUnit"), "Unit \(name) not loaded.")
            }
            return unit
        }
        try await server.export(path, [ExportedInterface(manager, [start, find])])
        if let state {
            let active: ExportedMember = .property("ActiveState") { state }
            try await server.export(unit, [ExportedInterface("org.freedesktop.systemd1.Unit", [active])])
        }
        _ = try await connection.requestName("org.freedesktop.systemd1")
        return fake
    }

    private init(_ server: ObjectServer) { self.server = server }
}
