import Glibc
import HunchDBus
import TestSupport
import Testing

/// Storms on a bus of their own, whose descriptors are counted: those of the tests come and go with their neighbours.
@Suite("Storm", .serialized, .timeLimit(.minutes(10)))
struct StormTests {
    @Test("100,000 signals between two connections: none lost, none out of order, nothing left behind")
    func signals() async throws {
        do {
            try await withDesk { desk, _ in
                let (sender, receiver) = (try await desk.connect(), try await desk.connect())
                let rule = MatchRule(interface: "org.hunch.Test.Storm1")
                let stream = try await receiver.signals([rule], capacity: 100_000)
                async let count = counted(stream, upTo: 100_000)
                for number in UInt32(0)..<100_000 {
                    try await sender.emit(
                        "/storm", "org.hunch.Test.Storm1", "Drop",
                        body: [.uint32(number), .string("the quick brown fox")])
                    // As fast as the bus takes them: what waits to be written is bounded.
                    if number.isMultiple(of: 1_000) { _ = try await sender.owner(of: .bus) }
                }
                #expect(try await count == 100_000)
            }
        }
    }

    @Test("100,000 calls, 1,000 of them at once: every one answered with its own answer, nothing left behind")
    func calls() async throws {
        do {
            try await withDesk { desk, _ in
                let server = try await EchoObject.serve(on: desk.connect())
                let client = try await desk.connect()
                try await withThrowingTaskGroup(of: UInt32.self) { group in
                    for caller in UInt32(0)..<1_000 {
                        group.addTask {
                            var right: UInt32 = 0
                            for round in UInt32(0)..<100 {
                                let number = caller * 100 + round
                                let method: MemberName = round.isMultiple(of: 2) ? "Number" : "Late"
                                let answer: UInt32 = try await client.call(
                                    EchoObject.name, EchoObject.path, EchoObject.interface, method, number,
                                    timeout: .seconds(300))
                                if answer == number { right += 1 }
                            }
                            return right
                        }
                    }
                    let right = try await group.reduce(0, +)
                    #expect(right == 100_000)
                }
                #expect(await client.pendingCallCount == 0)
                withExtendedLifetime(server) {}
            }
        }
    }

    @Test("1,000 connections, subscriptions and servers come and go and leave nothing")
    func connections() async throws {
        do {
            try await withDesk { desk, bus in
                let first = try await desk.connect()
                _ = try await first.names()
                let before = descriptors(of: bus.processIdentifier)
                for round in 0..<1_000 {
                    let connection = try await Connection.open(desk.address, on: desk.loop)
                    let stream = try await connection.signals([MatchRule(sender: "org.hunch.Some", member: "M")])
                    let server = await ObjectServer(on: connection)
                    try await server.export("/a", [ExportedInterface("a.B", [.property("P") { UInt32(1) }])])
                    let name = try #require(await connection.uniqueName)
                    let _: Value = try await connection.call(name, "/a", .properties, "Get", "a.B", "P")
                    // Some are closed, the others just dropped.
                    if round.isMultiple(of: 2) { await connection.close() }
                    withExtendedLifetime(stream) {}
                }
                try await eventually("the end of the connections", because: "the bus tells nobody when it closes one") {
                    descriptors(of: bus.processIdentifier) <= before ? () : nil
                }
            }
        }
    }
}

/// Reads signals as long as they are numbered one after the other; returns how many there were.
private func counted(_ stream: SignalStream, upTo limit: UInt32) async throws -> UInt32 {
    var next: UInt32 = 0
    for await event in stream {
        guard case .signal(let message) = event, message.body.first == .uint32(next) else {
            throw BenchError("after \(next) signals came \(event)")
        }
        next += 1
        if next == limit { break }
    }
    return next
}

/// How many descriptors a process has open.
private func descriptors(of process: pid_t) -> Int {
    guard let folder = opendir("/proc/\(process)/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // “.” and “..”.
    return count - 2
}
