import Foundation
import History
import HunchModel
import SeededRandom
import TestSupport
import Testing

@Suite struct RecordingTests {
    let now = TemporaryHistory.now

    @Test("Nothing is recorded before the user enables Hunch")

    func nothingIsRecordedBeforeThePersonEnablesIt() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open(enabled: false)
            #expect(try !store.settings().isEnabled)
            #expect(try store.settings().pausedUntil == nil)
            for outcome in try [
                store.record(.played("Secret"), now: now), store.record(.engaged("s1"), now: now),
                store.remember(.stopped("Secret"), now: now),
            ] {
                guard case .notEnabled = outcome else {
                    Issue.record("\(outcome)")
                    continue
                }
            }
            #expect(try store.counts().rows == [0, 0, 0, 0])
            try store.close()
            #expect(try history.filesHolding("Secret") == [])
        }
    }

    @Test("Disabling stops recording and keeps the history")
    func disablingStopsRecordingAndKeepsWhatWasRecorded() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            #expect(try store.record(.played("One"), now: now).isRecorded)
            try store.setEnabled(false)
            #expect(try !store.record(.played("Two"), now: now).isRecorded)
            #expect(try store.donations(limit: 10) == [.played("One")])
        }
    }

    @Test("Nothing is recorded during a pause")

    func nothingIsRecordedDuringAPause() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let end = now.addingTimeInterval(600)
            try store.setPaused(until: end)
            guard case .paused(until: end) = try store.record(.played("One"), now: now.addingTimeInterval(599)) else {
                Issue.record("recorded during a pause")
                return
            }
            #expect(try store.record(.played("Two"), now: end).isRecorded)
            try store.setPaused(until: nil)
            #expect(try store.record(.played("Three"), now: now).isRecorded)
            #expect(try store.settings().isEnabled)
            #expect(try store.settings().pausedUntil == nil)
        }
    }

    @Test("Donations are read back unchanged")
    func donationsComeBackAsTheyWere() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let donations = [
                Donation.played(
                    "Épisode 41 — “naïve” 🎧", at: 0.125,
                    context: Context(
                        trigger: .device("AA"), device: "AA", hour: 23, weekday: 7, further: ["power": "battery"]),
                    identifier: "i",
                    group: "g"),
                Donation(
                    application: "script:notes", kind: .getDirections,
                    parameters: ["to": "37.79,-122.39", "empty": "", "nul": "\\u0000 / \" \n"], date: now),
                Donation.played("Épisode 41 — “naïve” 🎧", at: 5),
            ]
            try store.record(donations, now: now)
            try store.close()
            let again = try history.open()
            // In the order in which they were done, which is not that in which they came.
            #expect(try again.donations(limit: 10) == [donations[2], donations[0], donations[1]])
            #expect(try again.donations(limit: 1) == [donations[2]])
            #expect(try again.donations(of: .getDirections, limit: 10) == [donations[1]])
            #expect(
                try again.donations(since: now.addingTimeInterval(0.001), limit: 10) == [donations[2], donations[0]])
            #expect(try again.donations(limit: 0) == [])
            var replayed: [Donation] = []
            try again.forEachDonation { replayed.append($0) }
            #expect(replayed == [donations[1], donations[0], donations[2]])
            func replay(of kind: Donation.Kind?, newest limit: Int?) throws -> [Donation] {
                var replayed: [Donation] = []
                try again.forEachDonation(of: kind, newest: limit) { replayed.append($0) }
                return replayed
            }
            #expect(try replay(of: .playMedia, newest: nil) == [donations[0], donations[2]])
            #expect(try replay(of: .playMedia, newest: 1) == [donations[2]])
            #expect(try replay(of: .getDirections, newest: 5) == [donations[1]])
            #expect(try replay(of: nil, newest: 2) == [donations[0], donations[2]])
            #expect(try replay(of: nil, newest: 0) == [])
        }
    }

    @Test("Random donations are read back unchanged")
    func randomDonationsComeBackAsTheyWere() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.setRetention(days: HistoryLimits.retentionDays.upperBound)
            var random = SplitMix64(seed: 7)
            let donations = (0..<500).map { _ in Donation.random(using: &random) }.sorted { $0.date < $1.date }
            let outcomes = try store.record(donations, now: now)
            #expect(outcomes.count == donations.count)
            for (donation, outcome) in zip(donations, outcomes) where !outcome.isRecorded {
                Issue.record("\(donation): \(outcome)")
            }
            var replayed: [Donation] = []
            try store.forEachDonation { replayed.append($0) }
            #expect(replayed.count == donations.count)
            for (replayed, donation) in zip(replayed, donations) { #expect(replayed == donation) }
        }
    }

    @Test("Engagements are read back unchanged")
    func engagementsComeBackAsTheyWere() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let engagements = Engagement.Outcome.allCases.map { Engagement.engaged("s_\($0)", $0) }
            let outcomes = try store.record(engagements, now: now)
            #expect(outcomes.count { $0.isRecorded } == engagements.count)
            #expect(try store.engagements(limit: 100) == engagements.reversed())
            #expect(try store.engagements(limit: 2).count == 2)
            #expect(try store.engagements(since: now.addingTimeInterval(1), limit: 100) == [])
        }
    }

    @Test("One resume point is kept for each device and app")

    func oneResumePointIsKeptForEachDeviceAndApp() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let points: [ResumePoint] = [
                .stopped("Old"), .stopped("Elsewhere", device: "BB", at: -20), .stopped("New", at: 5),
                .stopped("Video", in: "org.example.Video", at: -10),
            ]
            for point in points { #expect(try store.remember(point, now: now).isRecorded) }
            #expect(try store.resumePoints() == [points[2], points[3], points[1]])
            #expect(try store.resumePoints(device: "BB") == [points[1]])
            #expect(try store.resumePoints(device: "CC") == [])
        }
    }

    @Test("Pairs are muted until unmuted")

    func pairsAreMutedUntilUnmuted() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open(enabled: false)
            let pair = MutedPair(trigger: .device("AA"), application: "org.example.Player", date: now)
            let other = MutedPair(trigger: nil, application: "org.example.Maps", date: now.addingTimeInterval(-1))
            for pair in [other, pair, pair] { try store.mute(pair) }
            #expect(try store.mutedPairs() == [pair, other])
            #expect(try store.unmute(pair.pair))
            #expect(try !store.unmute(pair.pair))
            #expect(try store.mutedPairs() == [other])
        }
    }

    @Test("Unmuting a place removes its dismissals only")
    func unmutingAPlace() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let subject = try #require(
                SuggestionSubject(
                    MapItem(name: "Old Town Hall", coordinate: try Coordinate(latitude: 48.1371, longitude: 11.5754))))
            func engagement(_ id: String, _ outcome: Engagement.Outcome, _ subject: SuggestionSubject?) -> Engagement {
                Engagement(
                    suggestion: id, application: "org.example.Maps", kind: .directions, outcome: outcome, date: now,
                    context: Context(trigger: .activity("org.example.Browser")), subject: subject)
            }
            let museum = SuggestionSubject(CalendarEvent(title: "Museum", start: now))
            let kept = [
                engagement("b", .shown, subject), engagement("c", .dismissed, museum), engagement("d", .dismissed, nil),
            ]
            _ = try store.record([engagement("a", .dismissed, subject)] + kept, now: now)
            let pair = SuggestionPair(engagement("a", .dismissed, subject))
            try store.mute(MutedPair(pair, date: now))
            #expect(try store.mutedPairs().map(\.pair) == [pair])
            #expect(try !store.applications().contains(""))
            #expect(try store.unmute(pair))
            #expect(try store.engagements(limit: 9).reversed() == kept)
            #expect(try store.lastEngagements(limit: 9).filter(\.isPardoned).map(\.suggestion) == ["a"])
            // One press is undone, and others of the pair count.
            _ = try store.record(["p", "q"].map { engagement($0, .dismissed, subject) }, now: now)
            try store.undoDismissal(of: "q")
            #expect(try store.engagements(limit: 1).map(\.suggestion) == ["p"])
            // Forgetting a place finds refusals of it.
            try store.mute(MutedPair(pair, date: now))
            let receipt = try store.forget(.place("48.1372,11.5755"))
            #expect(receipt.mutedPairs == 1 && receipt.engagements == 3)
            #expect(try history.filesHolding("Old Town Hall") == [])
        }
    }
}

extension HistoryCounts {
    var rows: [Int] { [donations, engagements, resumePoints, mutedPairs] }
}

extension Engagement {
    static func engaged(_ suggestion: String, _ outcome: Outcome = .shown) -> Engagement {
        Engagement(
            suggestion: suggestion, application: "org.example.Player", kind: .media, outcome: outcome,
            date: TemporaryHistory.now,
            context: Context(
                trigger: .device("AA"), device: "AA", hour: 9, weekday: 2, further: ["session": "unlock", "é": "“”"]))
    }
}

extension ResumePoint {
    static func stopped(
        _ title: String, in application: AppID = "org.example.Player", device: AudioDevice.ID = "AA",
        at seconds: Double = 0
    ) -> ResumePoint {
        ResumePoint(
            device: device, application: application, item: "file:///\(title)",
            info: NowPlayingInfo(
                title: title, artists: ["A", "B"], album: "C", artworkURL: "file:///a.png", length: 3_600_000_000,
                position: 61_000_000),
            pausedByDisconnect: true, date: TemporaryHistory.now.addingTimeInterval(seconds))
    }
}

extension Donation {
    /// Any donation within the limits, often with text that needs care.
    static func random(using random: inout some RandomNumberGenerator) -> Donation {
        func text(_ limit: Int) -> String {
            let pool = Array("aZ09 _-./:\\\"'`%;\n\t{}[]é¡漢🎧\u{202E}\u{FEFF}\u{301}")
            return "x"
                + String(
                    (0..<Int.random(in: 0..<limit, using: &random)).compactMap { _ in
                        pool.randomElement(using: &random)
                    })
        }
        func maybe(_ value: String) -> String? { Bool.random(using: &random) ? value : nil }
        let parameters = (0..<Int.random(in: 0...4, using: &random)).map { (text(8) + "\($0)", text(40)) }
        return Donation(
            application: AppID(text(20)), kind: Kind(rawValue: text(10)),
            parameters: Dictionary(parameters) { first, _ in first },
            date: Date(
                timeIntervalSince1970: Double(Int64.random(in: 1_433_600_000_000...1_748_856_600_000, using: &random))
                    / 1_000),
            context: Context(
                trigger: maybe(text(20)).map(Trigger.init), device: maybe(text(20)).map { AudioDevice.ID($0) },
                hour: Bool.random(using: &random) ? .random(in: 0...23, using: &random) : nil,
                weekday: Bool.random(using: &random) ? .random(in: 1...7, using: &random) : nil),
            identifier: maybe(text(20)), group: maybe(text(20)))
    }
}
