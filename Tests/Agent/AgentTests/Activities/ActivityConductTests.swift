import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of the retention of activities, and of the permission to read them.
@Suite("Kept activities", .timeLimit(.minutes(15))) struct ActivityConductTests {
    // MARK: Permissions

    @Test("Permissions decide which activities a caller sees")
    func callers() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { guide in
                let object = try await guide.becomeCurrent(
                    ActivityApp.activity("Secret", more: ["search": .boolean(true)]))
                func look(_ name: String?, _ confinement: CallerIdentity.Confinement) async throws -> [String] {
                    try await scene.withApp(name.map { AppID($0) }, confinement) { app in
                        let known: [VariantMap] = try await app.connection.call(
                            HunchNames.agent, HunchNames.root, HunchNames.activities, "Recent", VariantMap())
                        let current = try await app.current()
                        return try (known + [current].filter { !$0.isEmpty }).map { try $0.require("title") }
                    }
                }
                #expect(try await scene.recent() == ["Secret"])
                #expect(try await look("org.example.Other", .unsandboxed) == [])
                #expect(try await look("org.example.Other", .sandboxed) == [])
                #expect(try await look(ActivityScene.guide.rawValue, .sandboxed) == ["Secret", "Secret"])
                _ = try await scene.rig.agent.setReader("org.example.Other", isAllowed: true)
                #expect(try await look("org.example.Other", .unsandboxed) == ["Secret", "Secret"])
                #expect(try await look("org.example.Other", .sandboxed) == [])
                for (name, confinement) in [
                    (nil, .unknown), (nil, .sandboxed), ("org.example.Other", .unknown),
                ] as [(String?, CallerIdentity.Confinement)] {
                    try await scene.withApp(name.map { AppID($0) }, confinement) { (app) async throws -> Void in
                        for call: @Sendable (ActivityApp) async throws -> Void in [
                            { _ = try await $0.current() },
                            { _ = try await $0.becomeCurrent(ActivityApp.activity("x")) },
                            { _ = try await $0.delete("DeleteByGroup", ["g"]) },
                        ] {
                            #expect(try await app.refusal(call)?.name == .accessDenied)
                        }
                    }
                }
                // Neither another app, nor another connection of the same one, nor the user may touch it.
                for application in ["org.example.Other", ActivityScene.guide] {
                    try await scene.withApp(application) { (app) async throws -> Void in
                        for member in ["Resign", "Invalidate", "BecomeCurrent"] as [MemberName] {
                            #expect(try await app.refusal { try await $0.tell(object, member) }?.name == .accessDenied)
                        }
                        #expect(try await app.refusal { try await $0.update(object, [:]) }?.name == .accessDenied)
                    }
                }
                #expect(try await scene.current().require("title") == "Secret")
            }
        }
    }

    // MARK: Retention

    private func expectNothing(_ scene: ActivityScene, _ when: String) async throws {
        #expect(try await scene.recent() == [], "\(when)")
        #expect(try await scene.current().isEmpty, "\(when)")
    }

    @Test("Nothing is stored for an app whose recording is off")
    func withheld() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let agent = scene.rig.agent
                let object = try await app.becomeCurrent(ActivityApp.restaurant("Before"))
                #expect(try await scene.waitForSeenPlaces(1).map(\.place.name) == ["Before"])
                func isSilent(_ name: String) async throws {
                    try await expectNothing(scene, name)
                    try await app.update(object, ["title": .string(name)])
                    try await app.tell(object, "Resign")
                    try await app.show(ActivityApp.restaurant(name, latitude: 1))
                    try await app.tell(object, "BecomeCurrent")
                    try await expectNothing(scene, name)
                }
                try await agent.pause(until: Planted.now.addingTimeInterval(3_600))
                try await isSilent("While paused")
                let made = try await app.becomeCurrent(ActivityApp.restaurant("Made in the pause"))
                try await agent.resume()
                #expect(try await scene.recent() == [])
                // Its app learns that nothing was kept, instead of showing nothing.
                let refusal = try await app.refusal { try await $0.tell(made, "BecomeCurrent") }
                #expect(refusal?.name == .unknownObject && refusal?.message.contains("off or paused") == true)
                try await app.update(object, ActivityApp.activity("After the pause"))
                #expect(try await scene.recent() == ["After the pause"])
                try await agent.disable()
                try await isSilent("While disabled")
                try await agent.enable()
                try await app.update(object, ActivityApp.activity("Enabled"))
                _ = try await agent.exclude(ActivityScene.guide)
                try await isSilent("Excluded")
                _ = try await agent.include(ActivityScene.guide)
                try await app.show(ActivityApp.restaurant("Wanted", latitude: 2))
                _ = try await scene.waitForOffers("Get directions to Wanted")
                #expect(try Set(scene.seenPlaces().map(\.place.name)) == ["Before", "Wanted"])
                let words = ["While paused", "Made in the pause", "While disabled", "Excluded"]
                #expect(try Planted.found(words, in: scene.rig.home) == [:])
            }
        }
    }

    @Test("Forgetting an app removes its activities and suggestions")
    func forgetting() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                try await app.show(ActivityApp.restaurant("Forgotten", more: ["content": .string("Forgotten 7")]))
                _ = try await scene.waitForOffers("Get directions to Forgotten")
                _ = try await app.becomeCurrent(ActivityApp.restaurant("Forgotten too", latitude: 1))
                _ = try await scene.waitForSeenPlaces(2)
                let receipt = try await scene.rig.agent.forget(.application(ActivityScene.guide))
                #expect(receipt["seen-places"] == 2 && receipt["donations"] == 1)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                #expect(try await scene.recent() == [])
            }
            try await scene.withApp("org.example.Other") {
                try await $0.show(ActivityApp.restaurant("Wanted", latitude: 2))
            }
            _ = try await scene.waitForOffers("Get directions to Wanted")
            #expect(try Planted.found(["Forgotten", ActivityScene.guide.rawValue + "\""], in: scene.rig.home) == [:])
        }
    }

    @Test("An activity ends when it expires, and a day after its connection closed")
    func ending() async throws {
        let clock = Watched(Planted.now)
        try await withActivityAgent(now: { clock.state }) { scene in
            try await scene.withApp { app in
                let soon = HunchAgent.microseconds(Planted.now.addingTimeInterval(60))
                let object = try await app.becomeCurrent(
                    ActivityApp.activity("Event", more: ["expiry": .uint64(soon), "payload": [UInt8](1...9).dbusValue]))
                let current = try await scene.current()
                #expect(try current.require("title") == "Event" && current.require("payload") == [UInt8](1...9))
                #expect(try current.require("app") == ActivityScene.guide)
                #expect(try current.require("id") == object.lastElement)
                #expect(try current.require("date") == HunchAgent.microseconds(Planted.now))
                clock.update { $0.addTimeInterval(60) }
                #expect(try await scene.current().isEmpty)
                #expect(try await app.refusal { try await $0.update(object, [:]) }?.isUnknownObject == true)
                _ = try await app.becomeCurrent(ActivityApp.activity("Page"))
            }
            try await eventually("the end of the app", because: "it tells nobody") {
                try await scene.current().isEmpty ? () : nil
            }
            let ended = try #require(await scene.rig.agent.recentActivities().first)
            #expect(ended.activity.title == "Page" && ended.isEnded)
            clock.update { $0.addTimeInterval(86_401) }
            #expect(try await scene.recent() == [])
        }
    }

    @Test("An eligible activity is donated after it was open a while")
    func donating() async throws {
        let clock = Watched(Planted.now)
        try await withActivityAgent(now: { clock.state }, configure: { $0.openedTime = 3 }) { scene in
            try await scene.withApp { app in
                func show(_ title: String, _ more: VariantMap, for seconds: Double = 3) async throws {
                    let object = try await app.becomeCurrent(ActivityApp.activity(title, more: more))
                    clock.update { $0.addTimeInterval(seconds) }
                    try await app.tell(object, "Resign")
                }
                try await show("Too short", ["content": .string("c0")], for: 2)
                try await show("Nameless", [:])
                try await show("Silent", ["content": .string("c1"), "suggestion": .boolean(false)])
                try await show("Timed", ["content": .string("2025-06-02T09:30:00Z")])
                try await show("Article", ["content": .string("c2"), "group": .string("g")])
                try await show("Page", ["url": .string("https://example.org/a")])
                let donations = try await eventually("two donations", because: "rows tell nobody") {
                    let donations = try scene.rig.donations()
                    return donations.count < 2 ? nil : donations
                }
                #expect(donations.map(\.kind) == [.openItem, .openItem])
                #expect(donations.map { $0.parameters["title"] } == ["Article", "Page"])
                #expect(donations[0].identifier == "c2" && donations[0].group == "g")
                #expect(
                    donations[0].identity == ["item": "c2"] && donations[1].identity == ["uri": "https://example.org/a"]
                )
                #expect(try await app.delete("DeleteById", ["c2"]) == 1)
                #expect(try scene.rig.donations().map { $0.parameters["title"] } == ["Page"])
            }
        }
    }

    // MARK: Limits

    /// A call that is repeated without pause is eventually refused, however slow the machine is.
    private func expectEnd(_ app: ActivityApp, _ call: @Sendable (ActivityApp) async throws -> Void) async throws {
        for _ in 0..<5_000 {
            guard let refusal = try await app.refusal(call), refusal.message.contains("in a short time") else {
                continue
            }
            #expect(refusal.name == .limitsExceeded)
            return
        }
        Issue.record("it is never refused")
    }

    @Test("Activities over the count, size or rate limit are refused")
    func limits() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let large = try await app.refusal {
                    _ = try await $0.becomeCurrent(
                        ActivityApp.activity("x", more: ["payload": [UInt8](repeating: 0, count: 65_537).dbusValue]))
                }
                #expect(large?.name == .limitsExceeded && large?.message.contains("65536") == true)
                let full: VariantMap = ["payload": [UInt8](repeating: 0, count: 65_536).dbusValue]
                var last: ObjectPath = "/"
                for number in 1...32 {
                    last = try await app.becomeCurrent(
                        ActivityApp.activity("\(number)", more: full.merging(["content": .string("\(number)")]) { $1 }))
                }
                let many = try await app.refusal { _ = try await $0.becomeCurrent(ActivityApp.activity("33")) }
                #expect(many?.name == .limitsExceeded && many?.message.contains("32") == true)
                // An activity with the same content replaces it.
                _ = try await app.becomeCurrent(ActivityApp.activity("again", more: ["content": .string("7")]))
                let all = try await scene.recent(["limit": .uint32(200)])
                #expect(all.count == 32 && all.first == "again" && !all.contains("7"))
                try await expectEnd(app) { _ = try await $0.becomeCurrent(ActivityApp.activity("33")) }
                try await expectEnd(app) { [last] in try await $0.update(last, ["title": .string("changed")]) }
                try await scene.withApp("org.example.Other") { other in
                    _ = try await other.becomeCurrent(ActivityApp.activity("Other"))
                    #expect(try await scene.current().require("title") == "Other")
                }
            }
        }
    }

    @Test("Texts from hostile apps are shown safely")
    func hostile() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let name = "Yank\u{202E}gniS\u{7}\n<b>x</b>"
                try await app.show(ActivityApp.restaurant(name, phone: "+1 415 555 0100\u{202E}"))
                let offers = try await scene.rig.waitForSuggestions("both offers") { $0.count == 2 ? $0 : nil }
                let titles = ["Get directions to YankgniS <b>x</b>", "Remind me of “YankgniS <b>x</b>” tomorrow"]
                #expect(Set(offers.map(\.title)) == Set(titles))
                #expect(try await scene.rig.hunch("suggestions").output().contains("\u{202E}") == false)
            }
        }
    }

    // MARK: Searching and deleting

    @Test("Searching finds searchable activities by their words")
    func searching() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                let found: VariantMap = ["search": .boolean(true), "keywords": ["dim sum"].dbusValue]
                _ = try await app.becomeCurrent(ActivityApp.activity("Yank Sing", more: found))
                _ = try await app.becomeCurrent(ActivityApp.activity("Yank Sing, hidden"))
                func search(_ text: String) async throws -> [String] { try await scene.recent(["text": .string(text)]) }
                #expect(try await search("yank") == ["Yank Sing"])
                #expect(try await search("SUM ya") == ["Yank Sing"])
                #expect(try await search("ya sum") == [])
                #expect(try await search("") == [])
                #expect(try await scene.recent(["app": .string("org.example.Other")]) == [])
                #expect(try await scene.recent(["limit": .uint32(0)]) == ["Yank Sing, hidden"])
            }
        }
    }

    @Test("Invalidating an activity withdraws its suggestions at once")
    func deleting() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp { app in
                func offer(_ name: String, _ latitude: Double, _ more: VariantMap) async throws {
                    try await app.show(ActivityApp.restaurant(name, latitude: latitude, more: more))
                    _ = try await scene.waitForOffers(
                        "Get directions to \(name)", "Remind me of “\(name)” tomorrow")
                }
                try await offer("A", 1, ["content": .string("a"), "group": .string("g")])
                try await scene.withApp("org.example.Other") { (other) async throws -> Void in
                    #expect(try await other.delete("DeleteById", ["a"]) == 0)
                    #expect(try await other.delete("DeleteByGroup", ["g"]) == 0)
                }
                #expect(try await scene.rig.agent.suggestions().map(\.kind).sorted() == ["directions", "reminder"])
                #expect(try await app.delete("DeleteById", ["a", "z"]) == 2)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                #expect(try await scene.recent() == [])
                #expect(try scene.seenPlaces().isEmpty)

                try await offer("B", 2, ["content": .string("b"), "related": .string("r")])
                #expect(try await app.delete("DeleteById", ["r"]) == 2)
                #expect(try await scene.rig.agent.suggestions().isEmpty)

                try await offer("C", 3, ["content": .string("c"), "group": .string("g")])
                #expect(try await app.delete("DeleteByGroup", ["g"]) == 2)
                #expect(try await scene.rig.agent.suggestions().isEmpty)

                try await offer("D", 4, ["content": .string("d")])
                _ = try await app.agent.deleteDonations(identifiers: ["d"])
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                #expect(try await scene.recent() == [])

                try await offer("E", 5, [:])
                let deleted: UInt32 = try await app.connection.call(
                    HunchNames.agent, HunchNames.root, HunchNames.activities, "DeleteAllOfCaller")
                #expect(deleted == 2)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                #expect(try scene.seenPlaces().isEmpty)
                #expect(try scene.rig.donations().isEmpty)
            }
        }
    }
}
