import Foundation
import History
import HunchModel
import Testing

@Suite("Statistics of a history") struct StatisticsTests {
    private let now = TemporaryHistory.now

    @Test("Actions are counted by quarter of an hour, whatever their app is")
    func times() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            _ = try store.record(
                [.played("A", at: -3_600), .played("B", in: "org.example.Other", at: 0), .played("A", at: 60)], now: now
            )
            let counts = try store.actionCounts()
            #expect(counts.map(\.count) == [1, 2])
            #expect(counts.map(\.start) == [now.addingTimeInterval(-3_600), now])
        }
    }

    @Test("Plays of a retitled item are counted together")
    func common() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            func play(_ title: String) -> Donation {
                Donation(
                    application: "org.example.Player", kind: .playMedia, parameters: ["item": "a", "title": title],
                    date: now, combination: ["item"])
            }
            _ = try store.record([play("One"), play("Two"), play("Two"), .played("B"), .played("B")], now: now)
            let common = try store.commonActions(limit: 10)
            #expect(common.map(\.count) == [3, 2] && common.first?.action.parameters["title"] == "Two")
            #expect(try store.commonActions(limit: 1).count == 1)
        }
    }

    @Test("Suggestions are counted by their last outcome, and rows by table")
    func outcomes() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            _ = try store.record(
                [.engaged("s1"), .engaged("s1", .accepted), .engaged("s2"), .engaged("s3"), .engaged("s3", .accepted)],
                now: now)
            let counts = try store.outcomeCounts()
            #expect(counts.map(\.outcome) == [.accepted, .shown] && counts.map(\.count) == [2, 1])
            let size = try store.size()
            #expect(size.rows["engagements"] == 5 && size.rows["donations"] == 0 && size.setAsideFiles == 0)
            #expect(size.bytes > 4_096)
        }
    }
}
