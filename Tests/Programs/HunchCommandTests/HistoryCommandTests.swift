import FoundationEssentials
import History
import HunchModel
import TestSupport
import Testing

@Suite("hunch history", .timeLimit(.minutes(15)))
struct HistoryCommandTests {
    private struct Action: Decodable {
        let type: String
        let app: String
        let name: String
        let summary: String
        let id: String
        let parameters: [String: String]
    }

    private struct Suggested: Decodable {
        let suggestion: String
        let app: String
        let name: String
        let kind: String
        let outcome: String
        let date: String
        let trigger: String?
        let device: String?
        let title: String?
    }

    /// 2026-06-01T12:00:00Z.
    private static let noon = Date(timeIntervalSince1970: 1_780_315_200)

    private static func play(_ title: String, of application: AppID, minute: Double) -> Donation {
        Donation(
            application: application, kind: .playMedia, parameters: ["item": "item \(title)", "title": title],
            date: noon.addingTimeInterval(minute * 60), combination: ["item"])
    }

    private static func engagement(
        _ suggestion: String, _ outcome: Engagement.Outcome, _ minute: Double,
        by application: AppID = "org.example.Jazz",
        _ context: Context = Context()
    ) -> Engagement {
        Engagement(
            suggestion: suggestion, application: application, kind: .media, outcome: outcome,
            date: noon.addingTimeInterval(minute * 60), context: context)
    }

    private func withActions(_ body: nonisolated(nonsending) (HunchRunner) async throws -> Void) async throws {
        try await withHunch { hunch async throws in
            try hunch.installApp("org.example.Jazz", name: "Smooth Player", "Name[de]=Sanfter Spieler")
            try hunch.withHistory { store in
                _ = try store.record(
                    [
                        Self.play("Blue in Green", of: "org.example.Jazz", minute: 1),
                        Self.play("So What", of: "org.example.Jazz", minute: 2),
                        Self.play("The JAZZ hour", of: "org.example.Radio", minute: 3),
                        Self.play("News", of: "org.example.Radio", minute: 4),
                        Donation(
                            application: "org.example.Radio", kind: .openItem,
                            parameters: ["uri": "https://jazz.example/a", "title": "Station"],
                            date: Self.noon.addingTimeInterval(300), combination: ["uri"]),
                    ], now: Self.noon.addingTimeInterval(600))
            }
            try await body(hunch)
        }
    }

    @Test(
        "--search finds words of the action, the app and its name",
        arguments: [
            (["--search", "jazz"], ["The JAZZ hour", "So What", "Blue in Green"]),
            (["--search", "PLAY the"], ["The JAZZ hour"]),
            (["--search", "radio"], ["Station", "News", "The JAZZ hour"]),
            (["--search", "smooth"], ["So What", "Blue in Green"]),
            (["--search", "jazz", "--limit", "2"], ["The JAZZ hour", "So What"]),
            (["--search", "jazz", "--app", "org.example.Jazz"], ["So What", "Blue in Green"]),
            (["--app", "org.example.Radio.desktop", "--kind", "openItem"], ["Station"]),
            (["--app", "smooth player"], ["So What", "Blue in Green"]),
        ])
    func search(arguments: [String], titles: [String]) async throws {
        try await withActions { hunch async throws in
            let result = try await run(
                builtProduct("hunch"), ["history", "--json"] + arguments, environment: hunch.home.environment)
            let found = try result.standardOutput.split(separator: "\n").map {
                try JSONDecoder().decode(Action.self, from: Data($0.utf8))
            }
            #expect(found.map { $0.parameters["title"] } == titles, "\(result)")
            #expect(result.status == .exited(0))
        }
    }

    @Test("JSON lines have the words and the name of the app")
    func names() async throws {
        try await withActions { hunch async throws in
            let found = try await hunch.json(Action.self, "history", "--json")
            #expect(
                found.map(\.name).last == "Smooth Player" && found[0].name == "org.example.Radio")
            #expect(found.map(\.summary).last == "Play Blue in Green" && found[0].type == "donation")
            let german = try await hunch("history", "--json", "--search", "sanfter", also: ["LANG": "de_DE.UTF-8"])
            #expect(german.standardOutput.contains(#""name":"Sanfter Spieler""#), "\(german)")
            let table = try await hunch("history", "--limit", "1", also: ["TZ": "Asia/Kolkata"]).output()
            #expect(table == "1 Jun 2026, 17:35\torg.example.Radio\tOpen Station\n")
            let all = try await hunch("history").output()
            #expect(all.contains("\tSmooth Player\tPlay So What\n") && !all.contains("org.example.Jazz"), "\(all)")
        }
    }

    @Test("--dry-run counts what forgetting a time removes, and forgets nothing")
    func dryRun() async throws {
        try await withActions { hunch async throws in
            let since = ["forget", "--since", "2026-06-01T12:03:00Z"]
            let counted = try await run(
                builtProduct("hunch"), since + ["--dry-run"], environment: hunch.home.environment)
            #expect(counted.standardOutput == "actions\t3\n", "\(counted)")
            let none = try await hunch("forget", "--since", "2026-06-02T00:00Z", "--dry-run", "--json")
            #expect(none.status == .exited(1) && none.standardOutput.contains(#""donations":0"#), "\(none)")
            #expect(try await hunch("forget", "--all", "--dry-run").status == .exited(2))
            #expect(try await hunch("history").output().split(separator: "\n").count == 5)
            let forgotten = try await run(builtProduct("hunch"), since, environment: hunch.home.environment)
            #expect(forgotten.standardOutput == counted.standardOutput, "\(forgotten)")
        }
    }

    @Test(
        "Missing subjects are named",
        arguments: [
            (["--search", "polka"], "no recorded action contains “polka”"),
            (
                ["--app", "org.example.Jaz"],
                "no app is called “org.example.Jaz”; did you mean org.example.Jazz?"
            ),
            (["--suggestions"], "nothing was suggested yet"),
            (["--suggestions", "--app", "org.example.Jazz"], "nothing of the app org.example.Jazz was suggested"),
            (
                ["--app", "org.example.Jazz", "--kind", "openItem"],
                "nothing of the kind openItem of the app org.example.Jazz was recorded"
            ),
        ])
    func nothing(arguments: [String], message: String) async throws {
        try await withActions { hunch async throws in
            let result = try await run(
                builtProduct("hunch"), ["history"] + arguments, environment: hunch.home.environment)
            #expect(result.status == .exited(1) && result.standardError == "hunch: \(message)\n", "\(result)")
        }
    }

    @Test("--suggestions has one line for each suggestion, with its last outcome")
    func suggestions() async throws {
        try await withActions { hunch async throws in
            let device = Context(trigger: .device("AA:BB"), device: "AA:BB", hour: 12)
            try hunch.withHistory { store in
                _ = try store.record(
                    [
                        Self.engagement("s1", .shown, 1, device), Self.engagement("s2", .shown, 2),
                        Self.engagement("s1", .accepted, 3, device),
                        Self.engagement("s3", .shown, 4, by: "org.example.Radio"),
                        Self.engagement("s2", .shown, 5), Self.engagement("s2", .dismissed, 5),
                    ], now: Self.noon.addingTimeInterval(600))
            }
            let all = try await hunch.json(Suggested.self, "history", "--suggestions", "--json")
            #expect(
                all.map(\.suggestion) == ["s2", "s3", "s1"] && all.map(\.outcome) == ["dismissed", "shown", "accepted"])
            #expect(all[2].trigger == "device:AA:BB" && all[2].device == "AA:BB" && all[0].trigger == nil)
            #expect(all[0].name == "Smooth Player" && all[0].kind == "media")
            #expect(all[0].date == "2026-06-01T12:05:00.000Z")
            let table = try await hunch(
                "history", "--suggestions", "--app", "org.example.Radio", also: ["TZ": "Asia/Kolkata"]
            ).output()
            #expect(table == "1 Jun 2026, 17:34\torg.example.Radio\tMedia\tShown\n")
            #expect(
                try await hunch("history", "--suggestions", "--limit", "2").output().split(separator: "\n").count == 2)
            for refused in [["--kind", "playMedia"], ["--search", "x"]] {
                let result = try await run(
                    builtProduct("hunch"), ["history", "--suggestions"] + refused, environment: hunch.home.environment)
                #expect(
                    result.status == .exited(2)
                        && result.standardError.contains("leave out --kind, --search and --ids"))
            }
        }
    }

    @Test("A single action is deleted by its identifier, and never another one")
    func single() async throws {
        try await withActions { hunch async throws in
            let actions = try await hunch.json(Action.self, "history", "--json")
            let news = try #require(actions.first { $0.parameters["title"] == "News" })
            let table = try await hunch("history", "--ids").output()
            #expect(table.contains("\tPlay News\t\(news.id)\n"), "\(table)")
            let receipt = try await hunch("forget", "--action", news.id).output()
            #expect(receipt == "actions\t1\n")
            let left = try await hunch.json(Action.self, "history", "--json")
            #expect(left.map(\.id) == actions.map(\.id).filter { $0 != news.id })
            for (id, status) in [(news.id, 1), ("1-0", 1), ("news", 2)] {
                let again = try await hunch("forget", "--action", id)
                #expect(again.status == .exited(Int32(status)), "\(again)")
                #expect(again.standardError == "hunch: there is no such action; “hunch history --ids” lists them\n")
            }
        }
    }

    @Test("Earlier suggestions name their content, until it is forgotten")
    func titles() async throws {
        try await withActions { hunch async throws in
            try hunch.withHistory { store in
                for (number, title) in ["So What", "News"].enumerated() {
                    var shown = Self.engagement("s\(number)", .shown, Double(number))
                    shown.item = SuggestedItem(
                        title: "Resume “\(title)”", application: "org.example.Jazz",
                        parameters: ["item": "item \(title)", "title": title])
                    _ = try store.record(
                        [shown, Self.engagement("s\(number)", .accepted, Double(number))],
                        now: Self.noon.addingTimeInterval(600))
                }
            }
            func titles() async throws -> [String?] {
                try await hunch.json(Suggested.self, "history", "--suggestions", "--json").map(\.title)
            }
            #expect(try await titles() == ["Resume “News”", "Resume “So What”"])
            let table = try await hunch("history", "--suggestions", "--limit", "1").output()
            #expect(table.hasSuffix("\tSmooth Player\tResume “News”\tAccepted\n"), "\(table)")
            let played = try await hunch.json(Action.self, "history", "--json").first { $0.summary == "Play So What" }
            _ = try await hunch("forget", "--action", try #require(played?.id)).output()
            #expect(try await titles() == ["Resume “News”", nil])
        }
    }

    @Test("An app is named as “hunch apps” shows it")
    func appNames() async throws {
        try await withActions { hunch async throws in
            let app = try await hunch("apps", "smooth PLAYER").output()
            #expect(app.hasPrefix("org.example.Jazz\tSmooth Player\t"), "\(app)")
            let unknown = try await hunch("apps", "Smoth Player")
            #expect(unknown.status == .exited(1))
            #expect(
                unknown.standardError == "hunch: no app is called “Smoth Player”; did you mean org.example.Jazz?\n",
                "\(unknown)")
            #expect(try await hunch("forget", "--app", "Smooth Player").output().contains("actions\t2\n"))
            let again = try await hunch("forget", "--app", "Smooth Player")
            #expect(again.status == .exited(1) && again.standardError == "hunch: there was nothing to forget\n")
        }
    }
}
