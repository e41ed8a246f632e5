import EventLoops
import TestSupport
import Testing

@Suite("Idle callback of an event loop", .timeLimit(.minutes(15)))
struct QuietTests {
    @Test("It runs once after each busy period, never during one")
    func oncePerBusyTime() async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let moments = Watched(0)
        loop.execute { loop.whenQuiet(for: .milliseconds(20)) { moments.update { $0 += 1 } } }
        try await moments.wait { $0 == 1 ? () : nil }
        // The idle loop does not run it again. These timers belong to another loop.
        let other = try EventLoop()
        try other.start()
        defer { other.stop() }
        try await other.sleep(for: .milliseconds(200))
        #expect(moments.state == 1)
        // A timer due every 5 ms leaves no room for one.
        let busy = Task(executorPreference: loop) {
            for _ in 0..<20 { try await loop.sleep(for: .milliseconds(5)) }
            return moments.state
        }
        #expect(try await busy.value == 1)
        try await moments.wait { $0 == 2 ? () : nil }
    }
}
