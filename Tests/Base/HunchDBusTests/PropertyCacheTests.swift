import HunchDBus
import TestSupport
import Testing

@Suite("Property caches and object trees")
struct PropertyCacheTests {
    private static let name: BusName = "org.hunch.Test.Player"
    private static let interface: InterfaceName = "org.hunch.Test.Player1"

    /// A service with one managed object that has a few properties.
    private struct Service {
        let connection: Connection
        let server: ObjectServer
        let volume: Watched<Int32>

        init(_ desk: Desk, volume start: Int32) async throws {
            let volume = Watched(start)
            self.volume = volume
            connection = try await desk.connect()
            server = await ObjectServer(on: connection)
            await server.manage("/")
            try await server.export(
                "/player",
                [
                    ExportedInterface(
                        interface,
                        [
                            .property("Volume") { volume.state },
                            .property("Track", notice: .invalidation) { "track \(volume.state)" },
                        ])
                ])
            _ = try await connection.requestName(name)
        }

        func set(_ value: Int32, _ names: [MemberName] = ["Volume"]) async throws {
            volume.update { $0 = value }
            try await server.propertiesChanged("/player", interface, names)
        }
    }

    private func snapshots(on connection: Connection) async throws -> PropertyCache.Iterator {
        try await PropertyCache(Proxy(connection, Self.name, "/player"), Self.interface).snapshots().makeAsyncIterator()
    }

    @Test("Properties follow changes, invalidations and restarts")
    func properties() async throws {
        try await withDesk { desk, _ in
            let client = try await desk.connect()
            var snapshots = try await snapshots(on: client)
            #expect(await snapshots.next() == .some(nil))
            for round in Int32(0)..<3 {
                let service = try await Service(desk, volume: round)
                #expect(await snapshots.next() == ["Volume": .int32(round), "Track": .string("track \(round)")])
                try await service.set(10 + round)
                #expect(await snapshots.next()??["Volume"] == .int32(10 + round))
                try await service.set(20 + round, ["Track"])
                #expect(
                    await snapshots.next() == ["Volume": .int32(20 + round), "Track": .string("track \(20 + round)")])
                await service.connection.close()
                #expect(await snapshots.next() == .some(nil))
            }
            await client.close()
            #expect(await snapshots.next() == nil)
        }
    }

    @Test("Pending changes merge; a loss causes a new read")
    func merging() async throws {
        try await withDesk { desk, _ in
            let client = try await desk.connect()
            let service = try await Service(desk, volume: 0)
            var snapshots = try await snapshots(on: client)
            #expect(await snapshots.next()??["Volume"] == .int32(0))
            for number in Int32(1)...10 { try await service.set(number) }
            _ = try await service.connection.names()
            _ = try await client.names()
            #expect(await snapshots.next()??["Volume"] == .int32(10))
            for number in Int32(1)...600 { try await service.set(number) }
            _ = try await service.connection.names()
            _ = try await client.names()
            #expect(await snapshots.next()??["Volume"] == .int32(600))
        }
    }

    @Test("The last change wins although getters suspend")
    func suspendingGetters() async throws {
        try await withDesk { desk, _ in
            let (service, client) = (try await desk.connect(), try await desk.connect())
            let server = await ObjectServer(on: service)
            let state = Watched<UInt32>(0)
            try await server.export(
                "/player",
                [
                    ExportedInterface(
                        Self.interface,
                        [
                            .property("Count") {
                                let value = state.state
                                for _ in 0..<(value % 5) { await Task.yield() }
                                return value
                            }
                        ])
                ])
            _ = try await service.requestName(Self.name)
            var snapshots = try await snapshots(on: client)
            #expect(await snapshots.next() == ["Count": .uint32(0)])
            try await withThrowingTaskGroup { group in
                for number in UInt32(1)...200 {
                    group.addTask {
                        state.update { $0 = number }
                        try await server.propertiesChanged("/player", Self.interface, ["Count"])
                    }
                }
                try await group.waitForAll()
            }
            let final = state.state
            _ = try await service.names()
            _ = try await client.names()
            #expect(await snapshots.next() == ["Count": .uint32(final)])
        }
    }

    @Test("An object tree gives a snapshot, changes, and a new snapshot")
    func tree() async throws {
        try await withDesk { desk, _ in
            let client = try await desk.connect()
            var events = try await ObjectTree(of: Self.name, at: "/", on: client).events().makeAsyncIterator()
            guard case .unavailable? = await events.next() else { throw BenchError("the service should not be there") }
            for round in Int32(0)..<3 {
                let service = try await Service(desk, volume: round)
                guard case .available(let objects)? = await events.next() else {
                    throw BenchError("no objects were told")
                }
                #expect(objects["/player"]?[Self.interface]?["Volume"] == .int32(round))
                let other = ExportedInterface("org.hunch.Test.Other1", [.property("A") { UInt32(1) }])
                try await service.server.export("/player/child", [other])
                guard case .added("/player/child", let interfaces)? = await events.next() else {
                    throw BenchError("no addition")
                }
                #expect(interfaces == ["org.hunch.Test.Other1": ["A": .uint32(1)]])
                try await service.set(5)
                guard case .changed("/player", Self.interface, let values, invalidated: [])? = await events.next()
                else {
                    throw BenchError("no change")
                }
                #expect(values == ["Volume": .int32(5)])
                try await service.server.unexport("/player/child")
                guard case .removed("/player/child", let names)? = await events.next() else {
                    throw BenchError("no removal")
                }
                #expect(names == ["org.hunch.Test.Other1"])
                await service.connection.close()
                guard case .unavailable? = await events.next() else { throw BenchError("the end was not told") }
            }
            await client.close()
            #expect(await events.next() == nil)
        }
    }

    @Test("An object tree that lost signals gives a new snapshot")
    func treeAfterLoss() async throws {
        try await withDesk { desk, _ in
            let client = try await desk.connect()
            let service = try await Service(desk, volume: 0)
            var events = try await ObjectTree(of: Self.name, at: "/", on: client).events().makeAsyncIterator()
            guard case .available? = await events.next() else { throw BenchError("no objects were told") }
            for number in Int32(1)...4_200 { try await service.set(number) }
            _ = try await service.connection.names()
            _ = try await client.names()
            for _ in 0..<4_096 {
                guard case .changed? = await events.next() else {
                    throw BenchError("a change that was kept is missing")
                }
            }
            guard case .available(let objects)? = await events.next() else { throw BenchError("no new snapshot") }
            #expect(objects["/player"]?[Self.interface]?["Volume"] == .int32(4_200))
        }
    }

    @Test("Objects removed while a getter suspends are not in the reply")
    func consistentTree() async throws {
        try await withDesk { desk, _ in
            let (service, client) = (try await desk.connect(), try await desk.connect())
            let server = await ObjectServer(on: service)
            let gate = Watched(false)
            let asked = Watched(false)
            await server.manage("/")
            try await server.export("/gone", [ExportedInterface("a.Quick", [.property("A") { UInt32(1) }])])
            let slow = ExportedMember.property("B") {
                asked.update { $0 = true }
                try await gate.wait { $0 ? () : nil }
                return UInt32(2)
            }
            gate.update { $0 = true }
            try await server.export("/slow", [ExportedInterface("a.Slow", [slow])])
            gate.update { $0 = false }
            asked.update { $0 = false }
            _ = try await service.requestName(Self.name)
            async let objects: [ObjectPath: [String: VariantMap]] = client.call(
                Self.name, "/", .objectManager, "GetManagedObjects")
            try await asked.wait { $0 ? () : nil }
            try await server.unexport("/gone")
            gate.update { $0 = true }
            #expect(try await objects == ["/slow": ["a.Slow": ["B": .uint32(2)]]])
        }
    }

    @Test("A proxy reads and sets properties")
    func proxy() async throws {
        try await withDesk { desk, _ in
            let service = try await Service(desk, volume: 3)
            let proxy = Proxy(try await desk.connect(), Self.name, "/player")
            #expect(try await proxy.property(Self.interface, "Volume") == Int32(3))
            #expect(
                await errorName { let _: String = try await proxy.property(Self.interface, "Volume") } == .invalidArgs)
            #expect(
                await errorName { try await proxy.setProperty(Self.interface, "Volume", to: Int32(1)) }
                    == .propertyReadOnly)
            #expect(try await proxy.properties(Self.interface)["Track"] == .string("track 3"))
            withExtendedLifetime(service) {}
        }
    }
}
