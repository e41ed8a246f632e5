import Glibc
import EventLoops
import HunchDBus
import Synchronization

/// A burst of traffic on connections that it opens and closes itself.
enum Storm: String {
    /// 100,000 signals between two connections, which arrive complete and in order.
    case signals
    /// 100,000 calls, 1,000 of them at once, each answered with its own answer.
    case calls
    /// 1,000 connections with a subscription and a server each, of which every other one is dropped without being closed.
    case connections

    struct Damage: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    func blow(_ address: BusAddress, _ loop: EventLoop) async throws {
        switch self {
        case .signals: try await sendSignals(address, loop)
        case .calls: try await makeCalls(address, loop)
        case .connections: try await comeAndGo(address, loop)
        }
    }

    private func sendSignals(_ address: BusAddress, _ loop: EventLoop) async throws {
        let sender = try await Connection.open(address, on: loop)
        let receiver = try await Connection.open(address, on: loop)
        let interface: InterfaceName = "org.hunch.Test.Storm1"
        let stream = try await receiver.signals([MatchRule(interface: interface)], capacity: 100_000)
        async let counting: Void = Self.count(stream, upTo: 100_000)
        for number in UInt32(0)..<100_000 {
            try await sender.emit(
                "/storm", interface, "Drop", body: [.uint32(number), .string("the quick brown fox")])
            // As fast as the bus takes them: what waits to be written is bounded.
            if number.isMultiple(of: 1_000) { _ = try await sender.owner(of: .bus) }
        }
        try await counting
        await sender.close()
        await receiver.close()
    }

    /// Reads signals as long as they are numbered one after the other.
    private static func count(_ stream: SignalStream, upTo limit: UInt32) async throws {
        var next: UInt32 = 0
        for await event in stream {
            guard case .signal(let message) = event, message.body.first == .uint32(next) else {
                throw Damage("after \(next) signals came \(event)")
            }
            next += 1
            if next == limit { return }
        }
        throw Damage("the signals ended after \(next)")
    }

    private func makeCalls(_ address: BusAddress, _ loop: EventLoop) async throws {
        let owner = try await Connection.open(address, on: loop)
        let server = try await Self.serve(on: owner)
        let client = try await Connection.open(address, on: loop)
        guard let name = await owner.uniqueName else { throw Damage("the server has no name") }
        try await withThrowingTaskGroup { group in
            for caller in UInt32(0)..<1_000 {
                group.addTask {
                    for round in UInt32(0)..<100 {
                        let number = caller * 100 + round
                        let answer: UInt32 = try await client.call(
                            name, "/storm", "org.hunch.Test.Storm1", round.isMultiple(of: 2) ? "Number" : "Late",
                            number, timeout: .seconds(300))
                        guard answer == number else { throw Damage("\(number) was answered with \(answer)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        guard await client.pendingCallCount == 0 else { throw Damage("calls are still under way") }
        await client.close()
        await owner.close()
        withExtendedLifetime(server) {}
    }

    private static func serve(on connection: Connection) async throws -> ObjectServer {
        let server = await ObjectServer(on: connection)
        try await server.export(
            "/storm",
            [
                ExportedInterface(
                    "org.hunch.Test.Storm1",
                    [
                        .method("Number", arguments: ["number"], results: ["number"]) { (_, number: UInt32) in number },
                        .method("Late", arguments: ["number"], results: ["number"]) {
                            (_, number: UInt32) async -> UInt32 in
                            await Task.yield()
                            return number
                        },
                    ])
            ])
        return server
    }

    private func comeAndGo(_ address: BusAddress, _ loop: EventLoop) async throws {
        let watcher = try await Connection.open(address, on: loop)
        let before = try await watcher.names().count
        for round in 0..<1_000 {
            let connection = try await Connection.open(address, on: loop)
            let stream = try await connection.signals([MatchRule(sender: "org.hunch.Some", member: "M")])
            let server = await ObjectServer(on: connection)
            try await server.export("/a", [ExportedInterface("a.B", [.property("P") { UInt32(1) }])])
            guard let name = await connection.uniqueName else { throw Damage("a connection has no name") }
            let _: Value = try await connection.call(name, "/a", .properties, "Get", "a.B", "P")
            if round.isMultiple(of: 2) { await connection.close() }
            withExtendedLifetime(stream) {}
        }
        // The signal for a name that goes away comes after it is gone. Names that went before this are in no list.
        let changes = try await watcher.signals([MatchRule(sender: .bus, member: "NameOwnerChanged")])
        var events = changes.makeAsyncIterator()
        while try await watcher.names().count > before {
            guard await events.next() != nil else { throw Damage("the watcher's connection has ended") }
        }
        await watcher.close()
    }
}
