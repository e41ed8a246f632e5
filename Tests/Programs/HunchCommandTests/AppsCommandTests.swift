import FoundationEssentials
import History
import HunchModel
import TestSupport
import Testing

@Suite("hunch apps", .timeLimit(.minutes(15)))
struct AppsCommandTests {
    private struct App: Decodable {
        let app: String
        let name: String
        let installed: Bool
        let roles: [String]
        let recorded: Int
        let kinds: [String: Int]
        let last: String?
        let excluded: Bool
        let reader: Bool
        let places: Bool?
    }

    /// 2026-06-01T12:00:00Z.
    private static let noon = Date(timeIntervalSince1970: 1_780_315_200)

    private static func action(
        _ application: AppID, _ kind: Donation.Kind, _ parameters: [String: String], identifier: String? = nil,
        group: String? = nil
    ) -> Donation {
        Donation(
            application: application, kind: kind, parameters: parameters, date: noon, identifier: identifier,
            group: group)
    }

    private func apps(_ hunch: HunchRunner) async throws -> [String: App] {
        Dictionary(
            uniqueKeysWithValues: try await hunch.json(App.self, "apps", "--json").map { ($0.app, $0) })
    }

    @Test("Installed apps that declare a role are listed without a history")
    func declared() async throws {
        try await withHunch { hunch async throws in
            try hunch.installApp("org.example.Podcasts", name: "Podcasts", "Implements=org.hunch.PlayableContent1;")
            try hunch.installApp(
                "org.example.Mail", name: "Mail", "DBusActivatable=true\nImplements=org.hunch.ContinueActivity1;")
            try hunch.installApp("org.gnome.Maps", name: "Maps", "MimeType=x-scheme-handler/geo;")
            try hunch.installApp("org.example.Editor", name: "Editor")
            try hunch.installApp("org.hunch.Hunch", name: "Hunch", "MimeType=x-scheme-handler/geo;")
            try hunch.installApp("org.example.Notes", name: "Notes", "Implements=org.hunch.IndexDelegate1;")
            _ = try await hunch("index", "import", "-", "--index", "tea", input: #"{"id":"1","title":"Tea"}"#).output()
            let apps = try await apps(hunch)
            #expect(
                apps.mapValues(\.roles) == [
                    "org.example.Podcasts": ["content"], "org.example.Mail": ["activities"],
                    "org.gnome.Maps": ["routing"], "org.example.Notes": ["search"], "script:tea": ["search"],
                ])
            let maps = try #require(apps["org.gnome.Maps"])
            #expect(maps.name == "Maps" && maps.installed && maps.recorded == 0 && maps.kinds.isEmpty)
            #expect(maps.last == nil && !maps.excluded && !maps.reader)
            _ = try await hunch("index", "remove", "tea").output()
            let none = try await hunch("apps", also: ["XDG_DATA_DIRS": "/nonexistent"])
            let nobody = "hunch: no app takes part yet; play something, or install a map app\n"
            #expect(none.status == .exited(1) && none.standardError == nobody, "\(none)")
        }
    }

    @Test("Recorded actions, exclusions and readers are listed")
    func recorded() async throws {
        try await withHunch { hunch async throws in
            try hunch.installApp("org.example.Player", name: "Player")
            try hunch.withHistory { store in
                _ = try store.record(
                    [
                        Self.action("org.example.Player", .playMedia, ["item": "a", "title": "A"]),
                        Self.action("org.example.Player", .playMedia, ["item": "b", "title": "B"]),
                        Self.action("org.example.Player", .openItem, ["uri": "file:///a"]),
                    ], now: Self.noon)
                try store.exclude("org.example.Diary")
                try store.setReader("org.example.Reader", isAllowed: true)
                try store.setPlaceAccess("org.example.Taxi", isAllowed: true)
            }
            let apps = try await apps(hunch)
            let player = try #require(apps["org.example.Player"])
            #expect(player.kinds == ["playMedia": 2, "openItem": 1] && player.recorded == 3 && player.installed)
            #expect(player.last == "2026-06-01T12:00:00.000Z" && player.roles == ["player"])
            let diary = try #require(apps["org.example.Diary"])
            #expect(diary.excluded && !diary.installed && diary.name == "org.example.Diary" && diary.roles.isEmpty)
            #expect(apps["org.example.Reader"]?.reader == true && apps["org.example.Reader"]?.places == nil)
            #expect(apps["org.example.Taxi"]?.places == true)
            let table = try await hunch("apps", also: ["TZ": "Asia/Kolkata"]).output().split(separator: "\n")
            #expect(table.first == "org.example.Player\tPlayer\tplayer\t3\t1 Jun 2026, 17:30")
            #expect(table.contains("org.example.Diary\torg.example.Diary\texcluded, not installed\t0\t"), "\(table)")
        }
    }

    @Test("The role “donations” is for actions that only an app can report")
    func donations() async throws {
        try await withHunch { hunch async throws in
            try hunch.withHistory { store in
                try store.setCategory(.messages, isAllowed: true)
                let play = ["item": "a", "title": "A"]
                _ = try store.record(
                    [
                        Self.action("none.play", .playMedia, play),
                        Self.action("none.route", .getDirections, ["name": "Paris"]),
                        Self.action("none.open", .openItem, ["item": "a"], identifier: "a", group: "g"),
                        Self.action("sure.artist", .playMedia, play.merging(["artist": "B"]) { $1 }),
                        Self.action("sure.group", .playMedia, play, group: "g"),
                        Self.action("sure.route", .getDirections, ["name": "Paris"], identifier: "i"),
                        Self.action("sure.open", .openItem, ["item": "a"], identifier: "b"),
                        Self.action("sure.message", .sendMessage, ["recipient": "Ann"]),
                        Self.action("sure.kind", Donation.Kind(rawValue: "orderCoffee"), ["drink": "tea"]),
                        Self.action("script:sure", .openItem, ["item": "a"]),
                    ], now: Self.noon)
            }
            let apps = try await apps(hunch)
            #expect(apps.count == 10)
            for (name, app) in apps { #expect(app.roles.contains("donations") == name.contains("sure"), "\(name)") }
        }
    }
}
