import FoundationEssentials
import HunchDBus
import TestSupport
import Testing

/// Tests of objects that only some callers see.
@Suite("Object visibility", .timeLimit(.minutes(15))) struct VisibilityTests {
    private static let interface: InterfaceName = "org.hunch.Test.Secret1"
    private static let path: ObjectPath = "/org/hunch/Test/secret"
    private static let other: ObjectPath = "/org/hunch/Test/public"

    /// A server, and the subjects whose objects each caller sees, by unique name.
    private final class Sights: Sendable {
        let subjects = Watched<[BusName: Set<String>]>([:])
        let questions = Watched(0)

        func serve(on connection: Connection) async throws -> ObjectServer {
            _ = try await connection.requestName(EchoObject.name)
            let server = await ObjectServer(
                on: connection,
                sight: { [subjects, questions] call in
                    questions.update { $0 += 1 }
                    let seen = subjects.state[call.sender] ?? []
                    return { subject throws(DBusError) in
                        guard seen.contains(subject) else { throw DBusError(.accessDenied, "not for you") }
                    }
                })
            await server.manage("/")
            return server
        }
    }

    private func secret(_ text: Watched<String> = Watched("hidden text")) -> ExportedInterface {
        ExportedInterface(
            Self.interface,
            [
                .property("Text", get: { text.state }, set: { _, new in text.update { $0 = new } }),
                .method("Tell", results: ["text"]) { _ in "told text" },
                .method("TellLater", results: ["text"]) { _ async throws -> String in "told text" },
            ])
    }

    private func managed(_ client: Connection) async throws -> Set<ObjectPath> {
        let objects: [ObjectPath: [String: VariantMap]] = try await client.call(
            EchoObject.name, "/", .objectManager, "GetManagedObjects")
        return Set(objects.keys)
    }

    @Test("A caller that may not see an object cannot find or call it")
    func answers() async throws {
        try await withDesk { desk, _ in
            let sights = Sights()
            let server = try await sights.serve(on: desk.connect())
            try await server.export(Self.other, [secret()])
            try await server.export(Self.path, [secret()], about: "a")
            let (friend, stranger) = (try await desk.connect(), try await desk.connect())
            let friendName = try #require(await friend.uniqueName)
            sights.subjects.update { $0[friendName] = ["a"] }
            for (client, sees) in [(friend, true), (stranger, false)] {
                #expect(try await managed(client) == (sees ? [Self.path, Self.other] : [Self.other]))
                let xml: String = try await client.call(
                    EchoObject.name, "/org/hunch/Test", .introspectable, "Introspect")
                #expect(xml.contains("secret") == sees && xml.contains("public"))
                let expected: DBusError.Name? = sees ? nil : .accessDenied
                let calls: [(InterfaceName, MemberName, [Value])] = [
                    (.properties, "Get", [.string(Self.interface.text), .string("Text")]),
                    (.properties, "GetAll", [.string(Self.interface.text)]),
                    (.properties, "Set", [.string(Self.interface.text), .string("Text"), .variant(.string("x"))]),
                    (Self.interface, "Tell", []), (Self.interface, "TellLater", []),
                ]
                for (interface, member, body) in calls {
                    let name = await errorName {
                        _ = try await client.reply(
                            to: MethodCall(EchoObject.name, Self.path, interface, member, body: body))
                    }
                    #expect(name == expected, "\(member)")
                }
                for (member, error) in [("Introspect", DBusError.Name.unknownObject), ("Nonsense", .accessDenied)] {
                    let interface: InterfaceName = member == "Introspect" ? .introspectable : Self.interface
                    let name = await errorName {
                        _ = try await client.reply(
                            to: MethodCall(EchoObject.name, Self.path, interface, try MemberName(member)))
                    }
                    #expect(name == (sees ? (member == "Introspect" ? nil : .unknownMethod) : error), "\(member)")
                }
            }
            withExtendedLifetime(server) {}
        }
    }

    @Test("Signals of an object reach only followers that may see it")
    func signals() async throws {
        try await withDesk { desk, _ in
            let sights = Sights()
            let server = try await sights.serve(on: desk.connect())
            let clients = [try await desk.connect(), try await desk.connect(), try await desk.connect()]
            let friend = try #require(await clients[0].uniqueName)
            let unasking = try #require(await clients[2].uniqueName)
            sights.subjects.update { $0 = [friend: ["a"], unasking: ["a"]] }
            var readers: [SignalStream.Iterator] = []
            for client in clients {
                readers.append(
                    try await client.signals([MatchRule(sender: EchoObject.name)]).makeAsyncIterator())
            }
            // The second caller asks but may not see. The third may see but never asked.
            for client in clients.prefix(2) { #expect(try await managed(client).isEmpty) }
            let text = Watched("first text")
            try await server.export(Self.path, [secret(text)], about: "a")
            text.update { $0 = "second text" }
            try await server.propertiesChanged(Self.path, Self.interface, ["Text"])
            try await server.emit(Self.path, Self.interface, "Happened", "third text")
            try await server.unexport(Self.path)
            // Then the broadcast signal.
            try await server.export(Self.other, [secret()])
            func told(_ reader: inout SignalStream.Iterator) async throws -> [String] {
                var members: [String] = []
                while case .signal(let message)? = await reader.next() {
                    members.append(message.member?.text ?? "")
                    if message.member == "InterfacesAdded",
                        try message.arguments(ObjectPath.self, [String: VariantMap].self).0 == Self.other
                    {
                        return members
                    }
                }
                throw BenchError("the bus went away")
            }
            let all = ["InterfacesAdded", "PropertiesChanged", "Happened", "InterfacesRemoved", "InterfacesAdded"]
            #expect(try await told(&readers[0]) == all)
            #expect(try await told(&readers[1]) == ["InterfacesAdded"])
            #expect(try await told(&readers[2]) == ["InterfacesAdded"])
        }
    }

    @Test("Reading an object follows it; public objects need no check")
    func proxies() async throws {
        try await withDesk { desk, _ in
            let sights = Sights()
            let server = try await sights.serve(on: desk.connect())
            try await server.export(Self.other, [secret()])
            let client = try await desk.connect()
            let name = try #require(await client.uniqueName)
            let _: String = try await client.call(EchoObject.name, Self.other, Self.interface, "Tell")
            let _: String = try await client.call(EchoObject.name, "/", .introspectable, "Introspect")
            #expect(sights.questions.state == 0)
            sights.subjects.update { $0[name] = ["a"] }
            let text = Watched("first text")
            try await server.export(Self.path, [secret(text)], about: "a")
            let cache = PropertyCache(Proxy(client, EchoObject.name, Self.path), Self.interface)
            var snapshots = try await cache.snapshots().makeAsyncIterator()
            #expect(try await snapshots.next()??.value("Text") == "first text")
            text.update { $0 = "second text" }
            try await server.propertiesChanged(Self.path, Self.interface, ["Text"])
            #expect(try await snapshots.next()??.value("Text") == "second text")
        }
    }

    @Test("Closed followers free their slots; the oldest is evicted")
    func crowd() async throws {
        try await withDesk { desk, bus in
            var limits = ConnectionLimits()
            limits.followers = 3
            let sights = Sights()
            let server = try await sights.serve(on: desk.connect(limits))
            func follow() async throws -> (Connection, SignalStream.Iterator) {
                let client = try await desk.connect()
                let name = try #require(await client.uniqueName)
                sights.subjects.update { $0[name] = ["a"] }
                let reader = try await client.signals([MatchRule(sender: EchoObject.name)]).makeAsyncIterator()
                _ = try await managed(client)
                return (client, reader)
            }
            func isTold(_ reader: inout SignalStream.Iterator, _ number: UInt32) async throws -> Bool {
                try await server.emit(Self.path, Self.interface, "Number", number)
                try await server.emit(Self.other, Self.interface, "Number", UInt32.max)
                guard case .signal(let first)? = await reader.next() else { throw BenchError("the bus went away") }
                let isMeant = try first.arguments(UInt32.self) == number
                if isMeant { _ = await reader.next() }
                return isMeant
            }
            try await server.export(Self.path, [secret()], about: "a")
            try await server.export(Self.other, [secret()])
            let looker = try await desk.connect()
            var (_, first) = try await follow()
            for _ in 0..<20 {
                let (leaving, _) = try await follow()
                let name = try #require(await leaving.uniqueName)
                await leaving.close()
                try await eventually("its name being gone", because: "the bus tells those that follow it") {
                    try await looker.names().contains(name) ? nil : ()
                }
            }
            #expect(try await isTold(&first, 1))
            var others: [SignalStream.Iterator] = []
            for _ in 0..<3 { others.append(try await follow().1) }
            #expect(try await !isTold(&first, 2))
        }
    }

    @Test("busctl and GDBus list only the objects they may see")
    func foreign() async throws {
        try await withDesk { desk, bus in
            let sights = Sights()
            let server = try await sights.serve(on: desk.connect())
            try await server.export(Self.other, [secret()])
            try await server.export(Self.path, [secret()], about: "a")
            for tool in [
                ["busctl", "--address=\(bus.address)", "tree", EchoObject.name.text],
                [
                    "gdbus", "call", "--address", bus.address, "--dest", EchoObject.name.text, "--object-path", "/",
                    "--method", "org.freedesktop.DBus.ObjectManager.GetManagedObjects",
                ],
            ] {
                let text = try await run(tool[0], Array(tool.dropFirst())).output()
                #expect(text.contains("public") && !text.contains("secret"), "\(text)")
            }
            withExtendedLifetime(server) {}
        }
    }
}
