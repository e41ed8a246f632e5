import EventLoops
import HunchDBus
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import Learning

/// Habits with their own, empty history.
nonisolated(nonsending) func withHabits(
    _ body: nonisolated(nonsending) (Habits, HistoryKeeper, EventLoop) async throws -> Void
) async throws {
    try await withTemporaryHome { home in
        try prepareEnabled(home)
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let worker = try WorkerThread(name: "test-store")
        defer { worker.stop() }
        let configuration = AgentConfiguration(environment: home.environment, now: { Planted.now })
        let history = try HistoryKeeper(environment: configuration.environment, now: configuration.now, on: worker)
        #expect(try await history.open() == nil)
        let habits = Habits(loop: loop, history: history, problems: ProblemReporter())
        await habits.learn()
        try await body(habits, history, loop)
        await history.close()
    }
}
