@testable import CommandReports
import AgentInterface
import Foundation
import HunchModel
import Testing

@testable import SettingsPages

@Suite("Pages of devices, apps, places and privacy")
struct SettingsPageTests {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    // MARK: Devices

    private var car: DeviceReport {
        var car = DeviceReport()
        (car.id, car.name, car.kind, car.transport) = ("00:11:22:33:44:55", "Car", "car", "bluetooth")
        return car
    }

    @Test("A device has its switches, and its muted apps with Undo")
    func device() throws {
        var state = SettingsState.running()
        state.devices = [car]
        let pair = SuggestionPair(trigger: .device(car.id), application: "mpv")
        state.muted = [pair, SuggestionPair(trigger: .device("other"), application: "vlc")]
        let row = try #require(Page.devices(state).row(car.id.rawValue))
        #expect(row.subtitle == "Not connected")
        state.devices[0].suggests = false
        #expect(Page.devices(state).row(car.id.rawValue)?.subtitle == "Not connected · no suggestions")
        #expect(row.icon == .symbol("org.hunch.Hunch-car-symbolic"))
        let controls = row.children.flatMap(\.controls)
        let change = DevicePolicyChange(resumes: true)
        let revert = DevicePolicyChange(resumes: false)
        #expect(
            controls.contains(.toggle(false, on: .setPolicy(change, of: car.id), off: .setPolicy(revert, of: car.id))))
        #expect(controls.contains(.button(Button("Undo", .unmute(pair)))))
        #expect(row.children.count { $0.title.contains("muted") } == 1)
    }

    @Test("While Hunch is off, the devices say so and offer Switch On")
    func devicesWhileOff() throws {
        var state = SettingsState.running { $0.isEnabled = false }
        state.devices = [car]
        let section = try #require(Page.devices(state).sections.first)
        #expect(section.title == "Hunch is off" && section.button?.action == .enable(true))
    }

    @Test("While Hunch is paused, no device seems to be known to be away")
    func devicesWhilePaused() throws {
        var state = SettingsState.running { $0.isPaused = true }
        state.devices = [car]
        let page = Page.devices(state)
        #expect(page.sections.first?.title == "Hunch is paused")
        #expect(page.row(car.id.rawValue)?.subtitle == "Not watched")
    }

    @Test(
        "A device that is not ready says why", arguments: [DeviceHold.nothingPluggedIn, .notDefault(current: "HDMI")])
    func hold(hold: DeviceHold) throws {
        var state = SettingsState.running()
        var device = car
        (device.isConnected, device.hold) = (true, hold)
        state.devices = [device]
        let subtitle = Page.devices(state).row(car.id.rawValue)?.subtitle
        #expect(subtitle == (hold == .nothingPluggedIn ? "Nothing is plugged in." : "Sound goes to HDMI."))
    }

    // MARK: Apps

    @Test("An excluded app keeps its place and can be included")
    func excluded() throws {
        var state = SettingsState.running()
        state.apps = [
            ParticipatingApp(app: "vlc", name: "VLC", excluded: true),
            ParticipatingApp(app: "mpv", name: "mpv", roles: ["player"], recorded: 2),
        ]
        let page = Page.apps(state, now: now)
        #expect(page.sections.map { $0.rows.map(\.id) } == [["vlc", "mpv"]])
        #expect(page.row("vlc")?.subtitle == "Excluded")
        #expect(page.row("mpv")?.subtitle == "Player · 2 actions recorded")
        let include = Control.toggle(false, on: .include(true, "vlc"), off: .include(false, "vlc"))
        #expect(page.row("vlc")?.children.first?.controls == [include])
    }

    @Test("While Hunch is off, the apps say so and offer Switch On")
    func appsWhileOff() throws {
        var state = SettingsState.running { $0.isEnabled = false }
        state.apps = [ParticipatingApp(app: "mpv", name: "mpv")]
        let section = try #require(Page.apps(state, now: now).sections.first)
        #expect(section.title == "Hunch is off" && section.button?.action == .enable(true))
        state.apps = []
        #expect(Page.apps(state, now: now).notices.first?.button?.action == .enable(true))
    }

    @Test("Reading is allowed only after a question")
    func reading() throws {
        var state = SettingsState.running()
        state.apps = [ParticipatingApp(app: "diary", name: "Diary")]
        let row = try #require(Page.apps(state, now: now).row("reader"))
        guard
            case .toggle(false, .ask(let question, .allowReading(true, "diary")), .allowReading(false, "diary"))? =
                row.controls.first
        else {
            Issue.record("\(row)")
            return
        }
        #expect(question.title.contains("Diary"))
    }

    @Test("The switch for places shows the user's decision")
    func placeAccess() throws {
        var state = SettingsState.running()
        state.apps = [ParticipatingApp(app: "taxi", name: "Taxi", places: true)]
        let row = try #require(Page.apps(state, now: now).row("places"))
        #expect(row.controls == [.toggle(true, on: .allowPlaces(true, "taxi"), off: .allowPlaces(false, "taxi"))])
    }

    @Test(
        "A web service has no switches for what it cannot do, but those of a permission that it has",
        arguments: [false, true])
    func webService(isReader: Bool) {
        var state = SettingsState.running()
        state.apps = [ParticipatingApp(app: "com.google.maps", name: "Google Maps", reader: isReader)]
        state.apps?[0].installed = false
        let page = Page.apps(state, now: now)
        #expect((page.row("reader") != nil) == isReader && (page.row("places") != nil) == isReader)
        #expect(page.row("include") != nil)
    }

    // MARK: Places

    @Test("Home and work can be set and removed, and show the place that was understood")
    func ownPlaces() throws {
        var state = SettingsState.running()
        func row(_ name: String) throws -> Row { try #require(Page.places(state, now: now).row(name)) }
        #expect(Page.places(state, now: now).row("home") == nil)
        state.ownPlaces = [:]
        #expect(try row("home").controls == [.entry(.setPlace(named: "home"))])
        #expect(TextAction.setPlace(named: "home").action(" Torstraße  1 ") == .setPlace("Torstraße 1", named: "home"))
        #expect(TextAction.setPlace(named: "home").action(" ") == nil)
        let coordinate = try Coordinate(latitude: 52.53, longitude: 13.4)
        state.ownPlaces = [
            "home": MapItem(name: "Torstraße 1, Berlin", coordinate: coordinate), "work": MapItem(query: "the office"),
            "gym": MapItem(coordinate: coordinate),
        ]
        #expect(Page.places(state, now: now).sections.first?.rows.map(\.id) == ["home", "work", "gym"])
        #expect(try row("home").subtitle == "Torstraße 1, Berlin · 52.53, 13.4")
        #expect(try row("home").controls == [.button(Button("Remove", .removePlace("home")))])
        #expect(try row("work").subtitle.hasPrefix("“the office” is not known here"))
        #expect(try row("gym").subtitle == "52.53, 13.4")
    }

    @Test("A learned home can be confirmed with one press")
    func learnedPlace() throws {
        let line = """
            {"name":"home","place":{"coordinate":{"latitude":52.53,"longitude":13.4},"name":null,"query":null,\
            "address":null},"learned":true}
            """
        let learned = try JSONDecoder().decode(ListedPlace.self, from: Data(line.utf8))
        #expect(learned.name == "home" && learned.learned)
        var state = SettingsState.running()
        (state.ownPlaces, state.learnedPlaces) = ([:], ["home": try #require(learned.coordinate)])
        let rows = try #require(Page.places(state, now: now).sections.first).rows
        #expect(rows.map(\.id) == ["learned-home", "home", "work"])
        #expect(rows[0].subtitle == "Learned from your stays · 52.53, 13.4")
        #expect(rows[0].controls == [.button(Button("Confirm", .setPlace("52.53,13.4", named: "home")))])
        state.ownPlaces = ["home": MapItem(query: "Torstraße 1")]
        #expect(Page.places(state, now: now).row("learned-home") == nil)
    }

    @Test("The map of an area comes after all settings")
    func mapIsLast() {
        var state = SettingsState.running()
        var app = RoutingAppReport()
        (app.id, app.name, app.isInstalled, app.isWeb) = ("service", "Service", true, true)
        state.routingApps = [app]
        (state.coverage, state.ownPlaces) = (CoverageMap(application: "service", svg: "<svg/>"), [:])
        (state.handlesLinks, state.gazetteer) = (false, GazetteerContent(sources: []))
        #expect(
            Page.places(state, now: now).sections.map(\.id) == ["own", "routing", "links", "gazetteer", "coverage"])
    }

    @Test("The usual app is counted by mode and area")
    func usualRoutes() {
        func route(_ app: AppID, _ mode: String?, _ latitude: String, _ longitude: String) -> RecordedRoute {
            var parameters = ["latitude": latitude, "longitude": longitude]
            parameters["mode"] = mode
            return RecordedRoute(app: app, name: app.rawValue, parameters: parameters)
        }
        let usual = UsualRoutes([
            route("maps", "car", "60.17", "24.94"), route("maps", "car", "60.2", "25.0"),
            route("marble", "car", "60.1", "24.9"), route("marble", "bike", "60.17", "24.94"),
            route("marble", "car", "52.5", "13.4"), route("marble", nil, "elsewhere", ""),
        ])
        #expect(usual.habits.map(\.total) == [3, 1, 1, 1])
        #expect(usual.habits.first?.application == "maps")
        #expect(usual.habits.first?.count == 2)
        #expect(usual.habits.first?.destination?.latitude == 60.17)
        #expect(usual.habits.first?.area == RouteArea(latitude: 60, longitude: 25))
        #expect(usual.habits.contains { $0.area == nil })
    }

    @Test("A usual app has its mode and area; the area has a position without a name")
    func choices() throws {
        var state = SettingsState.running()
        state.routes = [
            RecordedRoute(
                app: "maps", name: "Maps", parameters: ["latitude": "60.17", "longitude": "24.94"])
        ]
        func subtitle() -> String? {
            Page.places(state, now: now).sections.first { $0.id == "choices" }?.rows.first?.subtitle
        }
        #expect(subtitle() == "Near 60.0, 25.0")
        state.areas = [try #require(RouteArea(latitude: 60, longitude: 25)): "Helsinki"]
        state.routes?[0].parameters["mode"] = "car"
        #expect(subtitle() == "By car · near Helsinki")
    }

    @Test("The map shows the area of the usual app first")
    func firstMap() {
        func app(_ id: AppID) -> RoutingAppReport {
            var app = RoutingAppReport()
            (app.id, app.name, app.isInstalled, app.isWeb) = (id, id.rawValue, true, true)
            return app
        }
        var state = SettingsState.running()
        state.routingApps = [app("a"), app("b"), app("c")]
        #expect(Page.firstDrawable(state) == "a")
        #expect(Page.firstDrawable(state, near: ["elsewhere", "b", "c"]) == "b")
        state.routes = [RecordedRoute(app: "c", name: "c", parameters: [:])]
        #expect(Page.firstDrawable(state, near: ["b"]) == "c")
    }

    @Test("A time zone has the position of its town")
    func zone() throws {
        let table =
            "# comment\nDE\t+5230+01322\tEurope/Berlin\tmost\nUS\t-404251-0740023\tAmerica/New_York\nXX\t+x\tX/Y\n"
        let berlin = try #require(ZoneTable.position(of: "Europe/Berlin", in: table))
        #expect(berlin.latitude == 52.5 && abs(berlin.longitude - 13.3667) < 0.001)
        let south = try #require(ZoneTable.position(of: "America/New_York", in: table))
        #expect(abs(south.latitude + 40.7142) < 0.001 && abs(south.longitude + 74.0064) < 0.001)
        for zone in ["Etc/UTC", "X/Y", ""] { #expect(ZoneTable.position(of: zone, in: table) == nil) }
    }

    @Test("An import shows its progress and can be stopped")
    func importing() throws {
        var state = SettingsState.running()
        state.gazetteer = GazetteerContent(sources: [])
        #expect(Page.places(state, now: now).row("installed") != nil)
        state.operations = [Operation(.importPlaces, fraction: 0.25, text: "100 places")]
        let page = Page.places(state, now: now)
        #expect(page.row("installed") == nil)
        #expect(page.row("import")?.controls == [.progress(0.25), .button(Button("Stop", .cancel(.importPlaces)))])
    }

    // MARK: Privacy

    @Test("A shorter retention asks first, a longer one does not")
    func retention() throws {
        var state = SettingsState.running()
        state.retentionDays = 100
        let row = try #require(Page.privacy(state, now: now).row("retention"))
        guard case .choice(let choices, let selected?)? = row.controls.first else {
            Issue.record("\(row)")
            return
        }
        #expect(choices[selected].label == "100 days")
        let actions = choices.map(\.action)
        #expect(actions.contains(.keep(days: 365)))
        #expect(!actions.contains(.keep(days: 30)))
        #expect(actions.contains { if case .ask(_, .keep(days: 30)) = $0 { true } else { false } })
    }

    @Test("Forgetting always asks first")
    func forgetting() {
        let page = Page.privacy(.running(), now: now)
        let controls = page.sections.first { $0.id == "forgetting" }?.rows.flatMap(\.controls) ?? []
        #expect(controls.count == 3)
        for control in controls {
            switch control {
            case .button(let button): #expect(button.action.asks)
            case .choice(let choices, _):
                for choice in choices.dropFirst() {
                    guard case .forgetTime(let date, let question) = choice.action else {
                        Issue.record("\(choice)")
                        continue
                    }
                    #expect(date < now && Action.forgetting(since: date, question: question, nil).asks)
                }
            case .entry(let kind):
                #expect(kind.action("  ") == nil)
                guard case .ask(let question, _)? = kind.action(" Yank  Sing ") else {
                    Issue.record("\(kind)")
                    continue
                }
                #expect(question.text.contains("also those that you imported"))
            case .toggle, .text, .progress: Issue.record("\(control)")
            }
        }
    }

    @Test(
        "The question about a time says how much is forgotten, and what stays",
        arguments: [
            (
                ["donations": 12, "engagements": 3, "stays": 1, "items": 1, "imported": 40],
                "(12 actions, 1 item of the search index, 4 other records), and what it learned from it. This cannot be undone. 40 items that you imported into the search index stay."
            ),
            (["donations": 1], "(1 action), and what it learned from it. This cannot be undone."),
            (
                ["donations": 0, "imported": 1],
                "Nothing was recorded in this time. 1 item that you imported into the search index stays."
            ),
        ] as [([String: Int], String)])
    func forgettingCounts(counts: [String: Int], end: String) {
        let action = Action.forgetting(since: now, question: "Forget the last hour?", ForgettingCount(counts))
        guard case .ask(let question, .forget(.since(now))) = action else {
            Issue.record("\(action)")
            return
        }
        #expect(question.title == "Forget the last hour?" && question.text.hasSuffix(end), "\(question.text)")
    }

    @Test("A search waits visibly while the index is being built")
    func waitingSearch() throws {
        var state = SettingsState.running()
        state.finding = ContentSearch("dim sum")
        state.finding.isWaiting = true
        let rows = try #require(Page.overview(state, now: now).sections.first { $0.id == "finding" }).rows
        #expect(rows.map(\.id) == ["waiting"] && rows[0].controls == [.progress(nil)])
    }

    @Test("On the first day, the pages say what to do")
    func firstDay() {
        var state = SettingsState.running()
        state.actions = []
        #expect(Page.privacy(state, now: now).row("nothing")?.subtitle.contains("ask for a route") == true)
        #expect(Page.places(state, now: now).row("nothing")?.subtitle.hasPrefix("Install one") == true)
    }

    @Test("An action of the history is deleted after a question")
    func deletion() throws {
        var state = SettingsState.running()
        let row = ActionRow(number: 7, milliseconds: 1_790_000_000_000)
        state.actions = [
            RecordedAction(
                app: "mpv", name: "mpv", kind: "playMedia", summary: "Play News",
                date: "2026-09-21T12:00:00.000Z", id: row.description)
        ]
        let section = try #require(Page.privacy(state, now: now).sections.first { $0.id == "history" })
        guard case .button(let button)? = section.rows.first?.controls.first, case .ask(_, let then) = button.action
        else {
            Issue.record("there is no button that asks")
            return
        }
        #expect(then == .forget(.action(row)))
    }

    @Test("Forgetting leaves its rows in place")
    func forgettingRuns() throws {
        var state = SettingsState.running()
        state.operations = [Operation(.forget)]
        let section = try #require(Page.privacy(state, now: now).sections.first { $0.id == "forgetting" })
        #expect(section.rows.map(\.id) == ["time", "place", "all", "running"])
    }

    @Test("A location that is allowed and cannot be known says why")
    func location() {
        func subtitle(_ isOn: Bool) -> String? {
            var state = SettingsState.running {
                $0.parts = [PartReport("location", "location", state: "absent", "no geoclue", .limited)]
            }
            state.categories = ["location": isOn]
            return Page.privacy(state, now: now).row("location")?.subtitle
        }
        #expect(subtitle(true) == "No geoclue.")
        #expect(subtitle(false)?.contains("geoclue") == false)
    }

    @Test("A search without a match says so")
    func search() {
        var state = SettingsState.running()
        (state.search, state.actions) = ("jazz", [])
        #expect(Page.privacy(state, now: now).row("nothing")?.title == "Nothing matches “jazz”")
    }
}

extension Action {
    fileprivate var asks: Bool { if case .ask = self { true } else { false } }
}
