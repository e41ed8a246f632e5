import Glibc
import EventLoops
import HunchDBus
import TestSupport
import Testing

@Suite("Method calls", .timeLimit(.minutes(15)))
struct CallTests {
    @Test("A reply, an error or a missing service ends a call")
    func endings() async throws {
        try await withDesk { desk, _ in
            let server = try await EchoObject.serve(on: desk.connect())
            let client = try await desk.connect()
            #expect(try await client.echo(number: 5) == 5)
            let error = await #expect(throws: DBusError.self) {
                let () = try await client.call(
                    EchoObject.name, EchoObject.path, EchoObject.interface, "Fail", "org.example.Error.Odd", "so it is")
            }
            #expect(error == DBusError(DBusError.Name(rawValue: "org.example.Error.Odd"), "so it is"))
            let missing = await errorName {
                let () = try await client.call("org.hunch.Nobody", "/", "a.b", "c")
            }
            #expect(missing == .serviceUnknown)
            let notStarted = await errorName {
                let () = try await client.call("org.hunch.Nobody", "/", "a.b", "c", startsService: false)
            }
            #expect(notStarted == .nameHasNoOwner)
            withExtendedLifetime(server) {}
        }
    }

    @Test("A reply of the wrong type is an error, not a trap")
    func wrongReply() async throws {
        try await withDesk { desk, _ in
            let server = try await EchoObject.serve(on: desk.connect())
            let client = try await desk.connect()
            let name = await errorName {
                let _: String = try await client.call(
                    EchoObject.name, EchoObject.path, EchoObject.interface, "Number", UInt32(1))
            }
            #expect(name == .invalidArgs)
            let count = await errorName {
                let (_, _): (UInt32, UInt32) = try await client.call(
                    EchoObject.name, EchoObject.path, EchoObject.interface, "Number", UInt32(1))
            }
            #expect(count == .invalidArgs)
            withExtendedLifetime(server) {}
        }
    }

    @Test("Names reserved by libdbus are refused; the connection stays")
    func reservedNames() async throws {
        try await withDesk { desk, _ in
            let client = try await desk.connect()
            let interface = await errorName {
                try await client.emit("/", "org.freedesktop.DBus.Local", "Disconnected", body: [])
            }
            #expect(interface == .invalidArgs)
            let path = await errorName {
                let () = try await client.call(.bus, "/org/freedesktop/DBus/Local", "a.b", "c")
            }
            #expect(path == .invalidArgs)
            #expect(await client.isOpen)
            _ = try await client.names()
        }
    }

    @Test("A deadline ends a call; a later reply is dropped")
    func deadline() async throws {
        try await withDesk { desk, _ in
            let gate = Watched(false)
            let server = try await EchoObject.serve(on: desk.connect(), gate: gate)
            let client = try await desk.connect()
            #expect(await errorName { try await client.perform("Wait", timeout: .milliseconds(20)) } == .noReply)
            #expect(await errorName { try await client.perform("Wait", timeout: .zero) } == .noReply)
            gate.update { $0 = true }
            try await client.perform("Wait", timeout: .seconds(Int64.max))
            #expect(try await client.echo(number: 2) == 2)
            withExtendedLifetime(server) {}
        }
    }

    @Test("Cancelling ends a call before and after it is sent")
    func cancellation() async throws {
        try await withDesk { desk, _ in
            let server = try await EchoObject.serve(on: desk.connect())
            let client = try await desk.connect()
            let waiting = Task { await errorName { try await client.perform("Wait") } }
            // Sent after the call that waits, so it is under way once this is answered.
            _ = try await client.echo(number: 1)
            waiting.cancel()
            #expect(await waiting.value == .cancelled)
            let early = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await errorName { try await client.perform("Wait") }
            }
            #expect(await early.value == .cancelled)
            withExtendedLifetime(server) {}
        }
    }

    @Test("A call cancelled as its reply arrives ends exactly once")
    func cancellationRace() async throws {
        try await withDesk { desk, _ in
            let server = try await EchoObject.serve(on: desk.connect())
            let client = try await desk.connect()
            var endings: [DBusError.Name?: Int] = [:]
            for round in UInt32(0)..<3_000 {
                let task = Task { await errorName { _ = try await client.echo(number: round) } }
                for _ in 0..<(round % 40) { await Task.yield() }
                task.cancel()
                endings[await task.value, default: 0] += 1
            }
            #expect(Set(endings.keys).isSubset(of: [nil, .cancelled]))
            #expect(endings[.cancelled, default: 0] > 0)
            // A cancelled call whose message is still being sent ends on the loop, after its caller has continued.
            try await eventually("every call being settled", because: "settling has no signal") {
                await client.pendingCallCount == 0 ? () : nil
            }
            #expect(try await client.echo(number: 1) == 1)
            withExtendedLifetime(server) {}
        }
    }

    @Test("Killing the bus ends every waiting call without a crash")
    func killedBus() async throws {
        try await withDesk { desk, bus in
            let server = try await EchoObject.serve(on: desk.connect())
            let client = try await desk.connect()
            let stream = try await client.signals([MatchRule(member: "Never")])
            let calls = (0..<100).map { _ in Task { await errorName { try await client.perform("Wait") } } }
            let reader = Task { () -> Bool in
                for await _ in stream { return false }
                return true
            }
            let ends = (0..<2).map { _ in Task { await client.closed() } }
            _ = try await client.echo(number: 1)
            try await bus.kill()
            for call in calls { #expect(await call.value == .disconnected) }
            for end in ends { #expect(await end.value?.name == .disconnected) }
            #expect(await reader.value)
            #expect(await !client.isOpen)
            #expect(await client.pendingCallCount == 0)
            #expect(await errorName { _ = try await client.names() } == .disconnected)
            #expect(await errorName { _ = try await client.signals([MatchRule()]) } == .disconnected)
            #expect(await errorName { try await client.emit("/", "a.b", "c", body: []) } == .disconnected)
            #expect(await client.closed()?.name == .disconnected)
            await client.close()
            withExtendedLifetime(server) {}
        }
    }

    @Test("Closing ends calls; a wait for closing can be cancelled")
    func closing() async throws {
        try await withDesk { desk, _ in
            let server = try await EchoObject.serve(on: desk.connect())
            let client = try await desk.connect()
            let cancelled = Task { await client.closed() }
            let kept = Task { await client.closed() }
            let call = Task { await errorName { try await client.perform("Wait") } }
            _ = try await client.echo(number: 1)
            cancelled.cancel()
            #expect(await cancelled.value == nil)
            await client.close()
            #expect(await kept.value?.name == .disconnected)
            #expect(await call.value == .disconnected)
            await client.close()
            withExtendedLifetime(server) {}
        }
    }

    @Test("While the bus is stopped, deadlines pass; then calls resume")
    func stoppedBus() async throws {
        try await withDesk { desk, bus in
            let client = try await desk.connect()
            bus.daemon.signal(SIGSTOP)
            let names = await errorName {
                let _: [String] = try await client.call(.bus, .bus, .bus, "ListNames", timeout: .milliseconds(50))
            }
            #expect(names == .noReply)
            let hello = await errorName {
                _ = try await Connection.open(desk.address, on: desk.loop, deadline: .milliseconds(50))
            }
            #expect(hello == .noReply)
            bus.daemon.signal(SIGCONT)
            #expect(try await !client.names().isEmpty)
        }
    }

    @Test("The send queue is bounded")
    func queueLimit() async throws {
        try await withDesk { desk, bus in
            var limits = ConnectionLimits()
            limits.queuedBytes = 1 << 20
            let client = try await desk.connect(limits)
            bus.daemon.signal(SIGSTOP)
            let body: [Value] = [.bytes(Array(repeating: 0, count: 1 << 16))]
            var sent = 0
            let name = await errorName {
                while sent < 1_000 {
                    try await client.emit("/", "a.b", "C", body: body)
                    sent += 1
                }
            }
            #expect(name == .limitsExceeded)
            #expect(sent >= 16)
            bus.daemon.signal(SIGCONT)
            try await eventually("room in the queue", because: "nobody is told when messages are written") {
                await errorName { _ = try await client.names() } == nil ? () : nil
            }
        }
    }

    @Test(
        "An invalid address is an error",
        arguments: ["", "nonsense", "unix:path=/nonexistent/bus", "unix:", "tcp:host=", "unix:path=/\0/x"])
    func badAddress(_ address: String) async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        await #expect(throws: DBusError.self) { try await Connection.open(BusAddress(address), on: loop) }
    }

    @Test("The session bus address comes from the environment alone")
    func addresses() throws {
        #expect(
            try BusAddress.session { $0 == "DBUS_SESSION_BUS_ADDRESS" ? "unix:path=/x" : nil }.text == "unix:path=/x")
        #expect(throws: DBusError.self) { try BusAddress.session { _ in nil } }
        #expect(throws: DBusError.self) { try BusAddress.session { $0 == "XDG_RUNTIME_DIR" ? "/nonexistent" : nil } }
        #expect(throws: DBusError.self) {
            try BusAddress.session { $0 == "DBUS_SESSION_BUS_ADDRESS" ? "autolaunch:" : nil }
        }
        #expect(BusAddress.system { _ in "unix:path=/y" }.text == "unix:path=/y")
        #expect(BusAddress.system { _ in nil }.text.hasPrefix("unix:path=/"))
    }
}
