import EventLoops
import Glibc
import HunchDBus
import HunchModel
import TestSupport
import Testing

@testable import Triggers

/// A fake of logind that lists a session at a seat and a remote one, and may fail to return their properties.
private struct FakeLogind {
    static let name: BusName = "org.freedesktop.login1"
    static let root: ObjectPath = "/org/freedesktop/login1"
    static let manager: InterfaceName = "org.freedesktop.login1.Manager"
    static let session: InterfaceName = "org.freedesktop.login1.Session"
    static let seated: ObjectPath = "/org/freedesktop/login1/session/_31"
    static let remote: ObjectPath = "/org/freedesktop/login1/session/_32"

    /// The properties of the sessions. Those of other sessions cannot be read.
    let properties: Watched<[ObjectPath: VariantMap]>
    let connection: Connection
    let server: ObjectServer

    init(on bus: PrivateBus, _ loop: EventLoop, _ properties: [ObjectPath: VariantMap]) async throws {
        let known = Watched(properties)
        self.properties = known
        connection = try await Connection.open(BusAddress(bus.address), on: loop)
        server = await ObjectServer(on: connection)
        let listed = [(Self.seated, "seat0"), (Self.remote, "")].map { path, seat in
            ListedSession(identifier: path.text, user: getuid(), name: "ada", seat: seat, path: path)
        }
        let listing = ExportedMember.method("ListSessions", results: ["sessions"]) {
            _ async throws -> [ListedSession] in
            listed
        }
        try await server.export(Self.root, [ExportedInterface(Self.manager, [listing])])
        for session in listed {
            let path = session.path
            let reading = ExportedMember.method("GetAll", arguments: ["interface"], results: ["properties"]) {
                (_, interface: String) async throws -> VariantMap in
                guard let properties = known.state[path] else { throw DBusError(.noReply, "too busy") }
                return properties
            }
            try await server.export(path, [ExportedInterface(.properties, [reading])])
        }
        _ = try await connection.requestName(Self.name)
    }

    /// Announces that the machine woke up.
    func wake() async throws {
        try await connection.emit(Self.root, Self.manager, "PrepareForSleep", body: [.boolean(false)])
    }

    /// Announces an unspecified change of a session.
    func announceChange(of session: ObjectPath) async throws {
        try await connection.emit(
            session, .properties, "PropertiesChanged",
            body: [Self.session.text.dbusValue, VariantMap().dbusValue, [String]().dbusValue])
    }

    /// Gives up the name and disconnects.
    func stop() async throws {
        try await connection.releaseName(Self.name)
        await connection.close()
    }
}

@Suite("Sessions that cannot be read", .timeLimit(.minutes(15))) struct UnreadableSessionTests {
    private func properties(seat: String, service: String, isLocked: Bool = false) -> VariantMap {
        [
            "User": .structure([.uint32(getuid()), .objectPath("/u")]),
            "Seat": .structure([.string(seat), .objectPath("/s")]), "Class": .string("user"),
            "Service": .string(service), "Remote": .boolean(seat.isEmpty), "LockedHint": .boolean(isLocked),
            "Active": .boolean(true),
        ]
    }

    /// Runs a test with a bus, and with a connection of the follower on it.
    private nonisolated(nonsending) func withSystemBus(
        _ body: nonisolated(nonsending) (PrivateBus, EventLoop, Connection) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        try await withPrivateBus(.system) { bus in
            let connection = try await Connection.open(BusAddress(bus.address), on: loop)
            try await body(bus, loop, connection)
            await connection.close()
        }
    }

    private func wait(for items: [String], in told: Watched<[String]>) async throws {
        try await withDeadline(.seconds(30), "\(items)") {
            try await told.wait { $0.count >= items.count ? () : nil }
        }
        #expect(told.state == items)
    }

    @Test("A locked screen stays hidden until its session is read")
    func locked() async throws {
        try await withSystemBus { bus, loop, connection in
            let remote = properties(seat: "", service: "sshd")
            let former = try await FakeLogind(
                on: bus, loop,
                [
                    FakeLogind.seated: properties(seat: "seat0", service: "sddm", isLocked: true),
                    FakeLogind.remote: remote,
                ])
            let told = Watched<[String]>([])
            let following = Task(executorPreference: loop) {
                try await Session().follow(
                    connection, screen: { isSeen, _ in told.update { $0.append(isSeen ? "seen" : "hidden") } }
                ) { event in
                    told.update { $0.append(event.rawValue) }
                }
            }
            defer { following.cancel() }
            try await wait(for: ["hidden"], in: told)
            try await former.stop()
            let next = try await FakeLogind(on: bus, loop, [FakeLogind.remote: remote])
            try await next.wake()
            try await wait(for: ["hidden", "resume"], in: told)
            let seated = properties(seat: "seat0", service: "sddm")
            next.properties.update { $0[FakeLogind.seated] = seated }
            try await next.announceChange(of: FakeLogind.seated)
            try await wait(for: ["hidden", "resume", "seen"], in: told)
            try await next.stop()
        }
    }

    @Test("With an unreadable session at a seat, ssh proves nothing")
    func authenticated() async throws {
        try await withSystemBus { bus, loop, connection in
            let logind = try await FakeLogind(
                on: bus, loop, [FakeLogind.remote: properties(seat: "", service: "sshd")])
            #expect(await !Session().isAuthenticated(connection))
            for (service, isAuthenticated) in [("sddm-autologin", false), ("sddm", true)] {
                let seated = properties(seat: "seat0", service: service)
                logind.properties.update { $0[FakeLogind.seated] = seated }
                #expect(await Session().isAuthenticated(connection) == isAuthenticated, "\(service)")
            }
            // The session ended after logind listed it.
            try await logind.server.unexport(FakeLogind.seated)
            #expect(await Session().isAuthenticated(connection))
            try await logind.stop()
        }
    }
}
