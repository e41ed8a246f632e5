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
@testable import Media

/// Tests of Hunch's own donations.
@Suite("Hunch's own donations", .serialized, .timeLimit(.minutes(15))) struct OwnDonationTests {
    @Test(
        "A play counts after half its length, within 5 to 30 seconds",
        arguments: [
            (nil, 30), (600_000_000, 30), (60_000_000, 30), (40_000_000, 20), (10_000_000, 5), (4_000_000, 5), (0, 5),
            (-1, 5), (.max, 30), (.min, 5),
        ] as [(Int64?, Double)])
    func rule(length: Int64?, seconds: Double) {
        #expect(PlayThreshold.time(length) == .seconds(seconds))
    }

    @Test("A play that lasts long enough is donated once")
    func plays() async throws {
        try await withMediaScene(
            played: [],
            configure: {
                // Unscaled microseconds; the first track is never played to its end.
                $0.playTime = { $0 == 1 ? .seconds(86_400) : .milliseconds(1) }
            }
        ) { scene in
            try await withClient(of: scene.rig.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                func waitForPlays(_ titles: [String]) async throws {
                    try await eventually("\(titles) being recorded", because: "the store tells nobody") {
                        try scene.rig.donations().map { $0.parameters["title"] } == titles ? () : nil
                    }
                }
                try await radio.play("Skipped", length: 1)
                try await eventually("the player being seen", because: "Players has no signal") {
                    try await scene.rig.agent.players().map(\.transfer).contains { $0["title"] == .string("Skipped") }
                        ? () : nil
                }
                try await radio.play("First")
                try await waitForPlays(["First"])
                // Playback that continues after a pause is the same play.
                try await radio.pause()
                try await radio.play("First")
                try await radio.play("Second")
                try await waitForPlays(["First", "Second"])
                let play = try #require(try scene.rig.donations().first)
                #expect(play.application == "org.example.Radio" && play.kind == .playMedia)
                #expect(play.parameters["item"] == "https://radio.example/First.ogg" && play.combination == ["item"])
                #expect(play.context.hour != nil && play.context.weekday != nil)
            }
        }
    }

    @Test("An accepted play and the next play are separate donations")
    func accepted() async throws {
        try await withMediaScene(
            played: [],
            configure: {
                $0.playTime = { _ in .milliseconds(1) }
                $0.hearingTime = .milliseconds(50)
                $0.preparationTime = .seconds(20)
            }
        ) { scene in
            let device = scene.headset.address
            try StoreFile(home: scene.rig.home).use { store in
                let point = ResumePoint(
                    device: AudioDevice.ID(device), application: "org.example.Radio",
                    item: "https://radio.example/First.ogg",
                    info: NowPlayingInfo(
                        title: "First", contentURL: "https://radio.example/First.ogg",
                        item: "https://radio.example/First.ogg"),
                    pausedByDisconnect: false, date: Date())
                let outcome = try store.remember(point, now: Date())
                #expect(outcome.isRecorded)
            }
            try await withClient(of: scene.rig.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                try await radio.load("First")
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                try await scene.rig.agent.accept(offered.id)
                try await eventually("the first being recorded", because: "the store tells nobody") {
                    try scene.rig.donations().isEmpty ? nil : ()
                }
                try await radio.play("Second")
                try await eventually("the second being recorded", because: "the store tells nobody") {
                    try scene.rig.donations().contains { $0.parameters["title"] == "Second" } ? () : nil
                }
                #expect(try scene.rig.donations().map { $0.parameters["title"] } == ["First", "Second"])
            }
        }
    }

    @Test("Every date becomes a number, and an invalid one becomes 0")
    func dates() {
        #expect(HunchAgent.microseconds(Planted.now) == 1_748_856_600_000_000)
        #expect(HunchAgent.microseconds(.distantPast) == 0)
        #expect(HunchAgent.microseconds(.distantFuture) == 64_092_211_200_000_000)
        #expect(HunchAgent.microseconds(Date(timeIntervalSince1970: .nan)) == 0)
        #expect(HunchAgent.microseconds(Date(timeIntervalSince1970: .infinity)) == 253_402_300_799_000_000)
    }

    @Test("Opened directions from agent and command are one action")
    func directions() async throws {
        // The command uses the wall clock.
        try await withDonationAgent(now: { Date() }) { rig in
            try rig.installMapApp()
            let place: VariantMap = [
                "latitude": .double(48.8584), "longitude": .double(2.2945), "name": .string("Tower"),
            ]
            let answer = try await rig.suggest(["destination": place.dbusValue])
            try await rig.agent.dismiss(try #require(answer.suggestions.first?.lastElement))
            #expect(try rig.donations().isEmpty)
            let again = try await rig.suggest(["destination": place.dbusValue])
            try await rig.agent.accept(try #require(again.suggestions.first?.lastElement))
            _ = try await rig.started("org.example.Maps")
            let first = try #require(try rig.donations().first)
            #expect(first.application == "org.example.Maps" && first.kind == .getDirections)
            #expect(first.parameters == ["latitude": "48.8584", "longitude": "2.2945", "name": "Tower"])

            let result = try await rig.hunch("directions", "geo:48.8584,2.2945", "--open")
            #expect(result.status == .exited(0), "\(result)")
            let donations = try rig.donations()
            #expect(donations.count == 2 && Set(donations.map(\.identity)).count == 1)
            #expect(donations.map(\.application) == ["org.example.Maps", "org.example.Maps"])
            // Listing routes does not count as opening one.
            #expect(try await rig.hunch("directions", "geo:48.8584,2.2945").status == .exited(0))
            #expect(try rig.donations().count == 2)
        }
    }

    @Test("The last opened app ranks first until it is forgotten")
    func preferredApp() async throws {
        try await withDonationAgent(now: { Date() }) { rig in
            try rig.installMapApp("org.example.Maps")
            try rig.installMapApp("org.example.Zed")
            let link: VariantMap = ["uri": .string("geo:48.8584,2.2945")]
            func ranked() async throws -> [OfferedSuggestion] {
                let paths = try await rig.suggest(link).suggestions.map(\.lastElement)
                let offered = try await rig.agent.suggestions()
                return paths.compactMap { path in offered.first { $0.id == path } }
            }
            /// The link of the first of the two that the command names.
            func ofCommand() async throws -> Substring? {
                try await rig.hunch("directions", "geo:48.8584,2.2945").output().split(separator: "\n")
                    .first { $0.contains("from=org.example.") }
            }
            let before = try await ranked()
            #expect(before.first?.application == "org.example.Maps")
            #expect(try await ofCommand()?.contains("from=org.example.Maps") == true)
            try await rig.agent.accept(try #require(before.first { $0.application == "org.example.Zed" }).id)
            _ = try await rig.started("org.example.Zed")
            let after = try #require(try await ranked().first)
            #expect(after.application == "org.example.Zed")
            let reasons = try await rig.agent.explain(after.id)
            #expect("\(reasons)".contains("once "), "\(reasons)")
            #expect(try await ofCommand()?.contains("from=org.example.Zed") == true)
            _ = try await rig.agent.forget(.everything)
            #expect(try await ranked().first?.application == "org.example.Maps")
            #expect(try await ofCommand()?.contains("from=org.example.Maps") == true)
        }
    }

    @Test("Directions open without an agent and do not start one")
    func withoutAgent() async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                try await withClient(of: bus) { agent in
                    let environment = Surroundings.environment.merging(agentEnvironment(bus, home)) { $1 }
                    let rig = AgentRig(bus: bus, home: home, environment: environment, agent: agent)
                    try rig.installMapApp()
                    let result = try await rig.hunch("directions", "geo:48.8584,2.2945", "--open")
                    #expect(result.status == .exited(0), "\(result)")
                    _ = try await rig.started("org.example.Maps")
                    #expect(try await !agent.isRunning())
                }
            }
        }
    }
}
