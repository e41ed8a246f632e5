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

/// Tests of the circumstances other than time and device.
@Suite("Context of a donation", .serialized, .timeLimit(.minutes(15))) struct ContextTests {
    /// A machine that logind and UPower run on, and an agent that watches it.
    private func withMachine(
        in home: TemporaryHome, configure: (inout AgentConfiguration) -> Void = { _ in },
        _ body: nonisolated(nonsending) (AgentRig, MockLogind, MockUPower, _ session: ObjectPath) async throws -> Void
    ) async throws {
        try prepareEnabled(home)
        try await withPrivateBus(.system) { system in
            try await withMockLogind(on: system) { logind in
                let session = try await logind.addSession("1", of: getuid(), began: 42, isAnnounced: false)
                try await withMockUPower(on: system) { upower in
                    try await withPrivateBus { bus in
                        try await withAgentInside(
                            on: bus, in: home, also: system.environment,
                            configure: {
                                $0.identify = { _ in Callers.unsandboxed }
                                configure(&$0)
                            }
                        ) { rig in
                            try await waitForContext(["power": "mains"], rig)
                            try await body(rig, logind, upower, session)
                        }
                    }
                }
            }
        }
    }

    private func waitForContext(_ expected: [String: String], _ rig: AgentRig) async throws {
        try await eventually("the context being \(expected)", because: "Status has no signal") {
            try await rig.agent.status().transfer.value("context", as: [String: String].self) == expected ? () : nil
        }
    }

    @Test(
        "Protected items are not found after an automatic login",
        arguments: [("gdm-password", 2), ("gdm-autologin", 1)])
    func automaticLogin(_ service: String, _ count: Int) async throws {
        try await withTemporaryHome { home in
            try await withMachine(in: home) { rig, logind, _, session in
                try await logind.set(["Service": .string(service)], of: session)
                var secret = SearchableItem(id: "1", attributes: ["title": .text("Secret plan")])
                secret.protection = .unlocked
                let plan = SearchableItem(id: "2", attributes: ["title": .text("Open plan")])
                try await SearchableIndex("notes", on: rig.agent).add([secret, plan])
                #expect(try await rig.agent.find(HunchAgent.Search("plan")).count == count)
            }
        }
    }

    @Test("Protected items are found only while logind knows a login")
    func unknownLogin() async throws {
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            try await withPrivateBus(.system) { system in
                try await withPrivateBus { bus in
                    try await withAgentInside(
                        on: bus, in: home, also: system.environment,
                        configure: { $0.identify = { _ in Callers.unsandboxed } }
                    ) { rig in
                        var secret = SearchableItem(id: "1", attributes: ["title": .text("Secret plan")])
                        secret.protection = .unlocked
                        try await SearchableIndex("notes", on: rig.agent).add([secret])
                        func expect(_ count: Int, _ when: Comment) async throws {
                            #expect(try await rig.agent.find(HunchAgent.Search("plan")).count == count, when)
                        }
                        try await expect(0, "no logind")
                        try await withMockLogind(on: system) { logind in
                            try await expect(0, "no session")
                            let session = try await logind.addSession("1", of: getuid(), began: 42)
                            try await logind.set(["Service": .string("gdm-password")], of: session)
                            try await expect(1, "a password was given")
                            try await logind.set(["Service": .string("gdm-autologin")], of: session)
                            try await expect(0, "automatic login")
                            try await logind.set(["Service": .string("login")], of: session)
                            try await expect(1, "a password was given")
                        }
                        try await expect(0, "logind ended")
                    }
                }
            }
        }
    }

    @Test("A current donation gets power and trigger; an older does not")
    func donated() async throws {
        let clock = Watched(Date(timeIntervalSince1970: 1_750_000_000))
        try await withTemporaryHome { home in
            try await withMachine(in: home, configure: { $0.now = { clock.state } }) { rig, logind, upower, session in
                #expect(try await rig.codes([Item.play("a")]) == [""])
                try await upower.setOnBattery(true)
                try await logind.sleep(true)
                try await logind.sleep(false)
                try await logind.setLocked(true, session)
                try await logind.setLocked(false, session)
                try await waitForContext(["power": "battery", "session": "resume"], rig)
                #expect(try await rig.codes([Item.play("b")]) == [""])
                let told: VariantMap = ["trigger": .string("device:own")]
                #expect(try await rig.codes([Item.play("c", more: ["context": told.dbusValue])]) == [""])
                let before = UInt64(clock.state.timeIntervalSince1970 - 3_600) * 1_000_000
                #expect(try await rig.codes([Item.play("d", more: ["date": .uint64(before)])]) == [""])
                // The first minutes are over.
                clock.update { $0 += 300 }
                #expect(try await rig.codes([Item.play("e")]) == [""])
                // Setting the clock back is not a new trigger.
                clock.update { $0 -= 86_400 }
                #expect(try await rig.codes([Item.play("f")]) == [""])
                let contexts = try rig.donations().sorted {
                    ($0.parameters["item"] ?? "") < ($1.parameters["item"] ?? "")
                }
                .map(\.context)
                #expect(contexts.map(\.further["power"]) == ["mains", "battery", "battery", nil, "battery", "battery"])
                #expect(contexts.map(\.further["session"]) == [nil, "resume", "resume", nil, nil, nil])
                #expect(contexts.map(\.trigger) == [nil, .session(.resumed), .device("own"), nil, nil, nil])
            }
        }
    }

    @Test("The command ranks routing apps by the agent's context")
    func ranking() async throws {
        struct Listed: Decodable {
            struct Offer: Decodable { let app: String }
            let suggestions: [Offer]
        }
        let tower = "geo:48.8584,2.2945"
        try await withTemporaryHome { home in
            let now = Date()
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .current
            let time = calendar.dateComponents([.hour, .weekday], from: now)
            try StoreFile(home: home).use { store in
                try store.setEnabled(true)
                // The time does not predict the app; the power supply does.
                for day in 1...20 {
                    for (app, power) in [("org.example.Walk", "battery"), ("org.example.Drive", "mains")] {
                        let route = Donation(
                            application: AppID(app), kind: .getDirections,
                            parameters: ["latitude": "48.8584", "longitude": "2.2945"],
                            date: now.addingTimeInterval(-86_400 * Double(21 - day)),
                            context: Context(hour: time.hour, weekday: time.weekday, further: ["power": power]),
                            combination: ["latitude", "longitude"])
                        #expect(try store.record(route, now: now).isRecorded)
                    }
                }
            }
            try await withMachine(in: home) { rig, _, upower, _ in
                for app in ["org.example.Walk", "org.example.Drive"] { try rig.installMapApp(AppID(app)) }
                for (isOnBattery, app) in [(true, "org.example.Walk"), (false, "org.example.Drive")] {
                    try await upower.setOnBattery(isOnBattery)
                    try await waitForContext(["power": isOnBattery ? "battery" : "mains"], rig)
                    let answer = try await rig.suggest(["uri": .string(tower)])
                    let offered = try await rig.agent.suggestions()
                    #expect(
                        offered.first { $0.id == answer.suggestions.first?.lastElement }?.application == AppID(app))
                    let output = try await rig.hunch("directions", tower, "--json").output()
                    let listed = try JSONDecoder().decode(Listed.self, from: Data(output.utf8))
                    #expect(listed.suggestions.first?.app == app)
                }
            }
        }
    }

    @Test("Apps cannot set the agent's context keys, but imports can")
    func told() async throws {
        func context(_ further: [String: String]) -> Value {
            let map: VariantMap = ["further": further.dbusValue]
            return map.dbusValue
        }
        let known = ["power": "battery", "mood": "good"]
        try await withDonationAgent(Callers.unsandboxed) { rig in
            let codes = try await rig.codes([Item.play("a", more: ["context": context(known)])])
            #expect(codes == ["notAllowed"])
        }
        try await withDonationAgent { rig in
            let more: VariantMap = ["app": .string("app"), "combination": ["item"].dbusValue]
            var item = Item.play("a", more: more)
            item["context"] = context(known)
            #expect(try await rig.codes([item]) == [""])
            let recorded = try rig.donations()
            #expect(recorded.first?.context.further == known)
            item["context"] = context(["power": String(repeating: "x", count: 129)])
            #expect(try await rig.codes([item]) == ["invalidInput"])
        }
    }

    @Test("Without a system bus the context is empty, without a problem")
    func nothing() async throws {
        try await withDonationAgent(Callers.unsandboxed) { rig in
            #expect(try await rig.codes([Item.play("a")]) == [""])
            #expect(try rig.donations().first?.context.further == [:])
            let problems: [String] = try await rig.agent.status().transfer.require("problems")
            #expect(problems == [])
        }
    }

    @Test("An announcement for unlocking is suggested on unlocking")
    func announced() async throws {
        try await withMediaScene(played: [], configure: AnnouncementTests.asApp) { scene in
            try await scene.withApp { app in
                try await withMockLogind(on: scene.system) { logind in
                    let session = try await logind.addSession("1", of: getuid(), began: 42)
                    try await scene.rig.agent.setRelevant([
                        Announcement(item: "show-2/episode-1", title: "Weather", trigger: .session(.unlocked)),
                        Announcement(item: "show-2/episode-2", title: "Traffic", trigger: .device(.car)),
                    ])
                    try await logind.setLocked(true, session)
                    try await logind.setLocked(false, session)
                    let shown = try await scene.notifications.request(1)
                    #expect(shown.summary.contains("Episode 1"), "\(shown)")
                    let offered = try #require(try await scene.rig.agent.suggestions().first)
                    try await scene.rig.agent.accept(offered.id)
                    try await app.waitForLine(containing: "playing show-2/episode-1")
                    let context = try #require(try scene.rig.donations().last).context
                    #expect(context.trigger == .session(.unlocked) && context.further["session"] == "unlock")
                    #expect(context.device == nil)
                    let shownIn = try StoreFile(home: scene.rig.home).use { try $0.engagements(limit: 10) }
                    #expect(shownIn.allSatisfy { $0.context.trigger == .session(.unlocked) } && !shownIn.isEmpty)
                }
            }
        }
    }
}
