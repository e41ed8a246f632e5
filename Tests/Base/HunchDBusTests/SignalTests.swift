import HunchDBus
import TestSupport
import Testing

@Suite("Signals", .timeLimit(.minutes(15)))
struct SignalTests {
    private static let source = MatchRule(interface: "org.hunch.Test.Source1")

    private func emit(_ numbers: Range<UInt32>, from connection: Connection, at path: ObjectPath = "/a") async throws {
        for number in numbers {
            try await connection.emit(path, "org.hunch.Test.Source1", "Tick", body: [.uint32(number)])
        }
    }

    @Test("Signals arrive in order and completely")
    func order() async throws {
        try await withDesk { desk, _ in
            let sender = try await desk.connect()
            var signals = try await desk.connect().signals([Self.source], capacity: 2_000).makeAsyncIterator()
            try await emit(0..<2_000, from: sender)
            for number in UInt32(0)..<2_000 { #expect(try await signals.body() == [.uint32(number)]) }
        }
    }

    @Test("Signals over the buffer count as lost; later ones arrive")
    func overflow() async throws {
        try await withDesk { desk, _ in
            let (sender, receiver) = (try await desk.connect(), try await desk.connect())
            var signals = try await receiver.signals([Self.source], capacity: 10).makeAsyncIterator()
            try await emit(0..<25, from: sender)
            // When the sender's call is answered, its earlier signals have reached the bus. The receiver's next reply
            // comes after them.
            _ = try await sender.names()
            _ = try await receiver.names()
            for number in UInt32(0)..<10 { #expect(try await signals.body() == [.uint32(number)]) }
            guard case .lost(15)? = await signals.next() else { throw BenchError("the loss was not told") }
            try await emit(25..<26, from: sender)
            #expect(try await signals.body() == [.uint32(25)])
        }
    }

    @Test("Waiting bytes are bounded; an undecodable signal is lost")
    func bytes() async throws {
        try await withDesk { desk, _ in
            var limits = ConnectionLimits()
            (limits.bufferedBytes, limits.decodedBytes) = (10_000, 8_000)
            let (sender, receiver) = (try await desk.connect(), try await desk.connect(limits))
            var signals = try await receiver.signals([Self.source]).makeAsyncIterator()
            for count in [4_000, 4_000, 4_000, 9_000] {
                try await sender.emit(
                    "/a", "org.hunch.Test.Source1", "Tick", body: [.bytes(Array(repeating: 0, count: count))])
            }
            _ = try await sender.names()
            _ = try await receiver.names()
            for _ in 0..<2 { #expect(try await signals.body().count == 1) }
            guard case .lost(2)? = await signals.next() else { throw BenchError("the loss was not told") }
        }
    }

    @Test("A signal that matches several rules arrives once per stream")
    func severalRules() async throws {
        try await withDesk { desk, _ in
            let (sender, receiver) = (try await desk.connect(), try await desk.connect())
            let rules = [Self.source, MatchRule(member: "Tick"), MatchRule(pathNamespace: "/a")]
            var first = try await receiver.signals(rules).makeAsyncIterator()
            var second = try await receiver.signals([Self.source]).makeAsyncIterator()
            try await emit(0..<2, from: sender)
            for number in UInt32(0)..<2 {
                #expect(try await first.body() == [.uint32(number)])
                #expect(try await second.body() == [.uint32(number)])
            }
        }
    }

    @Test("Each part of a match rule filters")
    func ruleParts() async throws {
        try await withDesk { desk, _ in
            let (sender, receiver) = (try await desk.connect(), try await desk.connect())
            let name = try #require(await sender.uniqueName)
            let fitting = [
                MatchRule(sender: name), MatchRule(path: "/a/b"), MatchRule(pathNamespace: "/a"),
                MatchRule(pathNamespace: "/"),
                MatchRule(interface: "x.y"), MatchRule(member: "Z"), MatchRule(argument0: "a.b'c,d"),
                MatchRule(argument0Namespace: "com.example"),
            ]
            let streams = try await streams(fitting, on: receiver)
            let others = try await streams2(
                [
                    MatchRule(sender: ":1.99999"), MatchRule(path: "/a"), MatchRule(pathNamespace: "/a/bc"),
                    MatchRule(interface: "x.y.z"),
                    MatchRule(member: "ZZ"), MatchRule(argument0: "a.b"), MatchRule(argument0Namespace: "com.exam"),
                ], on: receiver)
            try await sender.emit("/a/b", "x.y", "Z", body: [.string("a.b'c,d")])
            try await sender.emit("/a/b", "x.y", "Z", body: [.string("com.example.App")])
            try await sender.emit("/end", "org.hunch.Test.End", "End", body: [])
            for (rule, stream) in zip(fitting, streams) {
                var events = stream.makeAsyncIterator()
                // The namespace of the root includes the bus's signals about other connections.
                #expect(try await events.body(of: "x.y").count == 1, "\(rule)")
            }
            for (rule, stream) in others {
                var events = stream.makeAsyncIterator()
                guard case .signal(let message)? = await events.next() else { throw BenchError("nothing came") }
                #expect(message.member == "End", "\(rule) let \(message) through")
            }
        }
    }

    private func streams(_ rules: [MatchRule], on connection: Connection) async throws -> [SignalStream] {
        var streams: [SignalStream] = []
        for rule in rules { streams.append(try await connection.signals([rule])) }
        return streams
    }

    /// Streams that also receive the signal that ends a test.
    private func streams2(
        _ rules: [MatchRule], on connection: Connection
    ) async throws -> [(MatchRule, SignalStream)] {
        var streams: [(MatchRule, SignalStream)] = []
        for rule in rules {
            streams.append((rule, try await connection.signals([rule, MatchRule(interface: "org.hunch.Test.End")])))
        }
        return streams
    }

    @Test("A rule that the bus refuses is an error and leaves no rule")
    func refusedRules() async throws {
        try await withDesk { desk, _ in
            let receiver = try await desk.connect()
            for rule in [
                MatchRule(path: "/a", pathNamespace: "/b"), MatchRule(argument0: "a\0b"),
                MatchRule(argument0: String(repeating: "x", count: 5_000)),
            ] {
                await #expect(throws: DBusError.self) {
                    _ = try await receiver.signals([MatchRule(sender: "org.hunch.Some", member: "Fine"), rule])
                }
            }
            #expect(await receiver.matchRuleCount == 0)
        }
    }

    @Test("The bus holds each rule once, until its last stream ends")
    func referenceCounts() async throws {
        try await withDesk { desk, _ in
            let (sender, receiver) = (try await desk.connect(), try await desk.connect())
            let rule = MatchRule(sender: "org.hunch.Source", interface: "org.hunch.Test.Source1")
            for _ in 0..<3 {
                var held = try await withThrowingTaskGroup { group in
                    for _ in 0..<20 { group.addTask { try await receiver.signals([rule, Self.source, rule]) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                // The two rules, and the one that follows the sender's name.
                #expect(await receiver.matchRuleCount == 3)
                #expect(try await rulesOnBus(of: receiver, asked: sender) == 3)
                held.removeLast(19)
                _ = try await receiver.names()
                #expect(await receiver.matchRuleCount == 3)
                var last = held[0].makeAsyncIterator()
                held = []
                try await emit(0..<1, from: sender)
                #expect(try await last.body() == [.uint32(0)])
                _ = consume last
                _ = try await receiver.names()
                #expect(await receiver.matchRuleCount == 0)
                #expect(try await rulesOnBus(of: receiver, asked: sender) == 0)
            }
        }
    }

    @Test("A cancelled subscription leaves no rule and harms no other")
    func cancelledSubscriptions() async throws {
        try await withDesk { desk, _ in
            let (sender, receiver) = (try await desk.connect(), try await desk.connect())
            let rule = MatchRule(sender: "org.hunch.Source", interface: "org.hunch.Test.Source1")
            for round in 0..<300 {
                let cancelled = Task { try await receiver.signals([rule, Self.source]) }
                let kept = Task { try await receiver.signals([rule, Self.source]) }
                for _ in 0..<(round % 60) { await Task.yield() }
                cancelled.cancel()
                _ = await cancelled.result
                let stream = try await kept.value
                #expect(await receiver.matchRuleCount == 3)
                withExtendedLifetime(stream) {}
            }
            _ = try await receiver.names()
            #expect(await receiver.matchRuleCount == 0)
            #expect(try await rulesOnBus(of: receiver, asked: sender) == 0)
        }
    }

    /// Returns the number of match rules that the bus has for a connection.
    private func rulesOnBus(of connection: Connection, asked by: Connection) async throws -> Int {
        let name = try #require(await connection.uniqueName)
        let all: [String: [String]] = try await by.call(
            .bus, .bus, "org.freedesktop.DBus.Debug.Stats", "GetAllMatchRules")
        return all[name.text]?.count ?? 0
    }

    @Test("A rule with a well-known sender follows the name's owner")
    func followsSender() async throws {
        try await withDesk { desk, _ in
            let receiver = try await desk.connect()
            let owners = [try await desk.connect(), try await desk.connect()]
            var signals = try await receiver.signals([
                MatchRule(sender: "org.hunch.Source", interface: "org.hunch.Test.Source1")
            ])
            .makeAsyncIterator()
            for round in UInt32(0)..<6 {
                let (owner, other) = (owners[Int(round % 2)], owners[Int((round + 1) % 2)])
                #expect(try await owner.requestName("org.hunch.Source", replaceable: true, replaces: true) == .owner)
                // Sent to the receiver directly, so that the bus does not filter it.
                try await other.emit(
                    "/a", "org.hunch.Test.Source1", "Tick", body: [.uint32(99)], to: receiver.uniqueName)
                _ = try await other.names()
                try await emit(round..<(round + 1), from: owner)
                #expect(try await signals.body() == [.uint32(round)])
            }
        }
    }

    @Test("Cancelling ends a reader; closing ends its stream")
    func endings() async throws {
        try await withDesk { desk, _ in
            let (sender, receiver) = (try await desk.connect(), try await desk.connect())
            let stream = try await receiver.signals([Self.source])
            let reader = Task { () -> Bool in
                for await _ in stream {}
                return true
            }
            reader.cancel()
            #expect(await reader.value)
            try await emit(0..<3, from: sender)
            _ = try await sender.names()
            _ = try await receiver.names()
            await receiver.close()
            var rest = stream.makeAsyncIterator()
            for number in UInt32(0)..<3 { #expect(try await rest.body() == [.uint32(number)]) }
            #expect(await rest.next() == nil)
        }
    }

    @Test("Readers of one stream share its signals without loss")
    func severalReaders() async throws {
        try await withDesk { desk, _ in
            let (sender, receiver) = (try await desk.connect(), try await desk.connect())
            let stream = try await receiver.signals([Self.source])
            let readers = (0..<4).map { _ in
                Task { () -> Int in
                    var count = 0
                    for await case .signal in stream { count += 1 }
                    return count
                }
            }
            readers[0].cancel()
            _ = await readers[0].value
            try await emit(0..<300, from: sender)
            _ = try await sender.names()
            _ = try await receiver.names()
            await receiver.close()
            var sum = 0
            for reader in readers { sum += await reader.value }
            #expect(sum == 300)
        }
    }

    @Test("A stream keeps its connection alive")
    func holdsConnection() async throws {
        try await withDesk { desk, _ in
            let sender = try await desk.connect()
            var signals: SignalStream.Iterator
            do {
                let unheld = try await Connection.open(desk.address, on: desk.loop)
                signals = try await unheld.signals([Self.source]).makeAsyncIterator()
            }
            try await emit(0..<1, from: sender)
            #expect(try await signals.body() == [.uint32(0)])
        }
    }

    @Test("Two connections on one loop get only their own signals")
    func twoConnections() async throws {
        try await withPrivateBus { firstBus in
            try await withDesk { desk, _ in
                let here = try await desk.connect()
                let there = try await Connection.open(BusAddress(firstBus.address), on: desk.loop)
                var hereSignals = try await here.signals([Self.source]).makeAsyncIterator()
                var thereSignals = try await there.signals([Self.source]).makeAsyncIterator()
                for number in UInt32(0)..<100 {
                    try await emit(number..<(number + 1), from: here)
                    try await emit((number + 1_000)..<(number + 1_001), from: there)
                    #expect(try await hereSignals.body() == [.uint32(number)])
                    #expect(try await thereSignals.body() == [.uint32(number + 1_000)])
                }
                await there.close()
                #expect(await thereSignals.next() == nil)
                #expect(await here.isOpen)
            }
        }
    }
}
