import Foundation
import GRDB
import Glibc
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import History
@testable import HistoryExport

/// Tests of importing an export.
@Suite("Import of an export") struct HistoryImportTests {
    let now = TemporaryHistory.now

    private func text(_ store: HistoryStore) throws -> String {
        var (cursor, bytes) = (ExportCursor(), [UInt8]())
        while let page = try store.exportPage(&cursor, now: now) { bytes += page }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func importLines(_ text: String, into store: HistoryStore, _ history: TemporaryHistory) throws
        -> ImportReceipt
    {
        let path = try history.directory.write(text, to: "mine.jsonl")
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        return try store.importLines(from: descriptor, now: now)
    }

    private func any(_ random: inout SplitMix64) -> String {
        ["a", "é\u{202E}", "\"},{", "x y\n", "\\u0000", "🎧"].randomElement(using: &random) ?? "a"
    }

    /// Rows in every table, with texts that are hard to parse.
    private func fill(_ store: HistoryStore, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func date() -> Date { now.addingTimeInterval(-Double(Int.random(in: 0...8_000_000, using: &random))) }
        for number in 0..<60 {
            let context = Context(
                trigger: number % 3 == 0 ? .other("t \(any(&random))") : nil,
                device: number % 4 == 0 ? AudioDevice.ID(any(&random)) : nil,
                hour: number % 24, weekday: 1 + number % 7, further: number % 5 == 0 ? ["power": any(&random)] : [:])
            let application: AppID = "org.example.A\(number % 5)"
            let donation = Donation(
                application: application, kind: Donation.Kind(rawValue: "k\(number % 3)"),
                parameters: ["item": any(&random), "more": "\(number % 7)"], date: date(), context: context,
                identifier: number % 2 == 0 ? "i\(number)" : nil, group: number % 3 == 0 ? any(&random) : nil,
                combination: number % 4 == 0 ? nil : ["item"])
            // Twice the same: both are kept.
            #expect(try store.record([donation, donation], now: now).allSatisfy(\.isRecorded))
            try store.record(
                Engagement(
                    suggestion: "s\(number)", application: application, kind: .media,
                    outcome: Engagement.Outcome.allCases.randomElement(using: &random) ?? .shown, date: date(),
                    context: context), now: now)
            try store.remember(
                ResumePoint(
                    device: "d\(number % 3)", application: application, item: number % 2 == 0 ? any(&random) : nil,
                    info: NowPlayingInfo(title: any(&random), artists: [any(&random)]),
                    pausedByDisconnect: number % 2 == 0, date: date()), now: now)
            try store.mute(MutedPair(trigger: .other(any(&random)), application: application, date: date()))
        }
        for list in Announcement.List.allCases {
            let items = (0..<4).map { number in
                Announcement(
                    item: "i\(number)", title: any(&random), isExclusive: number % 2 == 0, from: date(),
                    place: number == 3 ? try? Coordinate(latitude: 1, longitude: 2) : nil, radius: 5)
            }
            try store.announce(items, in: list, of: "org.example.A1", now: date())
        }
        try store.setCategory(.calendar, isAllowed: true)
        for number in 0..<5 {
            let place = MapItem(
                name: "\(any(&random)) \(number)", coordinate: try Coordinate(latitude: 1, longitude: 2))
            let seen = SeenPlace(
                application: "org.example.A\(number)", place: place, content: number % 2 == 0 ? any(&random) : nil,
                related: any(&random), group: any(&random), date: date(), offered: number == 3 ? date() : nil,
                reservation: number < 2
                    ? CalendarEvent(
                        title: any(&random), start: date(), end: number == 0 ? date() : nil, isAllDay: number == 1,
                        webPageURL: "https://a.example", reservation: "TrainReservation") : nil)
            #expect(try store.remember(seen, now: now).isRecorded)
        }
        try store.setCategory(.location, isAllowed: true)
        var places: [KnownPlace] = []
        for number in 1...3 {
            let begin = now.addingTimeInterval(Double(number) * -80_000)
            places.append(
                KnownPlace(
                    number: number, coordinate: try Coordinate(latitude: Double(number), longitude: -2.5),
                    word: number == 1 ? "home" : "place-\(number)", date: begin))
            let stay = Stay(place: number, begin: begin, end: begin.addingTimeInterval(3_600))
            #expect(try store.record(places, staying: stay, now: now).isRecorded)
        }
        try store.exclude("org.example.Excluded\(seed)")
        try store.setCategory(.calls, isAllowed: true)
        try store.setRetention(days: 200 + Int(seed))
        var policy = DevicePolicy()
        policy.suggests = false
        try store.setPolicy(policy, of: "d\(seed)")
    }

    @Test("Importing an export restores the same bytes", arguments: 1...5 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try fill(store, seed: seed)
            try store.setScript("backup", isAllowed: true, now: now)
            try store.setReader("org.example.Reader", isAllowed: true)
            try store.setPlaceAccess("org.example.Taxi", isAllowed: false)
            let (before, counts) = (try text(store), try store.counts())
            _ = try store.forget(.everything)
            #expect(try store.counts().donations == 0)
            let receipt = try importLines(before, into: store, history)
            #expect(try text(store) == before)
            #expect(try store.counts() == counts)
            #expect(
                receipt.taken == [
                    "donation": counts.donations, "engagement": counts.engagements,
                    "resumePoint": counts.resumePoints, "mutedPair": counts.mutedPairs, "announcement": 8,
                    "seenPlace": 5, "place": 3, "stay": 3,
                ])
            // Settings, an exclusion, a policy, a script, a reader and a decision about places.
            #expect(receipt.known == 6 && receipt.withheld + receipt.permissions + receipt.unknown == 0)
            // Existing rows are not imported again.
            let again = try importLines(before, into: store, history)
            #expect(again.taken.isEmpty && again.known == before.split(separator: "\n").count - 2)
            #expect(try text(store) == before)
        }
    }

    @Test("A fresh history does not import permissions or recording")
    func elsewhere() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try fill(store, seed: 9)
            try store.setScript("backup", isAllowed: true, now: now)
            try store.setReader("org.example.Reader", isAllowed: true)
            try store.setPlaceAccess("org.example.Taxi", isAllowed: false)
            let whole = try text(store)
            try store.close()
            try FileManager.default.removeItem(atPath: history.path)
            let fresh = try history.open()
            try fresh.setCategory(.location, isAllowed: true)
            try fresh.setCategory(.calls, isAllowed: true)
            try fresh.setCategory(.calendar, isAllowed: true)
            try fresh.setRetention(days: 300)
            let receipt = try importLines(whole, into: fresh, history)
            #expect(receipt.permissions == 3 && receipt.known == 0 && receipt.taken["settings"] == 1)
            #expect(try fresh.allowedScripts().isEmpty && fresh.readers().isEmpty && fresh.placeAccess().isEmpty)
            let expected = whole.split(separator: "\n").filter { line in
                !["script", "reader", "placeAccess", "end"].contains { line.contains("\"type\":\"\($0)\"") }
            }
            let lines = try text(fresh).split(separator: "\n").dropLast()
            #expect(Array(lines) == expected)
        }
    }

    @Test("Imported settings only ever record, keep or show less")
    func settings() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.setCategory(.calls, isAllowed: true)
            try store.setRetention(days: 90)
            for setting in UserSetting.allCases { try store.set(setting, isOn: true) }
            let wide = try text(store)
            try store.setCategory(.calls, isAllowed: false)
            try store.setRetention(days: 7)
            for setting in UserSetting.allCases { try store.set(setting, isOn: false) }
            let narrow = try text(store)
            let receipt = try importLines(wide, into: store, history)
            #expect(receipt.permissions == 1 && receipt.known == 0 && receipt.taken.isEmpty)
            #expect(try text(store) == narrow)
            try store.setCategory(.calls, isAllowed: true)
            try store.setRetention(days: 90)
            for setting in UserSetting.allCases { try store.set(setting, isOn: true) }
            #expect(try store.settings().switchedOn == Set(UserSetting.allCases))
            #expect(try importLines(narrow, into: store, history).taken == ["settings": 1])
            #expect(try text(store) == narrow)
        }
    }

    @Test("Rows older than the retention are counted and skipped", arguments: [1, 2] as [UInt64])
    func tooOld(seed: UInt64) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try fill(store, seed: seed)
            let (whole, counts) = (try text(store), try store.counts())
            _ = try store.forget(.everything)
            // Stays are of the last three days, everything else of the last ninety.
            try store.setRetention(days: 2)
            let receipt = try importLines(whole, into: store, history)
            #expect(receipt.tooOld > 0 && receipt.known + receipt.withheld + receipt.unknown == 2, "\(receipt)")
            let rows = try store.counts()
            #expect(rows.donations < counts.donations && rows.donations == receipt.taken["donation", default: 0])
            #expect(receipt.taken["place"] == 2 && receipt.taken["stay"] == 2, "\(receipt)")
            #expect(receipt.taken["mutedPair"] == counts.mutedPairs, "what the person said is of no age")
            // No imported row is removed, and none was counted twice.
            #expect(try Set(store.prune(now: now).counts.values) == [0])
            let lines = whole.split(separator: "\n").count - 2
            let all = receipt.taken.values.reduce(0, +) + receipt.known + receipt.permissions + receipt.tooOld
            #expect(all == lines, "\(receipt) of \(lines)")
            // With a longer retention, the rest is imported.
            try store.setRetention(days: 200 + Int(seed))
            let rest = try importLines(whole, into: store, history)
            #expect(rest.tooOld == 0 && rest.taken["donation", default: 0] + rows.donations == counts.donations)
        }
    }

    @Test(
        "An invalid donation line names the wrong key",
        arguments: [
            ("[1,2]", "it is not a JSON object with the keys of a donation"),
            (#"{"kind":"k","parameters":{}}"#, "“app” is missing"),
            (#"{"application":"a","parameters":{}}"#, "“kind” is missing"),
            (#"{"application":"a","kind":"k"}"#, "“parameters” is missing"),
            (#"{"application":"","kind":"k","parameters":{}}"#, "“app” is empty"),
            (#"{"application":"a","kind":"","parameters":{}}"#, "“kind” is empty"),
            (#"{"application":1,"kind":"k","parameters":{}}"#, "“application” must be a text"),
            (#"{"application":"a","kind":"k","parameters":{"item":5}}"#, "“parameters.item” must be a text"),
            (#"{"application":"a","kind":"k","parameters":{"item":null}}"#, "“parameters.item” must be a text"),
            (#"{"application":"a","kind":"k","parameters":"x"}"#, "“parameters” must be an object"),
            (#"{"application":"a","kind":"k","parameters":{},"combination":"x"}"#, "“combination” must be an array"),
            (
                #"{"application":"a","kind":"k","parameters":{},"context":{"hour":"9"}}"#,
                "“context.hour” must be a whole number"
            ),
            (#"{"application":"a","kind":"k","parameters":{},"date":5}"#, "“date” must be a text"),
            (
                #"{"application":"a","kind":"k","parameters":{},"date":"5"}"#,
                "“date” is not a date such as 2025-06-02T09:30:00.000Z"
            ),
        ])
    func malformed(line: String, message: String) {
        let error = #expect(throws: HistoryError.self) { try ExportLine.donation(line, now: now) }
        #expect(error?.code == .invalidInput && error?.message == message, "\(error?.message ?? "")")
    }

    @Test("Nothing is imported while recording is off")
    func refused() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record(.played("a"), now: now)
            let whole = try text(store)
            _ = try store.forget(.everything)
            try store.exclude("org.example.Player")
            #expect(try importLines(whole, into: store, history).withheld == 1)
            _ = try store.include("org.example.Player")
            func refusal() -> HistoryError.Code? {
                do {
                    _ = try importLines(whole, into: store, history)
                    return nil
                } catch let error as HistoryError { return error.code } catch { return nil }
            }
            try store.setPaused(until: now.addingTimeInterval(60))
            #expect(refusal() == .notRecording)
            try store.setPaused(until: nil)
            store.withhold(because: .kdeRecentFiles)
            #expect(refusal() == .notRecording)
            store.withhold(because: nil)
            try store.setEnabled(false)
            #expect(refusal() == .notRecording)
            #expect(try store.counts().donations == 0)
            try store.setEnabled(true)
            #expect(refusal() == nil)
            #expect(try store.counts().donations == 1)
        }
    }

    private static let head = #"{"date":"2025-06-02T09:30:00.000Z","type":"export","version":1}"#
    private static let good =
        #"{"app":"a","date":"2025-06-02T09:30:00.000Z","kind":"k","parameters":{"p":"1"},"type":"donation"}"#
    private static func end(_ lines: Int) -> String { #"{"lines":\#(lines),"type":"end"}"# }

    @Test(
        "A broken line is reported by number; nothing is imported",
        arguments: [
            (["", ""], 1), ([good, end(1)], 1), ([head, good], 3), ([head, good, end(3)], 3),
            ([head, good, end(2), good], 4), ([head, head, end(2)], 2), ([head, good, "", end(2)], 3),
            ([head, good, "no JSON", end(3)], 3), ([head, good, "[]", end(3)], 3), ([head, good, #"{"type":7}"#], 3),
            ([head, good, good.replacing("2025", with: "2035"), end(3)], 3),
            ([head, good, good.replacing("2025-06-02T", with: "soon"), end(3)], 3),
            ([head, good, good.replacing("\"kind\":\"k\",", with: ""), end(3)], 3),
            ([head, good, good.replacing("\"k\"", with: "\"\(String(repeating: "k", count: 200))\""), end(3)], 3),
            ([head, good, good.replacing("\"1\"", with: "1"), end(3)], 3),
            ([head, good, String(repeating: "x", count: (1 << 20) + 70_000), end(3)], 3),
            ([head.replacing("\"version\":1", with: "\"version\":2"), good, end(2)], 1),
            ([head, good, #"{"type":"settings","enabled":true,"retentionDays":0,"categories":{}}"#, end(3)], 3),
            (
                [
                    head, good,
                    #"{"type":"engagement","suggestion":"s","application":"a","kind":"k","outcome":"x","date":"2025-06-02T09:30:00Z"}"#,
                    end(3),
                ], 3
            ),
            (
                [
                    head, good,
                    #"{"type":"announcement","application":"a","list":"x","item":{"item":"i","title":"t"},"date":"2025-06-02T09:30:00Z"}"#,
                    end(3),
                ], 3
            ),
        ])
    func broken(lines: [String], number: Int) async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let error = #expect(throws: HistoryError.self) {
                try importLines(lines.joined(separator: "\n") + "\n", into: store, history)
            }
            #expect(error?.code == .invalidInput)
            let message = error?.message ?? ""
            #expect(message.hasPrefix("line \(number): ") && message.hasSuffix("; nothing was imported"), "\(message)")
            #expect(message.utf8.count < 300)
            #expect(try store.counts().donations == 0)
            #expect(try store.settings().retentionDays == 120)
        }
    }

    @Test("A changed or missing byte never imports part of an export")
    func damaged() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try store.record([.played("a", identifier: "i", group: "g"), .played("b")], now: now)
            let whole = Array(try text(store).utf8)
            var random = SplitMix64(seed: 3)
            _ = try store.forget(.everything)
            for _ in 0..<300 {
                var bytes = whole
                let index = Int.random(in: bytes.indices, using: &random)
                if Bool.random(using: &random) {
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                } else {
                    bytes.removeSubrange(index...)
                }
                let path = try history.directory.write(bytes, to: "mine.jsonl")
                let descriptor = open(path, O_RDONLY)
                defer { close(descriptor) }
                do {
                    let receipt = try store.importLines(from: descriptor, now: now)
                    #expect(receipt.taken["donation"] == 2 || receipt.unknown == 1)
                    _ = try store.forget(.everything)
                } catch let error as HistoryError {
                    #expect(error.code == .invalidInput)
                    #expect(try store.counts().donations == 0)
                }
            }
        }
    }

    @Test("Lines of unknown types are skipped; a non-file is refused")
    func others() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            let lines = [Self.head, #"{"type":"dream","of":[1,{}]}"#, Self.good, Self.end(3)]
            let receipt = try importLines(lines.joined(separator: "\n"), into: store, history)
            #expect(receipt.unknown == 1 && receipt.taken == ["donation": 1])
            var ends: [CInt] = [-1, -1]
            #expect(pipe(&ends) == 0)
            defer { for end in ends { close(end) } }
            #expect(throws: HistoryError.self) { try store.importLines(from: ends[0], now: now) }
            #expect(throws: HistoryError.self) { try store.importLines(from: -1, now: now) }
        }
    }

    @Test("Every exported line type is imported")
    func everyType() async throws {
        try await withTemporaryHistory { history in
            let store = try history.open()
            try fill(store, seed: 1)
            try store.setScript("backup", isAllowed: true, now: now)
            try store.setReader("org.example.Reader", isAllowed: true)
            try store.setPlaceAccess("org.example.Taxi", isAllowed: false)
            _ = try store.setOwnPlace(MapItem(name: "Home", query: "Torstraße 1, Berlin"), named: "home")
            struct Line: Decodable { var type: String }
            let types = Set(
                try text(store).split(separator: "\n").map {
                    try JSONDecoder().decode(Line.self, from: Data($0.utf8)).type
                })
            let documented = Set(
                try String(
                    contentsOfFile: Surroundings.packageRoot + "/Sources/Knowledge/HistoryExport/ExportLine.swift",
                    encoding: .utf8
                ).matches(of: /\{"type":"([a-zA-Z]+)"/).map { String($0.output.1) })
            #expect(types == documented)
            #expect(try importLines(text(store), into: store, history).unknown == 0)
        }
    }
}
