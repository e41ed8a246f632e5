import AgentInterface
import FoundationEssentials
import Glibc
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import Learning

/// Tests of suggestions of donated actions.
@Suite("Learned triggers", .serialized, .timeLimit(.minutes(15))) struct LearnedTriggerTests {
    private static let forecast = ["uri": "weather:berlin", "title": "Forecast for Berlin"]

    // MARK: On the whole

    @Test("An action after resuming is suggested after resuming")
    func waking() async throws {
        try await withPrivateBus(.system) { system in
            try await withMockLogind(on: system) { logind in
                let session = try await logind.addSession("1", of: getuid(), began: 42, isAnnounced: false)
                try await logind.setLocked(true, session)
                try await withTriggerScene(also: system.environment) { scene in
                    func wait(_ what: String, _ condition: (VariantMap) throws -> Bool) async throws {
                        try await eventually(what, because: "Status has no signal") {
                            try await condition(scene.rig.agent.status().transfer) ? () : nil
                        }
                    }
                    /// The machine wakes up after a night, locked.
                    func wake() async throws {
                        try await wait("a locked screen") { try $0.value("screen") == "hidden" }
                        scene.clock.update { $0 += 86_400 }
                        try await logind.sleep(true)
                        try await logind.sleep(false)
                        try await wait("the machine being awake") {
                            try $0.value("context", as: [String: String].self)?["session"] == "resume"
                        }
                    }
                    for day in 0..<2 {
                        try await wake()
                        try await logind.setLocked(false, session)
                        try await wait("a screen that is seen") { try $0.value("screen") == "seen" }
                        #expect(try await scene.simulated("resume").isEmpty, "once may be by chance: \(day)")
                        try await scene.donate(TriggerScene.weather, "openItem", Self.forecast, at: nil)
                        try await logind.setLocked(true, session)
                    }
                    try await wake()
                    // Anyone can see a locked screen.
                    let hidden = try await scene.notifications.request(1)
                    #expect(hidden.summary == "Something to open" && hidden.body.isEmpty, "\(hidden)")
                    try await logind.setLocked(false, session)
                    let shown = try await scene.notifications.request(2)
                    #expect(shown.summary == "Open Forecast for Berlin", "\(shown)")
                    #expect(shown.body.contains("2 of 2 times after the computer woke up"), "\(shown)")
                    #expect(shown.actions.contains("Open") && shown.actions.contains("Not now"))
                    let offered = try await scene.offered()
                    #expect(offered.map(\.kind) == ["item"] && offered.first?.application == TriggerScene.weather)
                    let identifier = try #require(offered.first?.id)
                    let reasons = try await scene.rig.agent.explain(identifier).explanation.texts
                    #expect(reasons.first == "2 of 2 times after the computer woke up", "\(reasons)")
                    let file = scene.rig.home.directory.file("\(TriggerScene.weather).started")
                    #expect(!FileManager.default.fileExists(atPath: file), "opened uninvited")
                    try await scene.rig.agent.accept(identifier, activationToken: "t1")
                    let arguments = try await scene.rig.started(TriggerScene.weather)
                    #expect(arguments == ["weather:berlin", "token=t1"])
                    // Hunch opened it and recorded that once, although the app donates it, too.
                    let recorded = try scene.rig.donations()
                    #expect(recorded.count == 3 && recorded.last?.context.trigger == .session(.resumed))
                    try await scene.donate(TriggerScene.weather, "openItem", Self.forecast, at: nil)
                    #expect(try scene.rig.donations().count == 3)
                    #expect(scene.notifications.record.state.requests.count == 2)
                    #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "accepted"])
                }
            }
        }
    }

    @Test("A caused trigger offers what fits, for the command only")
    func caused() async throws {
        try await withTriggerScene { scene in
            try scene.rig.installApp(TriggerScene.weather, "MimeType=x-scheme-handler/weather;")
            try await scene.teach(TriggerScene.weather, "openItem", Self.forecast)
            let refusal = await #expect(throws: DBusError.self) {
                try await scene.acting(as: "org.example.Other") {
                    _ = try await scene.rig.agent.simulate(SimulatedTrigger(trigger: "unlock", isOffered: true))
                }
            }
            #expect(refusal?.name == .accessDenied)
            #expect(scene.notifications.record.state.requests.isEmpty)
            let caused = try await scene.rig.hunch("simulate", "--offer", "unlock")
            #expect(caused.status == .exited(0), "\(caused)")
            #expect(try await scene.notifications.request(1).summary == "Open Forecast for Berlin")
        }
    }

    @Test("An action already done or suggested is not suggested again")
    func done() async throws {
        try await withTriggerScene { scene in
            try await scene.teach(TriggerScene.weather, "openItem", Self.forecast)
            await scene.come()
            let shown = try await scene.notifications.request(1)
            await scene.come()
            #expect(scene.notifications.record.state.requests.count == 1)
            try await scene.donate(TriggerScene.weather, "openItem", Self.forecast, at: "unlock")
            try await scene.notifications.waitForClosing(of: shown.number)
            #expect(try await scene.offered().isEmpty)
            // The user did not dismiss it.
            #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "withdrawn"])
        }
    }

    @Test("A trigger suggests only its likeliest action")
    func likeliest() async throws {
        try await withTriggerScene { scene in
            try scene.rig.installMapApp()
            try scene.rig.installApp(MediaScene.podcasts, "MimeType=audio/mpeg;")
            try await scene.teach(days: 2, "org.example.Notes", "openItem", ["item": "shopping"])
            try await scene.teach(
                days: 9, "org.example.Maps", "getDirections",
                ["latitude": "52.5", "longitude": "13.4", "name": "Pool", "mode": "car"])
            #expect(try await scene.simulated().first == "Get directions to Pool")
            await scene.come()
            let shown = try await scene.notifications.request(1)
            #expect(shown.summary == "Get directions to Pool", "\(shown)")
            let offered = try await scene.offered()
            #expect(offered.map(\.kind) == ["directions"])
            try await scene.rig.agent.accept(try #require(offered.first).id)
            #expect(try await scene.rig.started("org.example.Maps").first == "geo:52.5,13.4?from=org.example.Maps")
            // The user's habits change: they now play something each time.
            try await scene.teach(
                days: 30, MediaScene.podcasts, "playMedia", ["item": "https://example.org/news.mp3", "title": "News"])
            await scene.come()
            let media = try await scene.notifications.request(2)
            #expect(media.summary == "Play “News”", "\(media)")
            #expect(try await scene.offered().map(\.kind) == ["media"])
        }
    }

    @Test("A morning action is not suggested in the evening")
    func hours() async throws {
        try await withTriggerScene { scene in
            try await scene.teach(days: 5, TriggerScene.weather, "openItem", Self.forecast)
            #expect(try await scene.rig.hunch("simulate", "unlock").status == .exited(0))
            scene.clock.update { $0 += 12 * 3_600 }
            let evening = try await scene.rig.hunch("simulate", "unlock")
            #expect(evening.status == .exited(1), "\(evening)")
            #expect(evening.standardError.contains("it is not likely enough to be wanted"), "\(evening)")
            await scene.come()
            #expect(try await scene.offered().isEmpty)
        }
    }

    @Test("An action on arriving or connecting is suggested there")
    func elsewhere() async throws {
        try await withTriggerScene { scene in
            try await scene.teach(TriggerScene.weather, "openItem", ["item": "garden"], at: "arrive:home")
            try await scene.teach("org.example.Notes", "openItem", ["item": "tickets"], at: "device:AA")
            #expect(try await scene.simulated("arrive:home") == ["Open garden"])
            #expect(try await scene.simulated("arrive:work").isEmpty)
            await scene.inside.features.handle(.person(.plain(.arrival("home"))))
            let shown = try await scene.notifications.request(1)
            #expect(shown.body.contains("3 of 3 times after arriving at home"), "\(shown)")
        }
    }

    // MARK: Kinds

    @Test("An app's own kind is suggested in its own words")
    func declared() async throws {
        try await withTriggerScene { scene in
            let app: AppID = "org.example.Coffee"
            try scene.rig.installApp(
                app,
                """

                [org.hunch.Donations1 Kind orderCoffee]
                Parameters=drink;
                Combinations=drink;
                Summary=Order {drink}
                """)
            try await scene.teach(app, "orderCoffee", ["drink": "Mokka"])
            let result = try await scene.rig.hunch("simulate", "unlock", "--json")
            #expect(result.status == .exited(0), "\(result)")
            #expect(result.standardOutput.contains(#""kind":"orderCoffee""#), "\(result)")
            await scene.come()
            let shown = try await scene.notifications.request(1)
            #expect(shown.summary == "Order Mokka" && shown.body.contains("The org.example.Coffee"), "\(shown)")
            try await scene.rig.agent.accept(try #require(try await scene.offered().first).id)
            _ = try await scene.rig.started(app)
        }
    }

    @Test("An app that continues activities gets its last donation back")
    func handedBack() async throws {
        try await withTriggerScene { scene in
            let app: AppID = "org.example.Coffee"
            try scene.rig.home.directory.write(
                """
                [Desktop Entry]
                Type=Application
                Name=Coffee
                Exec=/bin/false
                DBusActivatable=true
                Implements=org.hunch.ContinueActivity1;
                [org.hunch.Donations1 Kind orderCoffee]
                Parameters=drink;size;
                Combinations=drink;
                Summary=Order {drink}
                """, to: "data/applications/\(app).desktop")
            try await scene.teach(days: 2, app, "orderCoffee", ["drink": "Mokka", "size": "small"])
            try await scene.teach(days: 1, app, "orderCoffee", ["drink": "Mokka", "size": "large"])
            try await withClient(of: scene.rig.bus) { client in
                let asked = Watched<[VariantMap]>([])
                let server = await ObjectServer(on: client.connection)
                try await server.export(
                    "/org/example/Coffee",
                    [
                        ExportedInterface(
                            HunchNames.continueActivity,
                            [
                                .method("Continue", arguments: ["activity", "platform_data"]) {
                                    (_, activity: VariantMap, platform: VariantMap) in
                                    asked.update { $0 += [activity, platform] }
                                }
                            ])
                    ])
                _ = try await client.connection.requestName(BusName(app.rawValue))
                await scene.come()
                let offered = try #require(try await scene.offered().first)
                #expect(offered.title == "Order Mokka" && asked.state.isEmpty)
                try await scene.rig.agent.accept(offered.id, activationToken: "t1")
                let told = asked.state
                #expect(told.count == 2)
                let activity = try #require(told.first)
                #expect(try activity.require("kind") == "orderCoffee")
                #expect(try activity.require("parameters") == ["drink": "Mokka", "size": "large"])
                #expect(try activity.require("title") == "Order Mokka")
                #expect(try activity.require("type") == "org.hunch.Donations1")
                #expect(try told.last?.value("activation-token") == "t1")
                // Only the app knows whether something was ordered.
                #expect(try scene.rig.donations().count == 3)
                extendLifetime(server)
            }
        }
    }

    @Test("Messages and calls are suggested only while allowed")
    func categories() async throws {
        try await withTriggerScene { scene in
            let app: AppID = "org.example.Dialer"
            try scene.rig.installApp(app, "MimeType=x-scheme-handler/tel;")
            let call = Item.of("startCall", ["contact": "+49 30 123", "name": "Ann"])
            let refused = try await scene.acting(as: app) { try await scene.rig.codes([call]) }
            #expect(refused == ["withheld"])
            try await scene.rig.agent.setCategory("calls", isRecorded: true)
            try await scene.teach(app, "startCall", ["contact": "+49 30 123", "name": "Ann"])
            await scene.come()
            #expect(try await scene.notifications.request(1).summary == "Call Ann")
            #expect(try await scene.offered().map(\.kind) == ["call"])
            try await scene.rig.agent.setCategory("calls", isRecorded: false)
            #expect(try await scene.offered().isEmpty)
            #expect(try await scene.simulated().isEmpty)
            try await scene.rig.agent.setCategory("calls", isRecorded: true)
            await scene.come()
            try await scene.rig.agent.accept(try #require(try await scene.offered().first).id)
            #expect(try await scene.rig.started(app).first == "tel:+4930123")
        }
    }

    @Test("An action that no app can open is not suggested")
    func gone() async throws {
        try await withTriggerScene { scene in
            try await scene.teach("org.example.Gone", "openItem", ["item": "note"])
            #expect(try await scene.simulated().isEmpty)
            await scene.come()
            #expect(try await scene.offered().isEmpty)
        }
    }

    // MARK: Taking back

    @Test(
        "A deleted, forgotten or excluded action is not suggested",
        arguments: ["identifier", "group", "all", "forget", "kind", "exclude", "pause"])
    func takenBack(by what: String) async throws {
        try await withTriggerScene { scene in
            let app = TriggerScene.weather
            try await scene.teach(
                TriggerScene.weather, "openItem", Self.forecast,
                more: ["id": .string("berlin"), "group": .string("city")])
            await scene.come()
            let shown = try await scene.notifications.request(1)
            let agent = scene.rig.agent
            #expect(try await scene.acting(as: app) { try await agent.deleteDonations(identifiers: ["x"]) } == 0)
            #expect(try await scene.offered().count == 1)
            switch what {
            case "identifier":
                #expect(
                    try await scene.acting(as: app) { try await agent.deleteDonations(identifiers: ["berlin"]) } == 3)
            case "group":
                #expect(try await scene.acting(as: app) { try await agent.deleteDonations(groups: ["city"]) } == 3)
            case "all": #expect(try await scene.acting(as: app) { try await agent.deleteAllDonations() } == 3)
            case "forget": _ = try await agent.forget(.application(app))
            case "kind": _ = try await agent.forget(.kind(.openItem))
            case "exclude": #expect(try await agent.exclude(app))
            default: try await agent.pause()
            }
            try await scene.notifications.waitForClosing(of: shown.number)
            #expect(try await scene.offered().isEmpty)
            if what != "pause" { #expect(try await scene.simulated().isEmpty) }
            await scene.come()
            #expect(try await scene.offered().isEmpty)
        }
    }

    @Test("Deleting a route's donation withdraws its suggestion")
    func wayTakenBack() async throws {
        try await withTriggerScene { scene in
            try scene.rig.installMapApp()
            let guide: AppID = "org.example.Guide"
            try await scene.teach(
                guide, "getDirections", ["latitude": "52.5", "longitude": "13.4", "name": "Pool"],
                more: ["id": .string("pool")])
            await scene.come()
            let shown = try await scene.notifications.request(1)
            #expect(try await scene.offered().map(\.application) == ["org.example.Maps"])
            let deleted = try await scene.acting(as: guide) {
                try await scene.rig.agent.deleteDonations(identifiers: ["pool"])
            }
            #expect(deleted == 3)
            try await scene.notifications.waitForClosing(of: shown.number)
            #expect(try await scene.offered().isEmpty)
        }
    }

    @Test("Three dismissals in a row mute an app, with the reason")
    func muted() async throws {
        try await withTriggerScene { scene in
            try await scene.teach(days: 9, TriggerScene.weather, "openItem", Self.forecast)
            for day in 1...3 {
                await scene.come()
                _ = try await scene.notifications.request(day)
                try await scene.rig.agent.dismiss(try #require(try await scene.offered().first).id, reason: "not-now")
                try await scene.teach(days: 5, TriggerScene.weather, "openItem", Self.forecast)
            }
            await scene.come()
            #expect(try await scene.offered().isEmpty)
            let simulated = try await scene.rig.hunch("simulate", "unlock")
            #expect(simulated.standardError.contains("org.example.Weather is muted after unlocking"), "\(simulated)")
            #expect(try await scene.simulated("resume").isEmpty)
        }
    }

    @Test("An unknown trigger is one clear error")
    func unknown() async throws {
        try await withTriggerScene { scene in
            for word in ["", "dinner", "arrive:", "leave:", "arrive:" + String(repeating: "x", count: 200)] {
                let refusal = try await scene.rig.refusal {
                    _ = try await $0.agent.simulate(SimulatedTrigger(trigger: word)).map(\.transfer)
                }
                #expect(refusal?.name == .invalidInput && (refusal?.message.utf8.count ?? 999) < 200)
            }
            let nothing = try await scene.rig.hunch("simulate", "login")
            #expect(nothing.status == .exited(1))
            #expect(nothing.standardError == "hunch: nothing would be suggested: you have no habit at this trigger\n")
        }
    }
}
