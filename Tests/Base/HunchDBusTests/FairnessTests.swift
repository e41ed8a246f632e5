import TestSupport
import Testing

@testable import HunchDBus

@Suite("Fairness between callers", .timeLimit(.minutes(15)))
struct FairnessTests {
    private let crowd: BusName = ":1.1"
    private let other: BusName = ":1.2"

    private func limits(running: Int, calls: Int, total: Int = 100, bytes: Int = 1_000) -> ConnectionLimits {
        var limits = ConnectionLimits()
        limits.runningCallsOfCaller = running
        limits.callsOfCaller = calls
        limits.concurrentCalls = total
        limits.bytesOfCaller = bytes
        return limits
    }

    @Test("Calls beyond a caller's share wait in order")
    func order() {
        var shares = CallShares<Int>()
        let limits = limits(running: 2, calls: 5)
        let admissions = (0..<6).map { shares.admit($0, of: crowd, cost: 1, limits: limits) }
        #expect(admissions == [.run, .run, .wait, .wait, .wait, .refuse])
        #expect(shares.admit(10, of: other, cost: 1, limits: limits) == .run)
        #expect((0..<3).map { _ in shares.finish(1, of: crowd) } == [2, 3, 4])
        #expect(shares.finish(1, of: other) == nil && shares.callers == 1)
        #expect((0..<2).map { _ in shares.finish(1, of: crowd) } == [nil, nil])
        #expect(shares.callers == 0)
    }

    @Test("Bytes and the total number of calls are limited too")
    func bounds() {
        var shares = CallShares<Int>()
        let limits = limits(running: 1, calls: 10, total: 3, bytes: 10)
        #expect(shares.admit(0, of: crowd, cost: 11, limits: limits) == .refuse)
        #expect(shares.admit(1, of: crowd, cost: 6, limits: limits) == .run)
        #expect(shares.admit(2, of: crowd, cost: 5, limits: limits) == .refuse)
        #expect(shares.admit(3, of: crowd, cost: 4, limits: limits) == .wait)
        #expect(shares.admit(4, of: other, cost: 1, limits: limits) == .run)
        #expect(shares.admit(5, of: other, cost: 1, limits: limits) == .refuse)
        #expect(shares.finish(6, of: crowd) == 3)
        #expect(shares.admit(6, of: crowd, cost: 6, limits: limits) == .wait)
    }

    @Test("A caller that floods without reading delays no other")
    func flood() async throws {
        try await withDesk { desk, _ in
            let gate = Watched(false)
            let server = try await EchoObject.serve(on: desk.connect(), gate: gate)
            let (crowd, client) = (try await desk.connect(), try await desk.connect())
            for _ in 0..<20_000 {
                try await crowd.send(
                    MethodCall(EchoObject.name, EchoObject.path, EchoObject.interface, "Wait", body: []))
            }
            // The bus has passed all of them on when it answers this.
            _ = try await crowd.names()
            let late: UInt32 = try await client.call(
                EchoObject.name, EchoObject.path, EchoObject.interface, "Late", UInt32(7))
            #expect(late == 7)
            gate.update { $0 = true }
            withExtendedLifetime(server) {}
        }
    }
}
