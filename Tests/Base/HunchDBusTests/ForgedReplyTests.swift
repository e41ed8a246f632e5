import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import EventLoops
@testable import HunchDBus

/// On a stock session bus, every peer may reply to a call that was sent to another peer.
@Suite("Forged replies", .timeLimit(.minutes(15)))
struct ForgedReplyTests {
    /// Runs a test on a bus with the `session.conf` that dbus-daemon comes with.
    private func withStockBus(_ body: (_ desk: Desk, _ forger: Connection) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let address = "unix:path=\(directory.file("bus"))"
            let command = Command(
                "dbus-daemon",
                [
                    "--nofork", "--nopidfile", "--nosyslog", "--print-address=1", "--address", address,
                    "--config-file=/usr/share/dbus-1/session.conf",
                ], environment: ["XDG_DATA_DIRS": directory.path], ready: .line(containing: address))
            try await withDaemon(command) { _ in
                let loop = try EventLoop()
                try loop.start()
                defer { loop.stop() }
                let desk = Desk(loop, address)
                // The forger has its own loop, which continues while the other one is blocked.
                let forgersLoop = try EventLoop()
                try forgersLoop.start()
                defer { forgersLoop.stop() }
                let forger = try await Connection.open(BusAddress(address), on: forgersLoop)
                do {
                    try await body(desk, forger)
                } catch {
                    await desk.closeAll()
                    await forger.close()
                    throw error
                }
                await desk.closeAll()
                await forger.close()
            }
        }
    }

    /// Sends replies to calls that the victim made or is about to make, and returns when the bus has passed them on.
    private func forge(_ reply: Result<[Value], DBusError>, to name: BusName, by forger: Connection) async throws {
        for serial in UInt32(1)...300 { await forger.reply(toSerial: serial, of: name, with: reply) }
        _ = try await forger.names()
    }

    @Test("A third peer's reply does not end a call by unique name")
    func uniqueName() async throws {
        try await withStockBus { desk, forger in
            let gate = Watched(false)
            let server = try await EchoObject.serve(on: desk.connect(), gate: gate)
            let owner = try #require(await server.connection.uniqueName)
            let client = try await desk.connect()
            let call = Task {
                await errorName { try await client.call(owner, EchoObject.path, EchoObject.interface, "Wait") as Void }
            }
            try await eventually("the call being under way", because: "another task sends it") {
                await client.pendingCallCount == 1 ? () : nil
            }
            let victim = try #require(await client.uniqueName)
            try await forge(.failure(DBusError(.failed, "forged")), to: victim, by: forger)
            _ = try await client.names()
            #expect(await client.pendingCallCount == 1)
            gate.update { $0 = true }
            #expect(await call.value == nil)
        }
    }

    @Test("A third peer's reply does not end a call by well-known name")
    func wellKnownName() async throws {
        try await withStockBus { desk, forger in
            let gate = Watched(false)
            let server = try await EchoObject.serve(on: desk.connect(), gate: gate)
            let client = try await desk.connect()
            // The forger owns other names than the called ones.
            _ = try await forger.requestName("org.hunch.Test.Forger")
            let call = Task { await errorName { try await client.perform("Wait") } }
            try await eventually("the call being under way", because: "another task sends it") {
                await client.pendingCallCount > 0 ? () : nil
            }
            let victim = try #require(await client.uniqueName)
            try await forge(.failure(DBusError(.failed, "forged")), to: victim, by: forger)
            _ = try await client.names()
            #expect(await client.pendingCallCount == 1)
            gate.update { $0 = true }
            #expect(await call.value == nil)
            withExtendedLifetime(server) {}
        }
    }

    @Test("Forged replies about a caller do not change its identity")
    func identity() async throws {
        try await withStockBus { desk, forger in
            let client = try await desk.connect()
            let victim = try #require(await client.uniqueName)
            let forged: VariantMap = ["UnixUserID": .uint32(12_345), "ProcessID": .uint32(1)]
            for _ in 0..<30 {
                let caller = try await desk.connect()
                let name = try #require(await caller.uniqueName)
                // While the loop is blocked, the forged replies arrive before those of the bus.
                let (read, write) = try makePipe()
                desk.loop.execute {
                    var byte: UInt8 = 0
                    _ = Glibc.read(read, &byte, 1)
                    close(read)
                }
                let identity = Task(executorPreference: desk.loop) { try await client.identity(of: name) }
                try await forge(.success([forged.dbusValue]), to: victim, by: forger)
                close(write)
                let told = try await identity.value
                #expect(told.userID == geteuid() && told.processID == UInt32(getpid()))
                await caller.close()
            }
        }
    }

    @Test("A name can be called again after its owner changes")
    func newOwner() async throws {
        try await withDesk { desk, _ in
            let (client, provider) = (try await desk.connect(), try await desk.connect())
            let first = try await EchoObject.serve(on: provider)
            #expect(try await client.echo(number: 1) == 1)
            try await provider.releaseName(EchoObject.name)
            #expect(await errorName { _ = try await client.echo(number: 2) } == .serviceUnknown)
            let second = try await EchoObject.serve(on: desk.connect())
            #expect(try await client.echo(number: 3) == 3)
            withExtendedLifetime((first, second)) {}
        }
    }

    @Test("Only the most recently called names are tracked")
    func bound() async throws {
        try await withDesk { desk, _ in
            let client = try await desk.connect()
            for number in 0..<(2 * Connection.trackedDestinations) {
                let name = try BusName("org.hunch.Test.Many\(number)")
                #expect(await errorName { let () = try await client.call(name, "/", "a.b", "c") } == .serviceUnknown)
            }
            #expect(await client.matchRuleCount == Connection.trackedDestinations)
        }
    }

    private func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchError("no pipe could be made") }
        return (ends[0], ends[1])
    }
}
