import Foundation
import GRDB
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import History
@testable import HistoryExport

@Suite struct PrivacyTests {
    let now = TemporaryHistory.now

    private func isWithheld(_ outcome: RecordOutcome, _ word: String) -> Bool {
        if case .withheld(let reason) = outcome { reason.contains(word) } else { false }
    }

    @Test("Only the excluded apps of a batch are not recorded")
    func excludedAppsAreNotRecordedAndTheRestOfABatchIs() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            #expect(try store.exclude("org.example.Secret.desktop"))
            #expect(try !store.exclude("org.example.Secret"))
            let outcomes = try store.record([.played("a", in: "org.example.Secret"), .played("b")], now: now)
            #expect(isWithheld(outcomes[0], "excluded") && outcomes[1].isRecorded)
            let point = ResumePoint.stopped("Spot", in: "org.example.Secret", device: "D")
            #expect(isWithheld(try store.remember(point, now: now), "excluded"))
            let engagement = Engagement(
                suggestion: "s", application: "org.example.Secret", kind: .media, outcome: .shown, date: now,
                context: Context())
            #expect(isWithheld(try store.record(engagement, now: now), "excluded"))
            #expect(try store.counts().donations == 1 && store.counts().resumePoints == 0)
            // The user's settings stay, also after a restart.
            _ = try store.forget(.everything)
            try store.close()
            let again = try history.open()
            #expect(try again.exclusions() == ["org.example.Secret"])
            #expect(try again.include("org.example.Secret.desktop"))
            #expect(try !again.include("org.example.Secret"))
            #expect(try again.record(.played("a", in: "org.example.Secret"), now: now).isRecorded)
            #expect(throws: HistoryError.self) { try again.exclude("") }
            #expect(throws: HistoryError.self) { try again.exclude(AppID(String(repeating: "a", count: 256))) }
            #expect(throws: HistoryError.self) {
                for number in 0...HistoryLimits.exclusions { try again.exclude("org.example.A\(number)") }
            }
            #expect(try again.exclusions().count == HistoryLimits.exclusions)
        }
    }

    @Test(
        "Messages and calls are recorded only if allowed",
        arguments: [("sendMessage", PrivacyCategory.messages), ("startCall", .calls)])
    func messagesAndCallsAreRecordedOnlyWhenAllowed(kind: String, category: PrivacyCategory) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            var donation = Donation.played("a")
            donation.kind = Donation.Kind(rawValue: kind)
            #expect(isWithheld(try store.record(donation, now: now), category.rawValue))
            try store.setCategory(category, isAllowed: true)
            #expect(try store.settings().allowedCategories == [category])
            #expect(try store.record(donation, now: now).isRecorded)
            try store.setCategory(category, isAllowed: false)
            #expect(isWithheld(try store.record(donation, now: now), category.rawValue))
            #expect(try store.counts().donations == 1)
        }
    }

    @Test("Nothing is recorded while the desktop forbids it")

    func nothingIsRecordedWhileTheDesktopSaysSo() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            store.withhold(because: .kdeRecentFiles)
            #expect(isWithheld(try store.record(.played("a"), now: now), "KDE is set"))
            #expect(store.veto == .kdeRecentFiles)
            store.withhold(because: nil)
            #expect(try store.record(.played("a"), now: now).isRecorded)
        }
    }

    @Test("The person chooses the retention")

    func retentionIsThePersonsChoice() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            #expect(try store.settings().retentionDays == 120)
            for day in [0.0, 9, 11, 119] { try store.record(.played("\(day)", at: -day * 86_400), now: now) }
            #expect(try store.prune(now: now).donations == 0)
            try store.setRetention(days: 10)
            #expect(try store.prune(now: now).donations == 2)
            try store.setRetention(days: 3_650)
            #expect(try store.settings().retentionDays == 3_650)
            for days in [0, -1, 3_651, .max] {
                #expect(throws: HistoryError.self) { try store.setRetention(days: days) }
            }
        }
    }

    @Test(
        "A place is selected by name and by position",
        arguments: [
            ("BERLIN", ["name", "trigger"]), ("berlin zoo", ["name"]), ("52.5163,13.3777", ["near"]),
            ("geo:52.5163,13.3777", ["near"]), ("52.5163, 13.3777", ["near"]), ("52.5263,13.3777", []),
            ("0,-180", ["line"]), ("91,0", []), ("100%", []), ("_", []), ("\"", []),
        ])
    func aPlaceIsFoundByNameAndByPosition(place: String, gone: [String]) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            func directions(_ id: String, _ parameters: [String: String], trigger: Trigger? = nil) -> Donation {
                Donation(
                    application: "org.example.Maps", kind: .getDirections, parameters: parameters, date: now,
                    context: Context(trigger: trigger), identifier: id)
            }
            try store.record(
                [
                    directions("name", ["destination": "Zoo, Berlin", "x": "Berlin Zoo"]),
                    directions("trigger", ["destination": "x"], trigger: .other("place:Berlin")),
                    directions("near", ["latitude": "52.5170", "longitude": "13.3790"]),
                    directions("line", ["uri": "geo:0.0001,179.9999?z=3"]),
                    directions("other", ["destination": "Paris"]),
                    .played("Berlin Calling", identifier: "song"),
                ], now: now)
            let receipt = try store.forget(.place(place))
            #expect(receipt.donations == gone.count)
            let left = Set(try store.donations(limit: 10).compactMap(\.identifier))
            #expect(left == Set(["name", "trigger", "near", "line", "other", "song"]).subtracting(gone))
        }
    }

    @Test("Forgetting a kind removes its engagements and resume points")
    func aKindTakesItsSuggestionsAndForMediaWherePlaybackStood() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            func engaged(_ kind: Suggestion.Kind) -> Engagement {
                Engagement(
                    suggestion: "s", application: "org.example.App", kind: kind, outcome: .shown, date: now,
                    context: Context())
            }
            try store.record(.played("a"), now: now)
            try store.record(
                [engaged(.media), engaged(.directions), engaged(Suggestion.Kind(rawValue: "playMedia"))], now: now)
            try store.remember(.stopped("Spot", in: "org.example.App", device: "D"), now: now)
            let directions = try store.forget(.kind(.getDirections))
            let rows: [Int] = [directions.donations, directions.engagements, directions.resumePoints]
            #expect(rows == [0, 1, 0])
            let media = try store.forget(.kind(.playMedia))
            let others: [Int] = [media.donations, media.engagements, media.resumePoints]
            #expect(others == [1, 2, 1])
        }
    }

    @Test(
        "Dates are written with milliseconds",
        arguments: [
            (0 as Int64, "1970-01-01T00:00:00.000Z"), (1_748_856_600_123, "2025-06-02T09:30:00.123Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (Int64.max, "9999-12-31T23:59:59.999Z"), (Int64.min, "0000-01-01T00:00:00.000Z"),
        ])
    func datesAreWrittenToTheMillisecond(milliseconds: Int64, text: String) {
        #expect(ExportLine.text(of: milliseconds) == text)
    }

    @Test("Every written date is read back")

    func anyDateReadsBack() throws {
        var random = SplitMix64(seed: 11)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<2_000 {
            let milliseconds = Int64.random(in: -2_000_000_000_000...200_000_000_000_000, using: &random)
            let date = try style.parse(ExportLine.text(of: milliseconds))
            #expect(Int64((date.timeIntervalSince1970 * 1_000).rounded()) == milliseconds)
        }
    }

    @Test("The export has the same lines for every page size")

    func everyPageSizeGivesTheSameLines() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            for number in 0..<7 {
                try store.record(.played("Title \(number)", at: Double(-number)), now: now)
                try store.remember(.stopped("Spot", in: "org.example.A\(number)", device: "D\(number % 2)"), now: now)
            }
            func text(_ limit: Int) throws -> String {
                var (cursor, all) = (ExportCursor(), [UInt8]())
                while let page = try store.exportPage(&cursor, limit: limit, now: now) { all += page }
                #expect(try store.exportPage(&cursor, limit: limit, now: now) == nil)
                return String(decoding: all, as: UTF8.self)
            }
            let whole = try text(1_000)
            #expect(whole.split(separator: "\n").count == 17)
            for limit in [0, 1, 2, 3, 7, 8] { #expect(try text(limit) == whole) }
        }
    }

    @Test("Exported JSON is safe for terminals and keeps its meaning")

    func jsonIsHarmlessAndMeansTheSame() throws {
        let text = "a\u{7F}\u{9B}\u{202E}\u{2066}\u{2028}\u{200F}\u{61C}é\u{10FFFF}\"\\\n"
        let json = ExportLine.harmless(try Stored.json([text]))
        #expect(
            json.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) || [0xE9, 0x10FFFF].contains($0.value) })
        #expect(Stored.value([String].self, json: json) == [text])
        #expect(ExportLine.harmless("plain") == "plain")
    }

    /// A new table must either be forgotten with everything, or be listed here as a setting of the user.
    @Test("Forgetting everything keeps only the settings")
    func everyTableIsForgottenButForWhatThePersonSet() async throws {
        let kept: Set = [
            "setting", "exclusion", "allowedScript", "reader", "placeAccess", "devicePolicy", "grdb_migrations",
        ]
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.exclude("org.example.Excluded")
            try store.setScript("backup", isAllowed: true, now: now)
            try store.setReader("org.example.Reader", isAllowed: true)
            try store.setPlaceAccess("org.example.Taxi", isAllowed: true)
            var policy = DevicePolicy()
            policy.resumes = true
            try store.setPolicy(policy, of: "00:11:22:33:44:55")
            try store.record(.played("a", identifier: "i", group: "g"), now: now)
            try store.announce(
                [Announcement(item: "i", title: "t")], in: .upcoming, of: "org.example.App", now: now)
            try store.remember(.stopped("Spot", in: "org.example.App", device: "D"), now: now)
            try store.mute(MutedPair(trigger: nil, application: "org.example.App", date: now))
            try store.remember(
                SeenPlace(application: "org.example.App", place: MapItem(name: "x"), date: now), now: now)
            try store.setCategory(.location, isAllowed: true)
            _ = try store.setOwnPlace(MapItem(query: "Torstraße 1, Berlin"), named: "home")
            let place = KnownPlace(
                number: 1, coordinate: try Coordinate(latitude: 1, longitude: 2), word: "home", date: now)
            try store.record([place], staying: Stay(place: 1, begin: now, end: now), now: now)
            try store.record(
                Engagement(
                    suggestion: "s", application: "org.example.App", kind: .media, outcome: .shown, date: now,
                    context: Context(),
                    item: SuggestedItem(title: "a", application: "org.example.App", parameters: ["item": "a"])),
                now: now)
            try store.record(
                Engagement(
                    suggestion: "l", application: "org.example.Maps", kind: .directions, outcome: .shown, date: now,
                    context: Context(trigger: .appointment)), now: now)
            // Forgetting something else keeps the outcome.
            _ = try store.forget(.application("org.example.Maps"))
            func rows() throws -> [String: Int] {
                try store.read { db in
                    let tables = try String.fetchAll(
                        db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
                    return try Dictionary(
                        uniqueKeysWithValues: tables.map {
                            ($0, try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\($0)\"") ?? 0)
                        })
                }
            }
            let before = try rows()
            for (table, count) in before { #expect(count > 0, "\(table) has no row, so that nothing is proved of it") }
            _ = try store.forget(.everything)
            for (table, count) in try rows() {
                #expect(kept.contains(table) ? count == before[table] : count == 0, "\(table)")
            }
        }
    }

    @Test("Copied pictures are removed unless they are shown")

    func copiesGoButForThoseThatAreShown() async throws {
        try await withTemporaryDirectory { directory in
            let copies = CachedCopies(cacheHome: directory.path)
            #expect(try copies.removeAll() == CachedCopies.Counts())
            let shown = try directory.write("a", to: "hunch/artwork/1.png")
            try directory.write("b", to: "hunch/artwork/2.png")
            try directory.write("c", to: "hunch/geocode/deep/3")
            let outside = try directory.write("d", to: "outside")
            try FileManager.default.createSymbolicLink(
                atPath: directory.file("hunch/link"), withDestinationPath: outside)
            try FileManager.default.createSymbolicLink(
                atPath: directory.file("hunch/folder"), withDestinationPath: directory.path)
            let counts = try copies.removeAll(keeping: [shown])
            #expect(counts.artwork == 1 && counts.others == 3)
            #expect(try directory.read("outside") == "d" && directory.read("hunch/artwork/1.png") == "a")
        }
    }

    @Test("Claims are shared, except by a process that forgets")
    func aClaimIsSharedByAgentsAndAloneForTheOneThatForgets() async throws {
        try await withTemporaryHistory { history in
            let first = try HistoryClaim.shared(history.path)
            let second = try HistoryClaim.shared(history.path)
            #expect(try HistoryClaim.alone(history.path) == nil)
            withExtendedLifetime((first, second)) {}
        }
        try await withTemporaryHistory { history in
            do { _ = try HistoryClaim.shared(history.path) }
            #expect(try HistoryClaim.alone(history.path) != nil)
        }
    }

    @Test("A history from before exclusions is migrated")

    func aHistoryFromBeforeExclusionsIsTakenOver() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record(.played("Old"), now: now)
            try store.close()
            let queue = try DatabaseQueue(path: history.path)
            try await queue.write { db in
                try db.execute(sql: "DROP TABLE exclusion; DELETE FROM grdb_migrations WHERE identifier = 'exclusions'")
            }
            try queue.close()
            let again = try history.open(enabled: false)
            #expect(try again.counts().donations == 1 && again.exclusions().isEmpty)
            #expect(try again.settings().isEnabled)
        }
    }
}
