import HunchDBus
import TestSupport
import Testing

@Suite("Object server", .timeLimit(.minutes(15)))
struct ObjectServerTests {
    private static let path: ObjectPath = "/org/hunch/Test"

    private func call(
        _ client: Connection, _ interface: InterfaceName, _ member: MemberName, _ body: [Value],
        at path: ObjectPath = path
    ) async -> DBusError.Name? {
        await errorName {
            _ = try await client.reply(to: MethodCall(EchoObject.name, path, interface, member, body: body))
        }
    }

    @Test("Parts of a program add to one server, and methods take options that may be left out")
    func shared() async throws {
        try await withDesk { desk, _ in
            let bus = try await desk.connect()
            let server = await ObjectServer.shared(on: bus)
            #expect(await ObjectServer.shared(on: bus) === server)
            let members: [ExportedMember] = [
                .method("Twice", arguments: ["number"], results: ["result"]) { (_, number: Int32) in number * 2 },
                .method("Keys", arguments: ["options"], results: ["count"]) { (_, map: VariantMap) in UInt32(map.count)
                },
            ]
            let refusing: @Sendable (VariantMap) throws -> Void = { options in
                if !options.isEmpty { throw DBusError(.failed, "none is known") }
            }
            let interface = ExportedInterface("a.B", members.map { $0.takingOptions(refusing) })
            try await server.export("/p", [interface])
            let name = try #require(await bus.uniqueName)
            let client = try await desk.connect()
            func answer(_ member: MemberName, _ body: Value...) async throws -> [Value] {
                try await client.reply(to: MethodCall(name, "/p", "a.B", member, body: body)).body
            }
            let (none, one) = (VariantMap().dbusValue, VariantMap([("k", .boolean(true))]) { $1 }.dbusValue)
            #expect(try await answer("Twice", .int32(4)) == [.int32(8)])
            #expect(try await answer("Twice", .int32(4), none) == [.int32(8)])
            #expect(try await answer("Keys") == [.uint32(0)])
            #expect(try await answer("Keys", one) == [.uint32(1)])
            let wrong = await errorName { _ = try await answer("Twice", .string("four"), one) }
            #expect(wrong == .invalidArgs, "not its options are the fault")
            for body in [[Value.int32(4), one], [.int32(4), .int32(4)], [], [.int32(4), none, none]] {
                await #expect(throws: DBusError.self) {
                    _ = try await client.reply(to: MethodCall(name, "/p", "a.B", "Twice", body: body))
                }
            }
        }
    }

    @Test("Errors about unknown members name the known ones")
    func knownMembers() async throws {
        try await withDesk { desk, _ in
            let bus = try await desk.connect()
            let server = await ObjectServer.shared(on: bus)
            let members: [ExportedMember] = [
                .method("Twice", arguments: ["number"], results: ["result"]) { (_, number: Int32) in number * 2 },
                .method("Half", arguments: ["number"], results: ["result"]) { (_, number: Int32) in number / 2 },
                .property("Fixed", notice: .constant) { UInt32(1) },
            ]
            try await server.export("/p", [ExportedInterface("a.B", members)])
            let name = try #require(await bus.uniqueName)
            let client = try await desk.connect()
            func refusal(_ interface: InterfaceName, _ member: MemberName, _ body: Value...) async -> String? {
                do {
                    _ = try await client.reply(to: MethodCall(name, "/p", interface, member, body: body))
                    return nil
                } catch {
                    return (error as? DBusError)?.message
                }
            }
            #expect(await refusal("a.B", "Twise", .int32(1)) == "a.B has no method Twise; it has Half, Twice")
            #expect(
                await refusal(.properties, "Get", .string("a.B"), .string("Fxed"))
                    == "a.B has no property Fxed; it has Fixed")
        }
    }

    @Test("Unknown objects and wrong types give the standard errors")
    func standardErrors() async throws {
        try await withDesk { desk, _ in
            let server = try await EchoObject.serve(on: desk.connect())
            try await server.export(
                "/p",
                [
                    ExportedInterface(
                        "a.B",
                        [
                            .property("Fixed", notice: .constant) { UInt32(1) },
                            .property(
                                "Free", get: { "x" },
                                set: { _, value in if value == "bad" { throw EchoObject.Rejected() } }),
                        ])
                ])
            let client = try await desk.connect()
            let echo = EchoObject.interface
            let properties: InterfaceName = .properties
            let cases: [(InterfaceName, MemberName, [Value], ObjectPath, DBusError.Name?)] = [
                (echo, "Number", [.uint32(1)], Self.path, nil),
                (echo, "Number", [.uint32(1)], "/nowhere", .unknownObject),
                ("a.Missing", "Number", [.uint32(1)], Self.path, .unknownInterface),
                (echo, "Missing", [], Self.path, .unknownMethod),
                (echo, "Number", [], Self.path, .invalidArgs),
                (echo, "Number", [.string("1")], Self.path, .invalidArgs),
                (echo, "Number", [.uint32(1), .uint32(2)], Self.path, .invalidArgs),
                (echo, "Reject", [], Self.path, .failed),
                (properties, "Get", [.string("a.B"), .string("Fixed")], "/p", nil),
                (properties, "Get", [.string("a.B"), .string("Missing")], "/p", .unknownProperty),
                (properties, "Get", [.string("a.Missing"), .string("Fixed")], "/p", .unknownInterface),
                (properties, "Get", [.string("a.B")], "/p", .invalidArgs),
                (properties, "Get", [.string("a.B"), .string("Fixed")], "/nowhere", .unknownObject),
                (properties, "GetAll", [.string("a.B")], "/p", nil),
                (properties, "GetAll", [.string("no interface at all")], "/p", .unknownInterface),
                (properties, "Set", [.string("a.B"), .string("Fixed"), .variant(.uint32(2))], "/p", .propertyReadOnly),
                (properties, "Set", [.string("a.B"), .string("Free"), .variant(.string("y"))], "/p", nil),
                (properties, "Set", [.string("a.B"), .string("Free"), .variant(.uint32(2))], "/p", .invalidArgs),
                (properties, "Set", [.string("a.B"), .string("Free"), .variant(.string("bad"))], "/p", .failed),
                (
                    properties, "Set", [.string("a.B"), .string("Missing"), .variant(.uint32(2))], "/p",
                    .unknownProperty
                ),
                (properties, "Introspect", [], "/p", .unknownMethod),
                (.introspectable, "Introspect", [.uint32(1)], "/p", .invalidArgs),
                (.introspectable, "Introspect", [], "/nowhere", .unknownObject),
                (.objectManager, "GetManagedObjects", [], "/p", .unknownInterface),
                (.objectManager, "GetManagedObjects", [], "/nowhere", .unknownObject),
                (.peer, "Ping", [], "/p", nil),
                (.peer, "GetMachineId", [], "/nowhere", nil),
            ]
            for (interface, member, body, path, expected) in cases {
                #expect(
                    await call(client, interface, member, body, at: path) == expected,
                    "\(interface).\(member) at \(path)")
            }
            withExtendedLifetime(server) {}
        }
    }

    @Test("Thrown errors are mapped to valid error replies")
    func errorMapping() async throws {
        try await withDesk { desk, _ in
            let server = try await EchoObject.serve(on: desk.connect()) { _ in
                DBusError(DBusError.Name(rawValue: "org.hunch.Error.Rejected"), "no")
            }
            let client = try await desk.connect()
            #expect(await call(client, EchoObject.interface, "Reject", [])?.rawValue == "org.hunch.Error.Rejected")
            for name in ["", "nonsense", "a..b", "a.b ", ".a.b", String(repeating: "a", count: 300) + ".b", "é.b"] {
                let body: [Value] = [.string(name), .string("text")]
                #expect(await call(client, EchoObject.interface, "Fail", body) == .failed)
            }
            for text in ["", "é", String(repeating: "é", count: 10_000)] {
                let error = await #expect(throws: DBusError.self) {
                    let () = try await client.call(
                        EchoObject.name, EchoObject.path, EchoObject.interface, "Fail", "a.b", text)
                }
                #expect(error?.name.rawValue == "a.b")
                #expect(text.hasPrefix(error?.message.prefix(2_000) ?? "?"))
                #expect((error?.message.utf8.count ?? .max) <= 4_100)
            }
            withExtendedLifetime(server) {}
        }
    }

    @Test("An error message with NUL bytes still reaches the caller")
    func unsendableMessage() async throws {
        try await withDesk { desk, _ in
            let (service, client) = (try await desk.connect(), try await desk.connect())
            let server = await ObjectServer(on: service) { _ in DBusError(.failed, "a\0b\0\u{301}c") }
            try await server.export(
                "/a", [ExportedInterface("a.B", [.method("C") { (_) -> () in throw EchoObject.Rejected() }])])
            let name = try #require(await service.uniqueName)
            let error = await #expect(throws: DBusError.self) { let () = try await client.call(name, "/a", "a.B", "C") }
            #expect(error == DBusError(.failed, "ab\u{301}c"))
        }
    }

    @Test("A call needs no interface; a no-reply call gets no reply")
    func leniency() async throws {
        try await withDesk { desk, bus in
            let service = try await desk.connect()
            let server = try await EchoObject.serve(on: service)
            let answer = try await run(
                "busctl",
                [
                    "--address=\(bus.address)", "call", EchoObject.name.text, Self.path.text, EchoObject.interface.text,
                    "Number", "u", "5",
                ])
            #expect(try answer.output() == "u 5\n")
            let client = try await desk.connect()
            var errors = try await client.signals([MatchRule(member: "Never")]).makeAsyncIterator()
            for _ in 0..<10 {
                try await client.send(MethodCall(EchoObject.name, Self.path, EchoObject.interface, "Missing"))
                try await client.send(MethodCall(EchoObject.name, Self.path, EchoObject.interface, "Reject"))
            }
            #expect(try await client.echo(number: 1) == 1)
            await client.close()
            #expect(await errors.next() == nil)
            withExtendedLifetime(server) {}
        }
    }

    @Test("Calls over the limits are refused; later ones are answered")
    func concurrency() async throws {
        try await withDesk { desk, _ in
            var limits = ConnectionLimits()
            limits.concurrentCalls = 10
            let gate = Watched(false)
            let server = try await EchoObject.serve(on: desk.connect(limits), gate: gate)
            let client = try await desk.connect()
            let refused = Watched(0)
            let calls = (0..<25).map { _ in
                Task {
                    let name = await errorName { try await client.perform("Wait") }
                    if name == .limitsExceeded { refused.update { $0 += 1 } }
                }
            }
            // Refused calls get a reply. The ten others wait for the gate.
            try await refused.wait { $0 == 15 ? () : nil }
            #expect(await client.pendingCallCount == 10)
            gate.update { $0 = true }
            for call in calls { await call.value }
            #expect(refused.state == 15)
            try await client.perform("Wait")
            withExtendedLifetime(server) {}
        }
    }

    @Test("Calls that do not suspend are answered in order")
    func order() async throws {
        try await withDesk { desk, _ in
            let server = try await EchoObject.serve(on: desk.connect())
            let client = try await desk.connect()
            let answers = Watched<[UInt32]>([])
            let numbers = Array(UInt32(0)..<1_000)
            try await withThrowingTaskGroup { group in
                let loop = desk.loop
                for number in numbers {
                    group.addTask(executorPreference: loop) {
                        let answer = try await client.echo(number: number)
                        answers.update { $0.append(answer) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(answers.state == numbers)
            withExtendedLifetime(server) {}
        }
    }

    @Test("A second export or a throwing getter exports nothing")
    func failedExports() async throws {
        try await withDesk { desk, _ in
            let server = try await EchoObject.serve(on: desk.connect())
            await server.manage("/")
            let twice = ExportedInterface("a.B", [])
            try await server.export("/x", [twice])
            #expect(await errorName { try await server.export("/x", [twice]) } == .objectPathInUse)
            #expect(await errorName { try await server.export("/y", [twice, twice]) } == .objectPathInUse)
            let failing = ExportedInterface(
                "a.C", [.property("P") { () -> UInt32 in throw DBusError(.accessDenied, "no") }])
            #expect(await errorName { try await server.export("/z", [failing]) } == .accessDenied)
            let client = try await desk.connect()
            #expect(await call(client, .introspectable, "Introspect", [], at: "/y") == .unknownObject)
            #expect(await call(client, .introspectable, "Introspect", [], at: "/z") == .unknownObject)
            #expect(await call(client, .introspectable, "Introspect", [], at: "/x") == nil)
            try await server.unexport("/x")
            try await server.unexport("/x")
            #expect(await call(client, .introspectable, "Introspect", [], at: "/x") == .unknownObject)
        }
    }

    @Test("An object removed while its properties are read is gone")
    func takenBack() async throws {
        try await withDesk { desk, _ in
            let (service, client) = (try await desk.connect(), try await desk.connect())
            let server = await ObjectServer(on: service)
            await server.manage("/")
            let asked = Watched(false)
            let gate = Watched(false)
            let slow = ExportedMember.property("P") {
                asked.update { $0 = true }
                try await gate.wait { $0 ? () : nil }
                return UInt32(1)
            }
            var signals = try await client.signals([MatchRule(interface: .objectManager), MatchRule(member: "End")])
                .makeAsyncIterator()
            async let export: Void = server.export("/a", [ExportedInterface("a.B", [slow])])
            try await asked.wait { $0 ? () : nil }
            try await server.unexport("/a")
            gate.update { $0 = true }
            try await export
            try await server.emit("/", "a.B", "End")
            guard case .signal(let message)? = await signals.next() else { throw BenchError("no signal came") }
            #expect(message.member == "End")
            let name = try #require(await service.uniqueName)
            let answer = await errorName {
                let _: String = try await client.call(name, "/a", .introspectable, "Introspect")
            }
            #expect(answer == .unknownObject)
        }
    }
}
