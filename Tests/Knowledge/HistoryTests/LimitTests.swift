import Foundation
import GRDB
import HunchModel
import TestSupport
import Testing

@testable import History

@Suite struct LimitTests {
    let now = TemporaryHistory.now

    /// A donation that breaks one limit, and words of its error. (Not a tuple: the test's name would
    /// describe the dates, and describing one that is not finite ends the process.)
    struct Unacceptable: Sendable, CustomTestStringConvertible {
        let donation: Donation
        let words: [String]
        var testDescription: String { words.joined(separator: " ") }

        init(_ donation: Donation, _ words: [String]) {
            self.donation = donation
            self.words = words
        }
    }

    static let unacceptable: [Unacceptable] = [
        .init(.played("x", in: ""), ["app", "empty"]),
        .init(.played("x", in: AppID(String(repeating: "a", count: 256))), ["app", "256", "255"]),
        .init(.played("x", in: "a\0b"), ["app", "NUL"]),
        .init(.played(String(repeating: "é", count: 2_049)), ["parameter item", "4098", "4096"]),
        .init(.played("x", identifier: String(repeating: "a", count: 1_025)), ["identifier", "1025", "1024"]),
        .init(.played("x", group: String(repeating: "a", count: 10_000_000)), ["group", "10000000", "1024"]),
        .init(.played("x", at: 86_401), ["date", "ahead"]),
        .init(.played("x", at: -2_000_000_000), ["date", "1970"]),
        .init(.played("x", at: .infinity), ["date"]),
        .init(.played("x", at: .nan), ["date"]),
        .init(.played("x", context: Context(trigger: .other(""))), ["trigger", "empty"]),
        .init(
            .played("x", context: Context(device: AudioDevice.ID(String(repeating: "a", count: 513)))),
            ["device", "513", "512"]),
        .init(.played("x", context: Context(hour: 24)), ["hour", "24"]),
        .init(.played("x", context: Context(hour: -1)), ["hour", "-1"]),
        .init(.played("x", context: Context(weekday: 0)), ["weekday", "0"]),
        .init(
            .played("x", context: Context(further: Dictionary(uniqueKeysWithValues: (0..<9).map { ("\($0)", "a") }))),
            ["9", "8"]),
        .init(
            .played("x", context: Context(further: [String(repeating: "a", count: 33): "x"])), ["name", "33", "32"]),
        .init(
            .played("x", context: Context(further: ["a": String(repeating: "a", count: 129)])), ["value", "129", "128"]),
        .init(.played("x", context: Context(further: ["": "a"])), ["name", "empty"]),
        .init(.played("x", context: Context(further: ["a": "b\0c"])), ["value", "NUL"]),
        .init(.of(kind: String(repeating: "k", count: 129)), ["kind", "129", "128"]),
        .init(.of(parameters: ["": "x"]), ["parameter name", "empty"]),
        .init(.of(parameters: [String(repeating: "p", count: 129): "x"]), ["parameter name", "129", "128"]),
        .init(
            .of(parameters: Dictionary(uniqueKeysWithValues: (0..<33).map { ("\($0)", "") })),
            ["33", "parameters", "32"]
        ),
    ]

    @Test("Invalid values give one clear error and lose nothing", arguments: unacceptable)
    func oneClearErrorAndNothingLost(unacceptable: Unacceptable) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let outcomes = try store.record([.played("before"), unacceptable.donation, .played("after")], now: now)
            guard case .refused(let error) = outcomes[1] else {
                Issue.record("\(outcomes[1])")
                return
            }
            #expect(error.code == .invalidInput)
            for word in unacceptable.words { #expect(error.message.contains(word), "\(error.message)") }
            #expect(!error.message.contains("\n") && error.message.utf8.count < 300)
            #expect(outcomes[0].isRecorded && outcomes[2].isRecorded)
            #expect(try store.donations(limit: 10) == [.played("after"), .played("before")])
        }
    }

    @Test("A donation exactly at the limit is recorded")
    func whatIsExactlyAtTheLimitIsRecorded() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            func text(_ size: Int) -> String { String(repeating: "a", count: size) }
            let donation = Donation(
                application: AppID(text(HistoryLimits.application)),
                kind: Donation.Kind(rawValue: text(HistoryLimits.kind)),
                parameters: [text(HistoryLimits.parameterName): text(HistoryLimits.parameterValue)],
                date: now.addingTimeInterval(HistoryLimits.clockSkew),
                context: Context(
                    trigger: .other(text(HistoryLimits.circumstance)),
                    device: AudioDevice.ID(text(HistoryLimits.circumstance)),
                    hour: 0,
                    weekday: 1,
                    further: Dictionary(
                        uniqueKeysWithValues: (0..<HistoryLimits.furtherCount).map {
                            ("\($0)" + text(HistoryLimits.furtherName - 1), text(HistoryLimits.furtherValue))
                        })), identifier: text(HistoryLimits.identifier), group: text(HistoryLimits.identifier))
            #expect(try store.record(donation, now: now).isRecorded)
            #expect(try store.donations(limit: 1) == [donation])
        }
    }

    @Test("A batch that is too large is refused as a whole")
    func aBatchThatIsTooLargeIsRefusedAsAWhole() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let batch = Array(repeating: Donation.played("x"), count: HistoryLimits.batch + 1)
            let error = #expect(throws: HistoryError.self) { try store.record(batch, now: now) }
            #expect(error?.code == .invalidInput)
            #expect(try store.counts().donations == 0)
            #expect(try store.record([Donation](), now: now).isEmpty)
        }
    }

    @Test("Engagements and resume points have limits")

    func engagementsAndResumePointsHaveLimits() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            var engagement = Engagement.engaged(String(repeating: "s", count: 129))
            #expect(try store.record(engagement, now: now).refusal?.code == .invalidInput)
            engagement = .engaged("s")
            engagement.context.hour = 99
            #expect(try store.record(engagement, now: now).refusal?.code == .invalidInput)
            var point = ResumePoint.stopped("x")
            point.info.artworkURL = "data:image/png;base64," + String(repeating: "A", count: 20_000)
            let refusal = try store.remember(point, now: now).refusal
            #expect(refusal?.message.contains("now-playing info") == true)
            point = .stopped("x", device: "")
            #expect(try store.remember(point, now: now).refusal?.code == .invalidInput)
            #expect(try store.counts().rows == [0, 0, 0, 0])
            for pair in [
                MutedPair(trigger: nil, application: "", date: now),
                MutedPair(trigger: .other("a\0"), application: "a", date: now),
                MutedPair(trigger: nil, application: "a", date: .distantPast),
            ] {
                #expect(throws: HistoryError.self) { try store.mute(pair) }
            }
            #expect(throws: HistoryError.self) { try store.setPaused(until: .distantPast) }
            #expect(throws: HistoryError.self) { try store.setPaused(until: Date(timeIntervalSince1970: .nan)) }
        }
    }

    @Test("At the limits, the newest rows are kept")

    func theNewestRowsAreKeptAtTheBounds() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record([.played("first"), .played("second")], now: now)
            try store.record([.engaged("first"), .engaged("second")], now: now)
            // Simulates that the maximum number of rows, less one, was recorded since the first.
            try store.write { db in
                for (table, bound) in [
                    ("donation", HistoryLimits.donations), ("engagement", HistoryLimits.engagements),
                ] {
                    try db.execute(sql: "UPDATE \(table) SET id = ? WHERE id = 2", arguments: [bound - 1])
                }
            }
            try store.record(.played("third"), now: now)
            try store.record(.engaged("third"), now: now)
            #expect(try store.donations(limit: 5) == [.played("third"), .played("second"), .played("first")])
            #expect(try store.engagements(limit: 5).count == 3)
            try store.record(.played("fourth"), now: now)
            try store.record(.engaged("fourth"), now: now)
            #expect(try store.donations(limit: 5) == [.played("fourth"), .played("third"), .played("second")])
            #expect(try store.engagements(limit: 5).map(\.suggestion) == ["fourth", "third", "second"])
        }
    }

    @Test("At the limits, the newest resume points and mutes are kept")

    func theNewestResumePointsAndMutedPairsAreKept() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            for index in 0...HistoryLimits.resumePoints {
                try store.remember(.stopped("t", device: "d\(index)", at: Double(-index)), now: now)
            }
            for index in 0...HistoryLimits.mutedPairs {
                let date = now.addingTimeInterval(Double(-index))
                try store.mute(MutedPair(trigger: Trigger("t\(index)"), application: "a", date: date))
            }
            #expect(try store.resumePoints().map(\.device) == (0..<HistoryLimits.resumePoints).map { "d\($0)" })
            #expect(
                try store.mutedPairs().map(\.trigger?.description) == (0..<HistoryLimits.mutedPairs).map { "t\($0)" })
        }
    }
}

extension RecordOutcome {
    var refusal: HistoryError? {
        if case .refused(let error) = self { error } else { nil }
    }
}

extension Donation {
    fileprivate static func of(kind: String = "playMedia", parameters: [String: String] = [:]) -> Donation {
        Donation(
            application: "a", kind: Kind(rawValue: kind), parameters: parameters, date: TemporaryHistory.now)
    }
}
