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

/// Tests of announcements.
@Suite("Announcements and their withdrawal", .serialized, .timeLimit(.minutes(15))) struct AnnouncementTests {
    static let asApp: @Sendable (inout AgentConfiguration) -> Void = {
        $0.identify = { _ in Callers.unsandboxed }
        $0.preparationTime = .seconds(20)
    }

    private func episode(_ number: Int, isExclusive: Bool = false) -> Announcement {
        Announcement(item: "show-2/episode-\(number)", title: "Episode \(number)", isExclusive: isExclusive)
    }

    @Test(
        "Deleting a donation withdraws its suggestion at once",
        arguments: ["identifier", "group", "all"])
    func takenBack(by what: String) async throws {
        try await withMediaScene(configure: Self.asApp) { scene in
            try await scene.withApp { _ in
                let more: VariantMap = ["id": .string("i"), "group": .string("g")]
                #expect(try await scene.rig.codes([Item.play("show-1/episode-1", more: more)]) == [""])
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                let agent = scene.rig.agent
                // Another one stands on its own.
                #expect(try await agent.deleteDonations(identifiers: ["other"]) == 0)
                #expect(try await agent.suggestions().count == 1)
                switch what {
                case "identifier": #expect(try await agent.deleteDonations(identifiers: ["i"]) == 1)
                case "group": #expect(try await agent.deleteDonations(groups: ["g"]) == 1)
                default: #expect(try await agent.deleteAllDonations() == 4)
                }
                #expect(try await agent.suggestions().isEmpty)
                try await scene.notifications.waitForClosing(of: shown.number)
                // The user did not dismiss it.
                #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "withdrawn"])
            }
        }
    }

    @Test("Upcoming items are suggested in order without any history")
    func upcoming() async throws {
        try await withMediaScene(played: [], configure: Self.asApp) { scene in
            try await scene.withApp { app in
                try await scene.rig.agent.setUpcoming([episode(3, isExclusive: true), episode(4)])
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                #expect(shown.summary.contains("Episode 3"))
                try await app.waitForLine(containing: "prepare [show-2/episode-3] for headset")
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                let reasons = try await scene.rig.agent.explain(offered.id).explanation.texts
                #expect(reasons.first == "next, and not played yet")
                try await scene.rig.agent.accept(offered.id)
                try await app.waitForLine(containing: "playing show-2/episode-3")
                // Hunch records the accepted suggestion.
                #expect(try scene.rig.donations().map { $0.parameters["item"] } == ["show-2/episode-3"])

                try await scene.rig.agent.setUpcoming([episode(3, isExclusive: true), episode(4)])
                try await scene.takeOff()
                let line = app.lineCount
                try await scene.putOn()
                try await app.waitForLine(containing: "prepare [show-2/episode-4] for headset", from: line)
                let next = try await scene.notifications.request(2)
                #expect(next.summary.contains("Episode 4"))
                // The app withdraws the item while it is suggested.
                try await scene.rig.agent.setUpcoming([])
                try await scene.notifications.waitForClosing(of: next.number)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
            }
        }
    }

    @Test("An announced item of a stopped app is suggested without it")
    func stopped() async throws {
        try await withMediaScene(played: [], configure: Self.asApp) { scene in
            try scene.declare()
            try await scene.rig.agent.setUpcoming([episode(7)])
            try await scene.putOn()
            let shown = try await scene.notifications.request(1)
            #expect(shown.summary.contains("Episode 7") && shown.body.contains("Podcasts"))
        }
    }

    @Test("An announcement joins learned items unless it is exclusive")
    func modes() async throws {
        try await withMediaScene(configure: Self.asApp) { scene in
            try await scene.withApp { _ in
                func titles() async throws -> [String] {
                    let candidates = try await scene.rig.agent.simulate(
                        SimulatedTrigger(device: AudioDevice.ID(scene.headset.address))
                    )
                    .map(\.transfer)
                    return try candidates.map { try $0.require("title") }
                }
                let learned = try await titles()
                #expect(learned.count == 1 && !learned[0].contains("Episode 8"))
                try await scene.rig.agent.setUpcoming([episode(8)])
                let beside = try await titles()
                #expect(beside.count == 2 && beside.contains(learned[0]))
                #expect(beside.contains { $0.contains("Episode 8") }, "\(beside)")
                try await scene.rig.agent.setUpcoming([episode(8, isExclusive: true)])
                let alone = try await titles()
                #expect(alone.count == 1 && alone[0].contains("Episode 8"), "\(alone)")
                try await scene.rig.agent.setUpcoming([])
                #expect(try await titles() == learned)
            }
        }
    }

    @Test("A relevant item is suggested at its time and on its device")
    func relevant() async throws {
        try await withMediaScene(played: [MediaScene.podcasts], configure: Self.asApp) { scene in
            try await scene.withApp { app in
                let now = Date()
                var past = episode(1)
                past.until = now.addingTimeInterval(-1)
                var future = episode(2)
                future.from = now.addingTimeInterval(3_600)
                var driving = episode(3)
                driving.trigger = .device(.car)
                var placed = episode(4)
                placed.place = try Coordinate(latitude: 52, longitude: 13)
                var wanted = episode(5)
                (wanted.from, wanted.until, wanted.trigger) = (now, now.addingTimeInterval(3_600), .device(.headset))
                try await scene.rig.agent.setRelevant([past, future, driving, placed, wanted])
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                #expect(shown.summary.contains("Episode 5"))
                try await app.waitForLine(containing: "prepare [show-2/episode-5] for headset")
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                let reasons = try await scene.rig.agent.explain(offered.id).explanation.texts
                #expect(reasons.first == "the app says that it is relevant now")
            }
        }
    }

    @Test("A relevant action of another kind is offered at its trigger")
    func relevantAction() async throws {
        try await withMediaScene(played: [], configure: Self.asApp) { scene in
            try await scene.withApp { _ in
                let call = Announcement(
                    item: "call-1", title: "Standup", kind: .openItem,
                    parameters: ["uri": "https://podcasts.example/standup", "title": "Standup"], widgetKind: "day",
                    trigger: .session(.unlocked))
                try await scene.rig.agent.setRelevant([call])
                let unlocked = try await scene.rig.agent.simulate(SimulatedTrigger(trigger: "unlock"))
                #expect(unlocked.map(\.title) == ["Open Standup"] && unlocked[0].kind == "item")
                #expect(unlocked[0].explanation.texts == ["the app says that it is relevant now"])
                #expect(try await scene.rig.agent.simulate(SimulatedTrigger(trigger: "login")).isEmpty)
                let kept = try StoreFile(home: scene.rig.home).use { try $0.announcements(in: .relevant) }
                #expect(kept.values.first == [call])
            }
        }
    }

    @Test("A malformed announcement is one error and changes nothing")
    func malformed() async throws {
        try await withDonationAgent(Callers.sandboxed) { rig in
            try await rig.agent.setRelevant([Announcement(item: "a", title: "t")])
            let title: VariantMap = ["item": .string("a"), "title": .string("t")]
            for wrong: VariantMap in [
                [:], ["item": .string("a")], ["title": .string("t")], ["mode": .string("perhaps")],
                ["trigger": .string("toaster")], ["radius": .double(-1)], ["radius": .double(.nan)],
                ["latitude": .double(91), "longitude": .double(0)],
                ["latitude": .double(.nan), "longitude": .double(0)],
                ["from": .string("now")], ["item": .string("")], ["from": .uint64(2), "until": .uint64(2)],
                ["kind": .string("dance")], ["kind": .string("openApp"), "parameters": ["app": "x"].dbusValue],
                ["kind": .string("openItem")], ["kind": .string("openItem"), "parameters": ["x": "y"].dbusValue],
                ["latitude": .double(1)], ["longitude": .double(1)], ["radius": .double(10)],
                ["item": .string(String(repeating: "x", count: 10 << 20))],
                ["title": .string(String(repeating: "x", count: 10 << 20))],
            ] {
                let item =
                    wrong.keys.contains { ["item", "title"].contains($0) } || wrong.isEmpty
                    ? wrong : title.merging(wrong) { $1 }
                let refusal = try await rig.refusal {
                    let () = try await $0.root.call(HunchNames.donations, "SetRelevant", [item], timeout: .seconds(60))
                }
                #expect([.invalidInput, .invalidArgs].contains(refusal?.name), "\(wrong.keys)")
                #expect((refusal?.message.utf8.count ?? 0) < 500)
            }
            let kept = try StoreFile(home: rig.home).use { try $0.announcements(in: .relevant) }
            #expect(kept == ["org.example.Podcasts": [Announcement(item: "a", title: "t")]])
        }
    }
}
