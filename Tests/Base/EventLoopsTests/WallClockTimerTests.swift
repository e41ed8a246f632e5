import EventLoops
import TestSupport
import Testing

@Suite("Wall-clock timers", .timeLimit(.minutes(15)))
struct WallClockTimerTests {
    /// Created and used on the loop only.
    private final class Box: @unchecked Sendable {  // touched on the loop alone
        var timer: WallClockTimer?
    }

    @Test("A timer fires once, at its time", arguments: [-1, 0, 0.02, 0.999])
    func fires(delay: Double) async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let (box, fired) = (Box(), Watched<[ContinuousClock.Instant]>([]))
        let start = ContinuousClock.now
        loop.execute { box.timer = try? WallClockTimer(on: loop, after: delay) { fired.update { $0.append(.now) } } }
        let when = try await fired.wait { $0.first }
        #expect(start.duration(to: when) >= .seconds(delay) - .milliseconds(20))
        try await loop.sleep(for: .milliseconds(50))
        #expect(fired.state.count == 1)
    }

    @Test("A disarmed or released timer does not fire")
    func cancelled() async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let (first, second, fired) = (Box(), Box(), Watched(0))
        loop.execute {
            for box in [first, second] {
                box.timer = try? WallClockTimer(on: loop, after: 0.05) { fired.update { $0 += 1 } }
            }
            first.timer?.cancel()
            first.timer?.cancel()
            second.timer = nil
        }
        try await loop.sleep(for: .milliseconds(150))
        #expect(fired.state == 0)
    }

    @Test(
        "A time out of range counts as far in the future", arguments: [Double.infinity, .nan, .greatestFiniteMagnitude])
    func far(delay: Double) async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let (box, fired) = (Box(), Watched(0))
        loop.execute { box.timer = try? WallClockTimer(on: loop, after: delay) { fired.update { $0 += 1 } } }
        try await loop.sleep(for: .milliseconds(50))
        #expect(fired.state == 0)
        loop.execute { box.timer?.cancel() }
    }
}
