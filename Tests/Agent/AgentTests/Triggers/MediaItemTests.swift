import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import Prediction
import SeededRandom
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import Learning

/// Simulated people whose player donates their plays over D-Bus and who play something else on each device. Counts what the
/// agent would suggest when a device is ready.
@Suite("Learned media items", .serialized, .timeLimit(.minutes(15))) struct MediaItemTests {
    private static let app: AppID = "org.example.Player"
    private static let gym = "GYM"
    private static let speaker = "SPEAKER"

    /// A device that became ready.
    private struct Moment {
        var device: String
        var hour: Int
        /// The played item, by its title.
        var wanted: String
    }

    /// Returns the first candidate at a device.
    private struct Offer {
        let title: String
        let reasons: [String]
    }

    // MARK: Living

    private static func uri(_ title: String) -> String {
        "https://example.org/\(title.lowercased().replacing(" ", with: "-")).mp3"
    }

    private func play(
        _ title: String, on device: String, _ scene: TriggerScene, app: String = Self.app.rawValue,
        more: VariantMap = [:]
    ) async throws {
        let context: VariantMap = ["trigger": .string("device:\(device)"), "device": .string(device)]
        let item = Item.play(Self.uri(title), title: title, more: more.merging(["context": context.dbusValue]) { $1 })
        let codes = try await scene.acting(as: AppID(app)) { try await scene.rig.codes([item]) }
        guard codes == [""] else { throw BenchError("a play was refused: \(codes)") }
    }

    private func candidates(at device: String, _ scene: TriggerScene) async throws -> [CandidateReport] {
        try await scene.rig.agent.simulate(SimulatedTrigger(device: AudioDevice.ID(device)))
    }

    private func offer(at device: String, _ scene: TriggerScene) async throws -> Offer? {
        try await candidates(at: device, scene).first { $0.hold == nil }
            .map { Offer(title: $0.title, reasons: $0.explanation.texts) }
    }

    /// Simulates some days, and counts from a given day.
    private func live(
        _ name: String, days: Int = 21, from first: Int = 7, seed: UInt64 = 1,
        _ moments: @escaping (_ day: Int, _ random: inout SplitMix64) -> [Moment]
    ) async throws -> OfferRates {
        var rates = OfferRates()
        var random = SplitMix64(seed: seed)
        try await withTriggerScene { scene in
            try scene.rig.installApp(Self.app, "MimeType=audio/mpeg;")
            for day in 0..<days {
                for moment in moments(day, &random) {
                    scene.clock.update {
                        $0 = TriggerScene.morning.addingTimeInterval(Double(day * 24 + moment.hour - 7) * 3_600)
                    }
                    if day >= first {
                        let offered = try await offer(at: moment.device, scene)
                        rates.wanted += 1
                        rates.offered += offered == nil ? 0 : 1
                        rates.taken += offered?.title == "Play “\(moment.wanted)”" ? 1 : 0
                    }
                    try await play(moment.wanted, on: moment.device, scene)
                }
            }
        }
        print("\(name): \(rates)")
        return rates
    }

    private static func often(_ share: Double, _ random: inout SplitMix64) -> Bool {
        Double.random(in: 0..<1, using: &random) < share
    }

    private static func anything(_ random: inout SplitMix64) -> String {
        "List \(Int.random(in: 0..<10, using: &random))"
    }

    @Test("Gym playlist and evening news are learned per device")
    func gym() async throws {
        let rates = try await live("gym playlist and evening news") { day, random in
            let workout = Moment(
                device: Self.gym, hour: 17, wanted: Self.often(0.9, &random) ? "Gym playlist" : Self.anything(&random))
            let evening = Moment(
                device: Self.speaker, hour: 20,
                wanted: Self.often(0.9, &random) ? "Evening news" : Self.anything(&random))
            return day % 2 == 0 ? [workout, evening] : [evening]
        }
        #expect(rates.hits > 0.75, "\(rates)")
        #expect(rates.falseOffers < 0.25, "\(rates)")
    }

    @Test("A change of playlist is learned")
    func change() async throws {
        let rates = try await live("another gym playlist", days: 28, from: 20) { day, random in
            let list = day < 14 ? "Gym playlist" : "Rowing"
            return [
                Moment(device: Self.gym, hour: 17, wanted: Self.often(0.95, &random) ? list : Self.anything(&random)),
                Moment(device: Self.speaker, hour: 20, wanted: "Evening news"),
            ]
        }
        #expect(rates.hits > 0.8, "\(rates)")
        #expect(rates.falseOffers < 0.2, "\(rates)")
    }

    @Test("Playing any of ten items suggests no usual item")
    func noise() async throws {
        var random = SplitMix64(seed: 5)
        var (moments, chosen) = (0, 0)
        try await withTriggerScene { scene in
            try scene.rig.installApp(Self.app, "MimeType=audio/mpeg;")
            for day in 0..<21 {
                scene.clock.update { $0 = TriggerScene.morning.addingTimeInterval(Double(day) * 86_400) }
                moments += 1
                let all = try await candidates(at: Self.gym, scene)
                // The usual item is a candidate in addition to the item with which the app would continue.
                if all.count > 1 { chosen += 1 }
                try await play(Self.anything(&random), on: Self.gym, scene)
            }
        }
        print("any of ten lists: one is taken for usual at \(chosen) of \(moments) moments")
        #expect(chosen < 3)
    }

    @Test("An app with new items each time is learned as an app")
    func episodes() async throws {
        try await withTriggerScene { scene in
            try scene.rig.installApp(Self.app, "MimeType=audio/mpeg;")
            for day in 0..<12 {
                scene.clock.update { $0 += 86_400 }
                if day > 2 {
                    let all = try await candidates(at: Self.gym, scene)
                    #expect(all.map(\.title) == ["Play “Episode \(day - 1)”"])
                    let reasons = try #require(all.first).explanation.texts
                    #expect(
                        reasons.first?.hasSuffix(" all \(day) times you listened after connecting this device") == true,
                        "\(reasons)")
                }
                try await play("Episode \(day)", on: Self.gym, scene)
            }
        }
    }

    // MARK: Conduct

    /// Three weeks with the gym's playlist and the evening's news.
    private func teach(_ scene: TriggerScene) async throws {
        try scene.rig.installApp(Self.app, "MimeType=audio/mpeg;")
        for day in 0..<5 {
            scene.clock.update { $0 = TriggerScene.morning.addingTimeInterval(Double(day * 24 + 10) * 3_600) }
            try await play(
                day == 2 ? "Rock" : "Gym playlist", on: Self.gym, scene, more: ["id": .string("gym-\(day)")])
            scene.clock.update { $0 += 3 * 3_600 }
            try await play("Evening news", on: Self.speaker, scene, more: ["id": .string("news-\(day)")])
        }
        scene.clock.update { $0 += 21 * 3_600 }
    }

    @Test("The reason counts the item; forgetting removes the item")
    func forgetting() async throws {
        try await withTriggerScene { scene in
            try await teach(scene)
            let gym = try #require(try await offer(at: Self.gym, scene))
            #expect(gym.title == "Play “Gym playlist”")
            #expect(gym.reasons.contains("4 of 5 times after connecting this device"), "\(gym)")
            #expect(try await offer(at: Self.speaker, scene)?.title == "Play “Evening news”")
            let result = try await scene.rig.hunch("simulate", "--device", Self.gym)
            #expect(result.standardOutput.contains("Gym playlist"), "\(result)")
            // The first candidate is the app with a new item.
            let evaluated = try await scene.rig.hunch("evaluate", "--history", "--json").output()
            #expect(evaluated.contains(#""unseen":3,"#) && evaluated.contains(#""predicted":10,"#), "\(evaluated)")
            let deleted: UInt32 = try await scene.acting(as: Self.app) {
                try await scene.rig.root.call(
                    HunchNames.donations, "DeleteById", (0..<5).map { "gym-\($0)" })
            }
            #expect(deleted == 5)
            let left = try await candidates(at: Self.gym, scene).map(\.title)
            #expect(left == ["Play “Evening news”"], "the app goes on where it stands")
            #expect(
                await scene.inside.environment.habits.items.choices(
                    Context(trigger: .device("GYM"), device: "GYM"), at: scene.clock.state) == [:])
            _ = try await scene.rig.hunch("forget", "--app", Self.app.rawValue).output()
            #expect(try await candidates(at: Self.speaker, scene).isEmpty)
        }
    }

    @Test("An item that cannot be opened is not suggested")
    func unplayable() async throws {
        try await withTriggerScene { scene in
            // A script is not an app, so it cannot be launched.
            for _ in 0..<4 {
                scene.clock.update { $0 += 86_400 }
                try await play("Gym playlist", on: Self.gym, scene)
                scene.clock.update { $0 += 3_600 }
                try await play("Evening news", on: Self.speaker, scene)
            }
            let held = try await candidates(at: Self.gym, scene).compactMap { $0.hold?.description }
            #expect(held.count == 2 && held.allSatisfy { $0.contains("not installed") }, "\(held)")
            let result = try await scene.rig.hunch("simulate", "--device", Self.gym)
            #expect(result.status == .exited(1) && result.standardError.contains("not installed"), "\(result)")
            try scene.rig.installApp(Self.app, "MimeType=text/plain;")
            let undeclared = try await candidates(at: Self.gym, scene).compactMap { $0.hold?.description }
            #expect(undeclared.allSatisfy { $0.contains("does not say that it plays “https:”") }, "\(undeclared)")
            try scene.rig.installApp(Self.app, "MimeType=audio/mpeg;")
            #expect(try await offer(at: Self.gym, scene)?.title == "Play “Gym playlist”")
            // Only its title is known.
            let other: AppID = "org.example.Other"
            try scene.rig.installApp(other, "MimeType=audio/mpeg;")
            for day in 0..<9 {
                scene.clock.update { $0 += 86_400 }
                try await scene.donate(other, "playMedia", ["title": "Song \(day % 2)"], at: "device:\(Self.gym)")
            }
            let named = try await candidates(at: Self.gym, scene).first { $0.application == other }
            let reason = try #require(named?.hold?.description)
            #expect(reason.contains("gave no address"), "\(reason)")
        }
    }

    @Test("The usual item is suggested on unlocking and opens if taken")
    func taken() async throws {
        let radio: AppID = "org.example.Radio"
        try await withTriggerScene { scene in
            try scene.rig.installApp(radio, "MimeType=audio/mpeg;")
            for _ in 0..<5 {
                scene.clock.update { $0 += 79_200 }
                for (title, trigger) in [("Morning", "unlock"), ("Night", "resume")] {
                    try await scene.donate(
                        radio, "playMedia", ["item": "https://radio.example/\(title).ogg", "title": title], at: trigger)
                    scene.clock.update { $0 += 3_600 }
                }
            }
            scene.clock.update { $0 += 79_200 }
            await scene.come()
            let shown = try await scene.notifications.request(1)
            #expect(shown.summary == "Play “Morning”", "\(shown)")
            #expect(shown.body.contains("5 of 5 times after unlocking"), "\(shown)")
            let offered = try #require(try await scene.offered().first)
            try await withClient(of: scene.rig.bus) { client in
                async let accepting: Void = scene.rig.agent.accept(offered.id)
                #expect(try await scene.rig.started(radio).first == "https://radio.example/Morning.ogg")
                let player = try await RadioPlayer(on: client.connection)
                try await player.play("Morning")
                try await accepting
            }
            // It counts as played once it was heard for long enough.
            #expect(try scene.rig.donations().count == 10)
        }
    }

    @Test("An app without a player is opened at the item")
    func withoutPlayer() async throws {
        let app: AppID = "org.example.Stations"
        try await withTriggerScene(configure: { $0.appearanceTime = .milliseconds(50) }) { scene in
            try scene.rig.installApp(app, "MimeType=x-scheme-handler/station;")
            try await scene.teach(app, "playMedia", ["item": "station:5", "title": "Radio 5"])
            await scene.come()
            let offered = try #require(try await scene.offered().first)
            #expect(offered.title == "Play “Radio 5”")
            try await scene.rig.agent.accept(offered.id)
            #expect(try await scene.rig.started(app).first == "station:5")
            #expect(try scene.rig.donations().count == 4)
            #expect(try StoreFile(home: scene.rig.home).outcomes() == ["shown", "accepted"])
            // An app whose player was seen before must be running.
            try StoreFile(home: scene.rig.home).use { store in
                let point = ResumePoint(
                    device: "d", application: app, item: "station:5",
                    info: NowPlayingInfo(title: "Radio 5", contentURL: "station:5"), pausedByDisconnect: false,
                    date: scene.clock.state)
                let outcome = try store.remember(point, now: scene.clock.state)
                #expect(outcome.isRecorded)
            }
            scene.clock.update { $0 += 86_400 }
            await scene.come()
            let again = try #require(try await scene.offered().first)
            await #expect(throws: DBusError.self) { try await scene.rig.agent.accept(again.id) }
            #expect(try StoreFile(home: scene.rig.home).outcomes().last == "failed")
        }
    }

    @Test("A restarted agent learns the same")
    func restart() async throws {
        try await withHabits { habits, history, loop in
            var random = SplitMix64(seed: 11)
            for day in 0..<40 {
                for (device, hour, usual) in [(Self.gym, 17, "Gym playlist"), (Self.speaker, 20, "Evening news")] {
                    let title = Self.often(0.8, &random) ? usual : Self.anything(&random)
                    try await habits.record(
                        Donation(
                            application: Self.app, kind: .playMedia, parameters: ["item": title, "title": title],
                            date: Planted.now.addingTimeInterval(Double((day - 40) * 24 + hour) * 3_600),
                            context: Context(
                                trigger: Trigger("device:\(device)"), device: AudioDevice.ID(device), hour: hour,
                                weekday: day % 7 + 1),
                            combination: ["item"]))
                }
            }
            let anew = Habits(loop: loop, history: history, problems: ProblemReporter())
            await anew.learn()
            for device in [Self.gym, Self.speaker] {
                let now = Context(
                    trigger: Trigger("device:\(device)"), device: AudioDevice.ID(device), hour: 17, weekday: 3)
                let learned = await habits.items.choices(now, at: Planted.now)
                #expect(!learned.isEmpty)
                #expect(await anew.items.choices(now, at: Planted.now) == learned)
            }
        }
    }

    // MARK: With a device

    @Test(
        "A usual item of an unseen player is prepared and played"
    )
    func prepared() async throws {
        try await withMediaScene(played: [], configure: { $0.preparationTime = .seconds(20) }) { scene in
            for day in (1...6).reversed() {
                for (item, device) in [("show-2/episode-7", scene.headset.address), ("show-1/episode-1", "SPEAKER")] {
                    let date = HunchAgent.microseconds(Date(timeIntervalSinceNow: Double(-86_400 * day)))
                    let context: VariantMap = ["trigger": .string("device:\(device)"), "device": .string(device)]
                    let play = Item.play(
                        item,
                        more: [
                            "app": .string(MediaScene.podcasts.rawValue), "date": .uint64(date),
                            "context": context.dbusValue,
                        ])
                    #expect(try await scene.rig.codes([play]) == [""])
                }
            }
            try await scene.withApp { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                #expect(shown.summary.contains("Episode 7") && shown.body.contains("6 of 6 times"), "\(shown)")
                try await app.waitForLine(containing: "prepare [show-2/episode-7] for headset")
                try await scene.notifications.activate(shown.number, "play")
                try await app.waitForLine(containing: "playing show-2/episode-7")
            }
        }
    }
}
