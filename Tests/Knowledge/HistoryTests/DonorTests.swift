import Foundation
import GRDB
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import History
@testable import HistoryExport

/// Tests of donations, deletions and announcements.
@Suite("Donors") struct DonorTests {
    let now = TemporaryHistory.now
    private static let app: AppID = "org.example.Podcasts"

    private func play(
        _ item: String, title: String = "t", in application: AppID = app, identifier: String? = nil,
        group: String? = nil
    ) -> Donation {
        Donation(
            application: application, kind: .playMedia, parameters: ["item": item, "title": title], date: now,
            identifier: identifier, group: group, combination: ["item"])
    }

    @Test("The chosen combination is stored, exported and read back")
    func combination() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            var random = SplitMix64(seed: 7)
            var given: [Donation] = []
            for number in 0..<200 {
                let names = (0..<Int.random(in: 1...4, using: &random)).map { "p,\"\($0)é\u{202E}" }
                let all = Dictionary(
                    uniqueKeysWithValues: names.map { ($0, "v\(Int.random(in: 0...3, using: &random))") })
                given.append(
                    Donation(
                        application: Self.app, kind: Donation.Kind(rawValue: "k\(number % 3)"), parameters: all,
                        date: now.addingTimeInterval(Double(number - 200)),
                        context: Context(trigger: .other("t"), device: nil, hour: number % 24, weekday: 1 + number % 7),
                        identifier: number % 2 == 0 ? "i\(number)" : nil, group: number % 3 == 0 ? "g" : nil,
                        combination: Array(names.prefix(Int.random(in: 1...names.count, using: &random))).sorted()))
            }
            // For equal actions the first combination counts, since each kind has one combination for given values.
            var first: [String: [String]] = [:]
            for index in given.indices {
                let key = "\(given[index].kind) \(given[index].parameters.sorted { $0.key < $1.key })"
                given[index].combination = first[key, default: given[index].combination ?? []]
                first[key] = given[index].combination
            }
            #expect(try store.record(given, now: now).allSatisfy(\.isRecorded))
            for (kept, given) in zip(try store.donations(limit: 500).reversed(), given) { #expect(kept == given) }
            #expect(try store.counts().donations == given.count)
            var (cursor, bytes) = (ExportCursor(), [UInt8]())
            while let page = try store.exportPage(&cursor, now: now) { bytes += page }
            let read = try String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap {
                try ExportLine.donation(String($0), now: now)
            }
            #expect(read == given)
        }
    }

    @Test("A combination of unknown or repeated names is refused")
    func invalidCombination() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            for names in [[], ["other"], ["item", "other"], ["item", "item", "item"]] {
                var donation = play("a")
                donation.combination = names
                guard case .refused = try store.record(donation, now: now) else {
                    Issue.record("\(names) was taken")
                    continue
                }
            }
            #expect(try store.counts().donations == 0)
        }
    }

    @Test(
        "An app deletes its donations by identifier, group, or all",
        arguments: [
            (.identifiers(["i1", "none"]), 1, ["a"]), (.identifiers(["i3"]), 2, ["c"]),
            (.groups(["g"]), 3, ["b", "c"]), (.all, 4, ["a", "b", "c"]), (.identifiers([]), 0, []),
            (.groups(["h"]), 0, []),
            (.identifiers(["i1' OR 1=1 --"]), 0, []),
        ] as [(DonationSelection, Int, Set<String>)])
    func deleting(selection: DonationSelection, count: Int, items: Set<String>) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let other: AppID = "org.example.Other"
            try store.record(
                [
                    play("a", identifier: "i1"), play("b", identifier: "i2", group: "g"),
                    play("c", identifier: "i3", group: "g"), play("c", identifier: "i3", group: "g"),
                    play("a", in: other, identifier: "i1"), play("c", in: other, identifier: "i3", group: "g"),
                ], now: now)
            for item in ["a", "b", "c"] {
                try store.remember(.stopped(item, in: Self.app, device: "on \(item)"), now: now)
            }
            try store.remember(.stopped("a", in: other, device: "on a"), now: now)
            let deleted = try store.delete(selection, of: Self.app)
            #expect(deleted.count == count && deleted.items == items)
            #expect(try store.counts().donations == 6 - count)
            #expect(try store.donations(limit: 10).filter { $0.application == other }.count == 2)
            #expect(try store.share(of: Self.app).donations == 4 - count)
            #expect(try store.playedItems(of: other, among: ["a", "b", "c"]) == ["a", "c"])
            #expect(try store.delete(selection, of: Self.app).count == 0)
        }
    }

    @Test("The last play is found per app, item and container")
    func lastPlay() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let other: AppID = "org.example.Other"
            #expect(try store.lastPlay(of: Self.app) == nil)
            var list = play("", title: "List")
            list.parameters = ["container": "list", "title": "List"]
            list.combination = ["container"]
            var untitled = play("untitled", title: "")
            untitled.parameters["title"] = nil
            let told = [
                play("a", title: "First"), play("a", title: "Again"), list, play("b"), untitled, play("c", in: other),
            ]
            #expect(try store.record(told, now: now).allSatisfy(\.isRecorded))
            #expect(try store.lastPlay(of: Self.app)?.mediaItem == "b")
            #expect(try store.lastPlay(of: Self.app, item: "a")?.parameters["title"] == "Again")
            #expect(try store.lastPlay(of: Self.app, item: "list")?.mediaItem == "list")
            #expect(try store.lastPlay(of: Self.app, item: "untitled") == nil)
            #expect(try store.lastPlay(of: Self.app, item: "c") == nil)
            #expect(try store.lastPlay(of: other, item: "c") != nil)
            var way = play("a")
            way.kind = .getDirections
            #expect(way.mediaItem == nil)
        }
    }

    @Test("Deleting a donation deletes its resume point")
    func resumePoints() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record([play("Title a", identifier: "1"), play("Title b", identifier: "2")], now: now)
            for item in ["Title a", "Title b"] {
                try store.remember(
                    ResumePoint(
                        device: "on \(item)", application: Self.app, item: item, info: NowPlayingInfo(title: item),
                        pausedByDisconnect: false, date: now), now: now)
            }
            _ = try store.delete(.identifiers(["1"]), of: Self.app)
            #expect(try store.counts().resumePoints == 1)
            _ = try store.delete(.all, of: Self.app)
            #expect(try store.counts().resumePoints == 0)
        }
    }

    @Test("Deleted donations and groups leave no bytes in any file")
    func bytes() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record(
                [
                    play("Alpha item", title: "Alpha title", identifier: "Alpha id", group: "Alpha group"),
                    play("Beta item", identifier: "Beta id", group: "Beta group"),
                    play("Gamma item", in: "org.example.Other", group: "Beta group"),
                    .played(
                        "Delta item", in: Self.app, context: Context(device: "Delta device"), identifier: "Delta id"),
                ], now: now)
            #expect(try store.delete(.identifiers(["Delta id"]), of: Self.app).count == 1)
            #expect(try history.filesHolding("Delta item") == [])
            _ = try store.prune(now: now)
            #expect(try history.filesHolding("Delta") == [])
            #expect(try store.delete(.identifiers(["Alpha id"]), of: Self.app).count == 1)
            #expect(try history.filesHolding("Alpha") == [])
            #expect(try history.filesHolding("Beta item") != [])
            #expect(try store.delete(.all, of: Self.app).count == 1)
            #expect(try history.filesHolding("Beta item") == [] && history.filesHolding(Self.app.rawValue) == [])
            // The other app's group has the same name.
            #expect(try store.donations(limit: 5).map(\.group) == ["Beta group"])
        }
    }

    @Test("An app's share counts donations and UTF-8 bytes")
    func share() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            #expect(try store.share(of: Self.app) == DonorShare())
            let play = play("é", title: "", identifier: "ü")
            try store.record([play, play, self.play("x", in: "org.example.Other")], now: now)
            let json = #"{"item":"é","title":""}"#.utf8.count
            #expect(try store.share(of: Self.app) == DonorShare(donations: 2, bytes: json + 4))
        }
    }

    @Test("An announcement replaces the app's previous one in that list")
    func announcing() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let items = (0..<HistoryLimits.announcements).map { Announcement(item: "i\($0)", title: "t\($0)") }
            #expect(try store.announce(items, in: .upcoming, of: Self.app, now: now).isRecorded)
            let place = try Coordinate(latitude: 1, longitude: 2)
            let bound = Announcement(
                item: "a", title: "t", isExclusive: true, from: now, until: now.addingTimeInterval(60),
                trigger: .device(.headphones),
                place: place, radius: 100)
            try store.announce([bound], in: .relevant, of: Self.app, now: now)
            try store.announce([items[3]], in: .upcoming, of: "org.example.Other", now: now)
            #expect(try store.announcements(in: .upcoming) == [Self.app: items, "org.example.Other": [items[3]]])
            #expect(try store.announcements(in: .relevant) == [Self.app: [bound]])
            try store.announce([], in: .upcoming, of: Self.app, now: now)
            #expect(try store.announcements(in: .upcoming) == ["org.example.Other": [items[3]]])
            let long = Announcement(item: String(repeating: "a", count: HistoryLimits.item + 1), title: "t")
            for refused in [
                items + items, [long], [Announcement(item: "", title: "t")], [Announcement(item: "a\0", title: "t")],
            ] {
                #expect(throws: HistoryError.self) {
                    try store.announce(refused, in: .relevant, of: Self.app, now: now)
                }
            }
            #expect(try store.announcements(in: .relevant) == [Self.app: [bound]])
        }
    }

    @Test("Announcing needs recording; withdrawing always works")
    func announcingWithLeave() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let item = [Announcement(item: "i", title: "t")]
            try store.announce(item, in: .upcoming, of: Self.app, now: now)
            try store.setPaused(until: now.addingTimeInterval(60))
            #expect(try !store.announce(item, in: .relevant, of: Self.app, now: now).isRecorded)
            #expect(try store.announce([], in: .upcoming, of: Self.app, now: now).isRecorded)
            try store.setPaused(until: nil)
            try store.exclude(Self.app)
            #expect(try !store.announce(item, in: .relevant, of: Self.app, now: now).isRecorded)
            store.withhold(because: .kdeRecentFiles)
            #expect(try !store.announce(item, in: .relevant, of: "org.example.Other", now: now).isRecorded)
            store.withhold(because: nil)
            try store.setEnabled(false)
            #expect(try !store.announce(item, in: .relevant, of: "org.example.Other", now: now).isRecorded)
            for list in Announcement.List.allCases { #expect(try store.announcements(in: list).isEmpty) }
        }
    }

    @Test("The person allows scripts by a short plain name")
    func scripts() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            #expect(try store.setScript("my-backup_2.sh", isAllowed: true, now: now))
            #expect(try !store.setScript("my-backup_2.sh", isAllowed: true, now: now))
            #expect(try store.setScript("a", isAllowed: true, now: now))
            #expect(try store.allowedScripts() == ["a", "my-backup_2.sh"])
            #expect(try store.setScript("a", isAllowed: false, now: now))
            #expect(try !store.setScript("a", isAllowed: false, now: now))
            for name in ["", "a b", "ä", "a\n", "a/b", "a\0", "²", String(repeating: "a", count: 65), "\u{202E}a"] {
                #expect(throws: HistoryError.self, "\(name.debugDescription)") {
                    try store.setScript(name, isAllowed: true, now: now)
                }
            }
            #expect(throws: HistoryError.self) {
                for number in 0...HistoryLimits.scripts { try store.setScript("s\(number)", isAllowed: true, now: now) }
            }
            #expect(try store.allowedScripts().count == HistoryLimits.scripts)
        }
    }

    @Test(
        "A donation line is read or refused with one error",
        arguments: [
            (#"{"application":"a","kind":"k","parameters":{}}"#, true),
            (
                #"{"type":"donation","application":"a","kind":"k","parameters":{},"date":"2025-06-02T09:30:00Z","more":[1]}"#,
                true
            ),
            (#"{"application":"a","kind":"k"}"#, false), (#"{"application":1,"kind":"k","parameters":{}}"#, false),
            (#"{"application":"a","kind":"k","parameters":{"a":1}}"#, false), (#"[]"#, false), ("", false),
            ("{", false),
            (#"{"application":"a","kind":"k","parameters":{},"date":"yesterday"}"#, false),
            (#"{"application":"a","kind":"k","parameters":{},"date":5}"#, false),
            (#"{"application":"a","kind":"k","parameters":{},"combination":"a"}"#, false), ("\u{0}", false),
            (String(repeating: "[", count: 100_000), false),
        ])
    func reading(line: String, isFine: Bool) throws {
        if isFine {
            let donation = try #require(try ExportLine.donation(line, now: now))
            #expect(donation.application == "a" && donation.date == now)
        } else {
            let error = #expect(throws: HistoryError.self) { try ExportLine.donation(line, now: now) }
            #expect((error?.message.utf8.count ?? 0) < 200)
        }
    }

    @Test("Lines of other types are skipped")
    func linesOfOtherTypesArePassedOver() throws {
        for line in [#"{"type":"end","lines":3}"#, #"{"type":"new"}"#, #"{"type":"engagement","application":"a"}"#] {
            #expect(try ExportLine.donation(line, now: now) == nil)
        }
    }
}

/// Tests that deletions use indexes and do not delay others.
@Suite("Deletion without table scans") struct DeletionPlanTests {
    private let now = TemporaryHistory.now

    @Test(
        "Deleting donations scans no table",
        arguments: [.identifiers(["i7"]), .groups(["g7", "none"]), .all] as [DonationSelection])
    func plans(selection: DonationSelection) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let context = Context(trigger: .other("t"), device: "d", further: ["power": "battery"])
            for number in 0..<20 {
                for app: AppID in ["org.example.A", "org.example.B"] {
                    try store.record(
                        .played("\(number)", in: app, context: context, identifier: "i\(number)", group: "g\(number)"),
                        now: now)
                }
                try store.record(
                    Engagement(
                        suggestion: "s", application: "org.example.B", kind: .media, outcome: .shown, date: now,
                        context: context), now: now)
            }
            let statements = Statements()
            try store.write { $0.trace { statements.add($0.expandedDescription) } }
            let deleted = try store.delete(selection, of: "org.example.A")
            try store.write { $0.trace() }
            #expect(deleted.count == (selection == .all ? 20 : 1))
            let changing = statements.all.filter { ["SELECT", "DELETE"].contains($0.prefix(6)) }
            #expect(changing.count > 4)
            try store.read { db in
                for statement in changing {
                    let plan = try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(statement)").map {
                        "\($0["detail"] ?? "")"
                    }
                    // Only resume points and names in the call are scanned, whose numbers are limited.
                    let scans = plan.filter {
                        $0.hasPrefix("SCAN") && !$0.contains("resumePoint") && !$0.contains("json_each")
                    }
                    #expect(scans.isEmpty, "\(statement): \(plan)")
                }
            }
            // All names of the app are removed, and all names of other apps stay.
            let words = try store.read { try String.fetchSet($0, sql: "SELECT text FROM word") }
            #expect(words.contains("org.example.A") == (selection != .all))
            #expect(words.isSuperset(of: ["org.example.B", "t", "d", "g7"]))
            _ = try store.delete(selection, of: "org.example.B")
            let left = try store.read { try String.fetchSet($0, sql: "SELECT text FROM word") }
            #expect(!left.contains("g7"))
            // The engagements are still there.
            #expect(left.contains("org.example.B"))
        }
    }

    private final class Statements: Sendable {
        private let list = Watched<[String]>([])
        func add(_ statement: String) { list.update { $0.append(statement) } }
        var all: [String] { list.state }
    }

    @Test("A text that a device also uses stays until it is pruned")
    func shared() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record(
                [
                    .played("a", context: Context(device: "Doppelwort"), group: "other"),
                    .played("b", group: "Doppelwort"), .played("c", in: "Doppelwort", group: "Doppelwort"),
                ], now: now)
            _ = try store.delete(.groups(["Doppelwort"]), of: "org.example.Player")
            _ = try store.delete(.all, of: "Doppelwort")
            #expect(try store.donations(limit: 5).map(\.context.device) == ["Doppelwort"])
            _ = try store.delete(.all, of: "org.example.Player")
            try store.prune(now: now)
            #expect(try history.filesHolding("Doppelwort") == [])
        }
    }
}
