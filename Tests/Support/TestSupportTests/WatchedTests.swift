import SeededRandom
import TestSupport
import Testing

@Suite("Waiting for state, clocks and random values")
struct WatchedTests {
    @Test("Every waiter is resumed once its condition holds")
    func manyWaiters() async throws {
        let watched = Watched(0)
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for target in 1...200 { group.addTask { try await watched.wait { $0 >= target ? target : nil } } }
            group.addTask {
                for _ in 1...200 {
                    watched.update { $0 += 1 }
                    await Task.yield()
                }
                return 0
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 200 * 201 / 2)
    }

    @Test("Cancelling the task ends a wait, before and after it starts")
    func cancellation() async throws {
        let watched = Watched(0)
        for _ in 0..<200 {
            let task = Task { try await watched.wait { $0 == 1 ? () : nil } }
            await Task.yield()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test("An error thrown by the condition ends the wait")
    func throwing() async throws {
        struct Expected: Error {}
        let watched = Watched(false)
        let task = Task { try await watched.wait { if $0 { throw Expected() } else { Void?.none } } }
        watched.update { $0 = true }
        await #expect(throws: Expected.self) { try await task.value }
    }

    @Test("Sleepers on a manual clock wake when their time is reached")
    func manualClock() async throws {
        let clock = ManualClock()
        let woken = Watched<[Int]>([])
        try await withThrowingTaskGroup { group in
            for seconds in [3, 1, 2] {
                group.addTask {
                    try await clock.sleep(for: .seconds(seconds))
                    woken.update { $0.append(seconds) }
                }
            }
            try await clock.waitForSleepers(3)
            for seconds in 1...3 {
                #expect(woken.state == Array(1..<seconds))
                clock.advance(by: .seconds(1))
                try await woken.wait { $0.count == seconds ? () : nil }
            }
            try await group.waitForAll()
        }
        #expect(woken.state == [1, 2, 3])
        #expect(clock.now.offset == .seconds(3))
    }

    @Test("The seeded generator yields the published sequence")
    func splitMix() {
        // The first values of the reference implementation for the seed 1234567.
        var generator = SplitMix64(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        for value in expected { #expect(generator.next() == value) }
    }

    @Test("A missed deadline names what did not happen")
    func deadline() async throws {
        let error = await #expect(throws: BenchError.self) {
            try await withDeadline(.milliseconds(20), "the impossible") {
                try await Watched(0).wait { _ in Void?.none }
            }
        }
        #expect(try #require(error?.message).hasPrefix("the impossible did not happen"))
    }
}
