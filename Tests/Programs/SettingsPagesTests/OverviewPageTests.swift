@testable import CommandReports
import AgentInterface
import Foundation
import HunchDBus
import HunchModel
import Localization
import Testing

@testable import SettingsPages

@Suite("Overview page")
struct OverviewPageTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    @Test(
        "An agent that does not answer is named, with the action that helps",
        arguments: [
            (.stopped, .start), (.unresponsive, .restart), (.notInstalled, nil), (.noBus, nil), (.unknown, nil),
            (.refused("a reason"), nil),
        ] as [(SettingsState.Agent, Action?)])
    func noAgent(agent: SettingsState.Agent, action: Action?) {
        var state = SettingsState()
        state.agent = agent
        for page in [
            Page.overview(state, now: now), .devices(state), .apps(state, now: now), .places(state, now: now),
            .privacy(state, now: now),
        ] {
            #expect(page.sections.isEmpty && page.notices.count == 1)
            #expect(page.notices.first?.button?.action == action)
        }
    }

    @Test("The first start introduces Hunch; the last message switches it on")
    func introduction() {
        let page = Page.overview(.running { $0.isEnabled = false }, now: now)
        #expect(page.notices.map { $0.button?.action } == [nil, nil, nil, .enable(true)])
    }

    @Test(
        "The introduction names the folder of the history",
        arguments: [
            (nil, "~/.local/state/hunch"), ("/home/ann/.local/state/hunch/history.sqlite", "~/.local/state/hunch"),
            ("/srv/state/hunch/history.sqlite", "/srv/state/hunch"),
        ] as [(String?, String)])
    func folder(history: String?, folder: String) {
        let state = SettingsState.running { ($0.isEnabled, $0.history) = (false, history) }
        let text = Page.overview(state, now: now).notices[1].text
        #expect(text.contains("only you can read: \(folder). It sends"), "\(text)")
    }

    @Test("The introduction offers calendar, location, places and browser, with what each gives and keeps")
    func uses() throws {
        var state = SettingsState.running { $0.isEnabled = false }
        func rows() -> [Row] { Page.overview(state, now: now).notices.flatMap(\.rows) }
        #expect(rows().isEmpty)
        state.categories = ["calendar": false, "location": true, "apps": false]
        state.gazetteer = GazetteerContent(sources: [])
        state.browsers = [BrowserReport(name: "Firefox", state: "none")]
        #expect(rows().map(\.id) == ["calendar", "location", "places", "browser"])
        #expect(rows().allSatisfy { $0.subtitle.contains("Gives: ") && $0.subtitle.contains("\nKeeps: ") })
        let record = { Action.record($0, category: $1) }
        #expect(
            rows().map(\.controls) == [
                [.toggle(false, on: record(true, "calendar"), off: record(false, "calendar"))],
                [.toggle(true, on: record(true, "location"), off: record(false, "location"))],
                [.button(Button("Import", .importInstalledPlaces))], [.button(Button("Connect", .connectBrowsers))],
            ])
        state.gazetteer = GazetteerContent(sources: [.init(name: "geonames", placeCount: 2, importDate: "")])
        state.browsers = [BrowserReport(name: "Firefox", state: "system")]
        #expect(rows().suffix(2).map(\.controls) == [[.text("2 places")], [.text("Connected")]])
        state.browsers = []
        #expect(rows().count == 3)
    }

    @Test("A user who switched Hunch off sees no introduction")
    func off() {
        let page = Page.overview(
            .running { status in
                status.isEnabled = false
                status.donations = 3
            }, now: now)
        #expect(page.notices.map { $0.button?.action } == [.enable(true)])
    }

    @Test("Forgetting everything brings no introduction back")
    func offAfterForgetting() {
        var state = SettingsState.running()
        state.take(agentOf: .running())
        state.take(agentOf: .running { $0.isEnabled = false })
        #expect(Page.overview(state, now: now).notices.map { $0.button?.action } == [.enable(true)])
    }

    @Test("A search shows only what it found, and the apps that continue it")
    func search() throws {
        var state = SettingsState.running()
        let field = Page.overview(state, now: now).sections.first?.search
        #expect(field?.text == "" && field?.action.action(" dim  sum ") == .find("dim sum"))
        state.finding = ContentSearch("dim")
        #expect(Page.overview(state, now: now).sections.map(\.id) == ["finding"])
        #expect(Page.overview(state, now: now).sections[0].rows.map(\.title) == ["Searching…"])
        state.finding.items = []
        #expect(Page.overview(state, now: now).sections[0].rows.map(\.title) == ["Nothing matches “dim”"])
        let item = FoundItem(
            id: "1", application: "org.example.Notes", index: "notes", title: "Dim sum",
            attributes: ["description": .text("with Ann")])
        state.finding.items = [item]
        state.finding.continuing = ["org.example.Notes"]
        let rows = Page.overview(state, now: now).sections[0].rows
        #expect(rows.map(\.title) == ["Dim sum", "Search in org.example.Notes"])
        #expect(rows[0].subtitle == "org.example.Notes · with Ann")
        #expect(rows[0].controls == [.button(Button("Open", .open(item)))])
        var found = item
        (found.date, found.excerpt) = (now, "… dim sum at noon …")
        state.finding.items = [found]
        let words = "org.example.Notes · \(LocalDay(now).words) · … dim sum at noon …"
        #expect(Page.overview(state, now: now).sections[0].rows[0].subtitle == words)
        #expect(rows[1].controls == [.button(Button("Continue", .continueSearch("org.example.Notes")))])
    }

    private func route(_ number: Int, isRequested: Bool) throws -> OfferedSuggestion {
        try OfferedSuggestion(
            path: HunchNames.suggestionPath("\(number)"),
            properties: [
                "Kind": .string("directions"), "Title": .string("Get directions to Oodi"), "Subtitle": .string("car"),
                "Artwork": .string(""), "App": .string("app.\(number)"),
                "AppName": .string("App \(number)"), "Source": .string(""),
                "Score": .double(Double(number) / 12),
                "Expiry": .int64(0), "State": .string("offered"),
                "Origin": .string(isRequested ? "requested" : "spontaneous"),
            ])
    }

    @Test("Without a suggestion, the page says why the last trigger led to none, for an hour")
    func lastTrigger() throws {
        var status = AgentStatus()
        status.isEnabled = true
        var report = TriggerReport(
            TriggerResult(.activity("org.example.Guide"), at: now.addingTimeInterval(-60), hold: .tooMany(until: now)))
        status.outcomes = [report]
        func words() throws -> String? {
            var state = SettingsState()
            state.agent = .running(status)
            return try #require(Page.overview(state, now: now).sections.first { $0.id == "offered" }).rows.first?
                .subtitle
        }
        let reason = try words() ?? ""
        #expect(reason.hasSuffix(": enough had been suggested within the hour before"), "\(reason)")
        report.date -= 4_000_000_000
        status.outcomes = [report]
        #expect(try words() == "Hunch waits for headphones, a car or a place.")
    }

    @Test("The likeliest suggestion comes first, and names its app")
    func offered() throws {
        var state = SettingsState.running()
        state.suggestions = try (1...3).map { try route($0, isRequested: false) }
        let rows = try #require(Page.overview(state, now: now).sections.first { $0.id == "offered" }).rows
        #expect(rows.map(\.subtitle) == ["car · App 3", "car · App 2", "car · App 1"])
        #expect(rows[0].title == "Get directions to Oodi" && rows[0].card == [])
    }

    @Test("The answer to a request is not listed as a suggestion")
    func requested() throws {
        var state = SettingsState.running()
        state.suggestions = try (1...12).map { try route($0, isRequested: true) }
        let rows = try #require(Page.overview(state, now: now).sections.first { $0.id == "offered" }).rows
        #expect(rows.map(\.title) == ["Nothing is suggested now"])
    }

    @Test("An earlier suggestion says its occasion and its outcome")
    func lately() throws {
        var state = SettingsState.running()
        var device = DeviceReport()
        (device.id, device.name) = ("AA", "WH-1000")
        state.devices = [device]
        state.recent = [
            PastSuggestion(
                suggestion: "1", app: "mpv", name: "mpv", kind: "media", outcome: "accepted",
                date: "2026-09-21T12:00:00.000Z", trigger: .device("AA"))
        ]
        let row = try #require(Page.overview(state, now: now).sections.first { $0.id == "lately" }?.rows.first)
        #expect(row.subtitle.hasPrefix("Media · after connecting WH-1000 · "))
        #expect(row.controls == [.text("Accepted")])
        state.recent?[0].title = "Resume “Episode 41”"
        let named = try #require(Page.overview(state, now: now).sections.first { $0.id == "lately" }?.rows.first)
        #expect(named.title == "Resume “Episode 41”")
        #expect(named.subtitle.hasPrefix("mpv · after connecting WH-1000 · "))
    }

    @Test("Every mute is listed with Undo")
    func muted() throws {
        var state = SettingsState.running()
        let pair = SuggestionPair(trigger: .device("AA"), application: "mpv")
        state.muted = [pair]
        let section = try #require(Page.overview(state, now: now).sections.first { $0.id == "muted" })
        #expect(section.rows.map(\.title) == ["mpv on AA"])
        #expect(section.rows[0].controls == [.button(Button("Undo", .unmute(pair)))])
    }

    @Test("Settings that are not read yet do not count as forbidding")
    func notReadYet() {
        #expect(
            Page.overview(.running { $0.withheld = .settingsUnknown }, now: now).row("withheld")?.title
                == "Nothing is recorded yet")
        #expect(
            Page.overview(.running { $0.withheld = .historyLost }, now: now).row("withheld")?.title
                == "Nothing is recorded")
        #expect(
            Page.overview(.running { $0.renewed = UInt64(now.timeIntervalSince1970 * 1_000_000) }, now: now).row(
                "renewed")?.title
                .hasPrefix("A new history began") == true)
        #expect(
            Page.overview(.running { $0.withheld = .gnomeAppUsage }, now: now).row("withheld")?.title
                == "The desktop forbids recording")
    }

    @Test("A pause shows its end and Resume")
    func paused() throws {
        let page = Page.overview(
            .running { status in
                status.isPaused = true
                status.pausedUntil = UInt64(now.timeIntervalSince1970 + 600) * 1_000_000
            }, now: now)
        let row = try #require(page.row("pause"))
        #expect(row.title.hasPrefix("Paused until "))
        #expect(row.controls == [.button(Button("Resume", .resume, .suggested))])
        #expect(page.row("enabled")?.subtitle == "Hunch is on, but paused.")
        #expect(page.row("nothing")?.title == "Nothing is suggested while paused")
    }

    @Test("Without a suggestion the holds say why")
    func holds() throws {
        let page = Page.overview(
            .running { $0.holds = [.playing("mpv"), .notReady(device: "Car", .settling)] }, now: now)
        let row = try #require(page.row("nothing"))
        #expect(row.subtitle == "mpv is already playing.\nCar: Sound has only just gone to it.")
    }

    @Test("Missing parts are named next to the switch")
    func missing() throws {
        let page = Page.overview(
            .running { status in
                status.parts = [
                    PartReport("audio", "audio", state: "unreachable: no server", nil, .limited),
                    PartReport("bluez", "Bluetooth", state: "absent", nil, .limited),
                    PartReport("location", "location", state: "not allowed"),
                ]
            }, now: now)
        #expect(
            page.row("enabled")?.subtitle
                == "Hunch is on, with limits. audio: unreachable: no server; Bluetooth: not available.")
    }

    @Test("Plays, routes and the hit rate are counted")
    func learned() throws {
        var state = SettingsState.running { $0.donations = 251 }
        state.apps = [
            ParticipatingApp(app: "mpv", name: "mpv", kinds: ["playMedia": 214, "openItem": 6]),
            ParticipatingApp(app: "org.gnome.Maps", name: "Maps", kinds: ["getDirections": 31]),
        ]
        state.record = LearningRecord(predicted: 251, methods: ["hunch": .init(micro: .init(hr1: 0.68, hr3: 0.91))])
        let page = Page.overview(state, now: now)
        #expect(page.row("counts")?.title == "Learned from: 214 plays, 31 routes, 6 other actions")
        #expect(page.row("rate")?.title == "Right 7 of 10 times")
    }

    @Test("A hit rate of few actions is not shown")
    func fewActions() {
        var state = SettingsState.running { $0.donations = 9 }
        state.apps = [ParticipatingApp(app: "mpv", name: "mpv", kinds: ["playMedia": 9])]
        state.record = LearningRecord(predicted: 9, methods: ["hunch": .init(micro: .init(hr1: 1, hr3: 1))])
        let page = Page.overview(state, now: now)
        #expect(page.row("counts") != nil && page.row("rate") == nil)
    }

    @Test("The next appointments have their time to leave, and reservations can be removed")
    func appointments() throws {
        var state = SettingsState.running()
        #expect(!Page.overview(state, now: now).sections.contains { $0.id == "appointments" })
        let start = now.addingTimeInterval(86_400)
        let dentist = CalendarEvent(title: "Dentist", start: start, place: MapItem(name: "Practice"))
        let table = CalendarEvent(
            title: "Table", start: start, isAllDay: true, reservation: "FoodEstablishmentReservation")
        state.appointments = [
            AppointmentReport(event: dentist, leave: start.addingTimeInterval(-1_800), distance: 8_000),
            AppointmentReport(event: table),
        ]
        let section = try #require(Page.overview(state, now: now).sections.first { $0.id == "appointments" })
        #expect(section.rows[0].title == "Dentist" && section.rows[0].controls.isEmpty)
        let words = section.rows[0].subtitle.components(separatedBy: " · ")
        #expect(words.count == 3 && words[0].hasPrefix("Tomorrow, ") && words[2] == "Practice", "\(words)")
        #expect(words[1].hasPrefix("leave by ") && words[1].contains(":"), "\(words)")
        #expect(section.rows[1].subtitle.hasSuffix(", all day"))
        guard case .button(let button)? = section.rows[1].controls.first,
            case .ask(let question, then: .removeReservation(table.identifier)) = button.action
        else {
            Issue.record("\(section.rows[1])")
            return
        }
        #expect(question.title == "Remove “Table”?" && question.isDestructive)
        state.appointments[0].event.unknownZone = "Office"
        let doubtful = try #require(Page.overview(state, now: now).row(dentist.identifier))
        #expect(
            doubtful.subtitle.contains(" · the time zone “Office” is not known · leave by "), "\(doubtful.subtitle)")
    }
}
