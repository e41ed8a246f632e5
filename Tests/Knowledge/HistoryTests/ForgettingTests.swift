import Foundation
import HunchModel
import PersonalStores
import SeededRandom
import TestSupport
import Testing

@testable import History

@Suite struct ForgettingTests {
    let now = TemporaryHistory.now

    /// Two apps and two devices, each in every table.
    private func fill(_ store: HistoryStore) throws {
        for app: AppID in ["org.example.Keep", "org.example.Leave"] {
            for device: AudioDevice.ID in ["KK:EE:PP", "LL:EE:AA"] {
                let context = Context(trigger: Trigger("device:\(device)"), device: device, hour: 9, weekday: 2)
                let name = "\(app) on \(device)"
                try store.record(
                    [
                        .played("Title \(name)", in: app, at: -100, context: context, identifier: "id \(name)"),
                        .played("Title \(name)", in: app, context: context, group: "group \(app)"),
                    ], now: now)
                try store.record(
                    Engagement(
                        suggestion: "s \(name)", application: app, kind: .media, outcome: .accepted, date: now,
                        context: context), now: now)
                try store.remember(.stopped("Spot \(name)", in: app, device: device), now: now)
                try store.announce(
                    [Announcement(item: "next \(app)", title: "Coming \(app)")], in: .upcoming, of: app, now: now)
                try store.mute(MutedPair(trigger: Trigger("device:\(device)"), application: app, date: now))
            }
        }
    }

    @Test("Only forgetting a device removes its policy")

    func whatIsWantedOfADeviceGoesWithTheDeviceAlone() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            var policy = DevicePolicy()
            policy.suggests = false
            for device: AudioDevice.ID in ["KK:EE:PP", "LL:EE:AA"] { try store.setPolicy(policy, of: device) }
            #expect(try store.forget(.everything).devicePolicies == 0)
            #expect(try store.policies().keys.sorted() == ["KK:EE:PP", "LL:EE:AA"])
            #expect(try store.forget(.device("LL:EE:AA")).devicePolicies == 1)
            #expect(try store.policies() == ["KK:EE:PP": policy])
            #expect(try history.filesHolding("LL:EE:AA") == [])
            // The default policy is not stored.
            try store.setPolicy(DevicePolicy(), of: "KK:EE:PP")
            #expect(try store.policies().isEmpty)
            for number in 0..<HistoryLimits.devicePolicies { try store.setPolicy(policy, of: "d\(number)") }
            #expect(throws: HistoryError.self) { try store.setPolicy(policy, of: "one more") }
            try store.setPolicy(policy, of: "d1")
            #expect(throws: HistoryError.self) { try store.setPolicy(policy, of: "") }
        }
    }

    @Test(arguments: [
        (
            ForgetScope.everything, [8, 4, 4, 4, 2],
            [
                "example.Keep", "example.Leave", "Title", "id org", "s org", "Spot", "next org", "Coming", "KK:EE",
                "LL:EE",
            ]
        ),
        (.application("org.example.Leave"), [4, 2, 2, 2, 1], ["org.example.Leave"]),
        (.device("LL:EE:AA"), [4, 2, 2, 2, 0], ["LL:EE:AA"]),
        (
            .since(TemporaryHistory.now.addingTimeInterval(-50)), [4, 4, 4, 4, 2],
            ["group org", "s org", "Spot", "Coming"]
        ),
        (.application("org.example.Unknown"), [0, 0, 0, 0, 0], []),
        (.device("KK"), [0, 0, 0, 0, 0], []),
    ])
    func nothingForgottenIsLeftInAnyFile(scope: ForgetScope, removed: [Int], gone: [String]) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try fill(store)
            for text in gone { #expect(try history.filesHolding(text) != [], "\(text)") }
            let receipt = try store.forget(scope)
            #expect(
                receipt.counts == [
                    .donations: removed[0], .engagements: removed[1], .shownSuggestions: removed[1],
                    .resumePoints: removed[2],
                    .mutedPairs: removed[3], .announcements: removed[4], .devicePolicies: 0, .ownPlaces: 0,
                    .seenPlaces: 0, .stays: 0,
                    .setAsideFiles: 0,
                ])
            #expect(receipt.isScrubbed)
            #expect(try zip(store.counts().rows, [8, 4, 4, 4]).map { $1 - $0 } == Array(removed.prefix(4)))
            // While the store is open, so with its log and shared memory in place.
            for text in gone { #expect(try history.filesHolding(text) == [], "\(text)") }
            if scope != .everything {
                #expect(try history.filesHolding("Title org.example.Keep on KK:EE:PP") != [])
            }
            #expect(try store.settings().isEnabled)
            #expect(try store.record(.played("afterwards"), now: now).isRecorded)
            try store.close()
            for text in gone { #expect(try history.filesHolding(text) == [], "\(text)") }
        }
    }

    /// Splitting and joining pages leaves copies of rows that `secure_delete` does not overwrite. Therefore rows of
    /// many sizes are added and removed in random order.
    @Test("Nothing is left in the file after many page splits")
    func nothingIsLeftAfterManyPageSplits() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            var random = SplitMix64(seed: 3)
            for _ in 0..<2_500 {
                let app: AppID = Bool.random(using: &random) ? "org.example.Keep" : "org.example.Leave"
                let title = app.rawValue + String(repeating: "x", count: Int.random(in: 0...400, using: &random))
                let device: AudioDevice.ID = "\(UInt16.random(in: 1_000...9_999, using: &random)) with \(app)"
                try store.remember(.stopped(title, in: app, device: device), now: now)
            }
            let receipt = try store.forget(.application("org.example.Leave"))
            #expect(receipt.resumePoints > 300)
            #expect(receipt.isScrubbed)
            #expect(try history.filesHolding("example.Leave") == [])
            #expect(try store.counts().resumePoints > 300)
            try store.close()
            #expect(try history.filesHolding("example.Leave") == [])
        }
    }

    @Test("Another reader delays only the overwriting")
    func aReaderElsewhereDelaysTheScrubbingOnly() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try fill(store)
            let reader = try #require(try HistoryStore.openReadOnly(at: history.path))
            try reader.forEachDonation { donation in
                guard donation.date == now, donation.application == "org.example.Keep" else { return }
                guard try store.counts().donations > 0 else { return }
                let receipt = try store.forget(.everything)
                #expect(receipt.donations == 8)
                #expect(!receipt.isScrubbed)
            }
            try reader.close()
            #expect(try store.counts().rows == [0, 0, 0, 0])
            #expect(try history.filesHolding("org.example") != [])
            try store.close()
            // As after a start, the interrupted forgetting is finished.
            #expect(try history.open().prune(now: now).isScrubbed)
            #expect(try history.filesHolding("org.example") == [])
        }
    }

    @Test("Files that were set aside are forgotten too")

    func whatWasSetAsideIsForgottenToo() async throws {
        try await withTemporaryHistory { history in
            try history.write(Array("not a database, but a Secret\n".utf8))
            let opening = try HistoryStore.open(at: history.path, now: now)
            #expect(opening.setAside != nil)
            #expect(try history.filesHolding("Secret").count == 1)
            #expect(try opening.store.forget(.since(now)).setAsideFiles == 1)
            #expect(try history.filesHolding("Secret") == [])
        }
    }

    @Test("Pruning removes rows older than the retention")
    func pruningRemovesWhatIsOlderThanTheRetention() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try fill(store)
            try store.record(.played("Old", in: "org.example.Old", at: -HistoryLimits.retention - 1), now: now - 2)
            try store.record(.played("Young", at: -HistoryLimits.retention), now: now)
            let receipt = try store.prune(now: now)
            #expect(receipt.rows == [1, 0, 0, 0])
            #expect(try store.donations(limit: 20).count == 9)
            #expect(try history.filesHolding("org.example.Old") == [])
            #expect(try Set(store.prune(now: now).counts.values) == [0])

            let after = now.addingTimeInterval(HistoryLimits.retention + 1)
            #expect(try Set(store.prune(now: after).counts.values) == [0])
            let later = try store.prune(now: after.addingTimeInterval(86_400))
            #expect(later.rows == [9, 4, 4, 0] && later.announcements == 2)
            #expect(try store.mutedPairs().count == 4)
        }
    }

    @Test("Pruning removes files that were set aside long ago")

    func pruningRemovesWhatWasSetAsideLongAgo() async throws {
        try await withTemporaryHistory { history in
            try history.write(Array("not a database".utf8))
            let store = try HistoryStore.open(at: history.path, now: now).store
            // The file's time is the wall clock's, so prune with a time after it and one before it.
            #expect(try store.prune(now: Date(timeIntervalSince1970: 0)).setAsideFiles == 0)
            #expect(try store.prune(now: .distantFuture).setAsideFiles == 0)
            #expect(try store.prune(now: .distantFuture.addingTimeInterval(86_400)).setAsideFiles == 1)
        }
    }

    @Test("A temporarily wrong clock removes nothing")
    func wrongClock() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try fill(store)
            let count = try store.donations(limit: 20).count
            let years: TimeInterval = 3 * 365 * 86_400
            let jumps: [TimeInterval] = [
                0, years, years + 3_600, 60, 3_600, -years, 7_200, years + 86_400, 29 * 86_400,
            ]
            for seconds in jumps {
                #expect(try Set(store.prune(now: now.addingTimeInterval(seconds)).counts.values) == [0])
                // Nor is a donation refused as too old because of it.
                #expect(
                    try store.record(.played("Now"), now: now.addingTimeInterval(seconds)).isRecorded || seconds < 0)
            }
            #expect(try store.donations(limit: 40).count == count + jumps.count - 1)
        }
    }

    @Test("Rows older than the retention are refused one by one")
    func tooOld() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let old = now - HistoryLimits.retention - 1
            func isTooOld(_ outcome: RecordOutcome?) -> Bool {
                if case .refused(let error)? = outcome { error.code == .tooOld } else { false }
            }
            let age = -HistoryLimits.retention
            let outcomes = try store.record(
                [.played("a", at: age - 0.001), .played("b", at: age), .played("c", at: 10 * age), .played("d")],
                now: now)
            #expect(outcomes.map(isTooOld) == [true, false, true, false])
            #expect(outcomes.map(\.isRecorded) == [false, true, false, true])
            #expect(try Set(store.prune(now: now).counts.values) == [0], "what was accepted is kept")
            let engagement = Engagement(
                suggestion: "s", application: "a", kind: .media, outcome: .shown, date: old, context: Context())
            #expect(isTooOld(try store.record(engagement, now: now)))
            let point = ResumePoint(
                device: "d", application: "a", item: "i", info: NowPlayingInfo(title: "t"), pausedByDisconnect: false,
                date: old)
            #expect(isTooOld(try store.remember(point, now: now)))
            let place = SeenPlace(application: "a", place: MapItem(name: "p"), date: old)
            #expect(isTooOld(try store.remember(place, now: now)))
            try store.setRetention(days: 3_650)
            #expect(try store.record(engagement, now: now).isRecorded && store.remember(point, now: now).isRecorded)
        }
    }
}

extension ForgetReceipt {
    fileprivate var rows: [Int] { [donations, engagements, resumePoints, mutedPairs] }
}
