import FoundationEssentials
import History
import EventLoops
import HunchDBus
import HunchModel
import Prediction
import Testing
import Triggers

@testable import Media
@testable import Players

/// Tests which rows player and device events produce, without real players or devices.
@Suite("Playback memory")
final class PlaybackMemoryTests {
    private static let start = Date(timeIntervalSince1970: 1_748_822_400)
    private static let headset = AudioDevice(id: "AA", name: "WH", kind: .headset, transport: .bluetooth)

    private var players = TracedPlayers()
    private var memory = PlaybackMemory()
    private let name: BusName = "org.mpris.MediaPlayer2.mpv"

    /// Applies a report of the player, and returns the resulting resume points.
    private func tell(
        _ status: String, _ title: String, at seconds: Double, position: Int64? = nil, length: Int64 = 600,
        on device: AudioDevice? = nil
    ) -> ResumePoint? {
        var properties: VariantMap = [
            "Identity": .string("mpv"), "PlaybackStatus": .string(status),
            "Metadata": [
                "xesam:title": Value.string(title), "xesam:url": .string("file:///\(title)"),
                "mpris:length": .int64(length * 1_000_000),
            ].dbusValue,
        ]
        properties["Position"] = position.map { .int64($0 * 1_000_000) }
        let instant = MonotonicInstant(sinceStart: .seconds(seconds))
        return players.take(name, properties, at: instant).compactMap { observation in
            memory.observe(
                observation, application: "mpv", on: device, at: Self.start.addingTimeInterval(seconds))
        }.last
    }

    private func expectNothing(_ point: ResumePoint?) { #expect(point == nil) }

    /// Checks the player, as some time after playback began.
    private func listen(at seconds: Double) -> ResumePoint? {
        let instant = MonotonicInstant(sinceStart: .seconds(seconds))
        guard memory.unheardSession(of: name) != nil, let info = players.players(at: instant).first?.info else {
            return nil
        }
        return memory.hear(info, in: name, at: Self.start.addingTimeInterval(seconds))
    }

    @Test("A play is remembered once heard, also on the speakers")
    func heard() throws {
        expectNothing(tell("Playing", "A", at: 0, position: 42))
        let point = try #require(listen(at: 1))
        #expect(point.device == "speakers" && point.info.position == 43_000_000)
        let paused = try #require(tell("Paused", "A", at: 9, position: 51))
        #expect(paused.info.position == 51_000_000 && !paused.pausedByDisconnect)
        expectNothing(tell("Playing", "A", at: 20, position: 51, on: Self.headset))
        let moved = listen(at: 21)
        #expect(moved?.device == "AA")
    }

    @Test("Only playback that was audible until the disconnect was interrupted by it")
    func interrupted() throws {
        let cases: [(pause: Double, isGone: Bool, expected: Bool)] = [
            (27.5, false, false), (29, false, false), (29.8, false, true), (28, true, true), (26, true, false),
        ]
        for (pause, isGone, expected) in cases {
            (players, memory) = (TracedPlayers(), PlaybackMemory())
            expectNothing(tell("Playing", "A", at: 0, position: 0, on: Self.headset))
            _ = listen(at: 1)
            let point = tell("Paused", "A", at: pause, position: 20, on: isGone ? nil : Self.headset)
            #expect(point?.device == "AA" && point?.pausedByDisconnect == false)
            let points = memory.lose(Self.headset, at: Self.start.addingTimeInterval(30))
            #expect(points.map(\.pausedByDisconnect) == (expected ? [true] : []), "\(pause)")
        }
        // A player is often told late that its output is gone.
        (players, memory) = (TracedPlayers(), PlaybackMemory())
        expectNothing(tell("Playing", "A", at: 0, position: 0, on: Self.headset))
        _ = listen(at: 1)
        #expect(memory.lose(Self.headset, at: Self.start.addingTimeInterval(30)).isEmpty)
        #expect(tell("Paused", "A", at: 32, position: 20)?.pausedByDisconnect == true)
    }

    @Test("A play whose position never moved replaces nothing")
    func unheard() {
        for end in ["Paused", "Stopped"] {
            expectNothing(tell("Playing", end, at: 0, position: 0))
            expectNothing(tell(end, end, at: 5, position: 0))
        }
        expectNothing(tell("Playing", "Gone", at: 10, position: 0))
        for gone in players.remove(name, at: MonotonicInstant(sinceStart: .seconds(15))) {
            let point = memory.observe(
                gone, application: "mpv", on: nil, at: Self.start.addingTimeInterval(15))
            #expect(point == nil)
        }
    }

    @Test("A short sound keeps the resume point of the item that it interrupts; a long item replaces it")
    func jingle() throws {
        expectNothing(tell("Playing", "A", at: 0, position: 300))
        _ = listen(at: 1)
        let kept = try #require(tell("Playing", "Jingle", at: 51, position: 0, length: 10))
        #expect(kept.item == "file:///A" && kept.info.position == 351_000_000)
        expectNothing(tell("Stopped", "Jingle", at: 61, position: 10, length: 10))
        // The paused item already has its place.
        _ = tell("Playing", "A", at: 70, position: 350)
        _ = listen(at: 71)
        _ = tell("Paused", "A", at: 80, position: 360)
        expectNothing(tell("Playing", "Jingle", at: 90, position: 0, length: 10))
        _ = tell("Playing", "A", at: 100, position: 590)
        _ = listen(at: 101)
        // At its end, nothing is left to resume.
        let ended = try #require(tell("Playing", "Jingle", at: 130, position: 0, length: 10))
        #expect(ended.info.position == 600_000_000 && ended.info.isFinished)
        _ = tell("Playing", "A", at: 200, position: 10)
        _ = listen(at: 201)
        expectNothing(tell("Playing", "B", at: 230, position: 0))
    }

    @Test("A pause with a position reveals a short play")
    func shortPlay() throws {
        expectNothing(tell("Playing", "A", at: 0, position: 10))
        let paused = try #require(tell("Paused", "A", at: 0.8, position: 11))
        #expect(paused.info.position == 11_000_000)
    }

    @Test("A corrected length is remembered with the pause")
    func correctedLength() throws {
        var properties: VariantMap = [
            "Identity": .string("Deezer"), "PlaybackStatus": .string("Playing"), "Position": .int64(0),
            "CanSeek": .boolean(true),
            "Metadata": ["xesam:title": Value.string("A"), "mpris:length": .int64(186_000)].dbusValue,
        ]
        for (status, time, position): (String, Double, Int64) in [("Playing", 0, 0), ("Paused", 60, 60_000_000)] {
            properties["PlaybackStatus"] = .string(status)
            properties["Position"] = .int64(position)
            let last = players.take(name, properties, at: MonotonicInstant(sinceStart: .seconds(time))).last
            let point = last.flatMap {
                memory.observe($0, application: "deezer", on: nil, at: Self.start.addingTimeInterval(time))
            }
            if status == "Paused" { #expect(point?.info.length == 186_000_000 && point?.info.isBegun == true) }
        }
    }

    @Test("An item whose position is never reported is remembered as reckoned", arguments: [true, false])
    func reckoned(canSeek: Bool) throws {
        func observe(_ status: String, at time: Double) -> ResumePoint? {
            let properties: VariantMap = [
                "Identity": .string("High Tide"), "PlaybackStatus": .string(status), "CanSeek": .boolean(canSeek),
                "Position": .int64(0),
                "Metadata": ["xesam:title": Value.string("A"), "mpris:length": .int64(900_000_000)].dbusValue,
            ]
            return players.take(name, properties, at: MonotonicInstant(sinceStart: .seconds(time))).compactMap {
                memory.observe($0, application: "tide", on: nil, at: Self.start.addingTimeInterval(time))
            }.last
        }
        expectNothing(observe("Playing", at: 0))
        let paused = try #require(observe("Paused", at: 300))
        #expect(paused.info.position == 300_000_000)
        #expect(MediaWording.title(paused.info) == (canSeek ? "Resume “A”" : "Play “A”"))
        #expect(MediaWording.progress(paused.info) == (canSeek ? "about 10 min left" : "from the start"))
    }

    @Test("A reset just before quitting does not replace the resume point")
    func reset() throws {
        expectNothing(tell("Playing", "A", at: 0, position: 0))
        let paused = try #require(tell("Paused", "A", at: 90, position: 90))
        #expect(paused.info.position == 90_000_000)
        expectNothing(tell("Paused", "A", at: 100, position: 0))
        for gone in players.remove(name, at: MonotonicInstant(sinceStart: .seconds(100.5))) {
            let point = memory.observe(gone, application: "mpv", on: nil, at: Self.start.addingTimeInterval(100.5))
            #expect(point == nil && gone.info?.position == 90_000_000)
        }
    }

    @Test("An item played to its end is remembered as finished")
    func finished() throws {
        expectNothing(tell("Playing", "A", at: 0, position: 0, length: 60))
        let begun = try #require(listen(at: 1))
        #expect(!begun.info.isFinished)
        let end = try #require(tell("Stopped", "A", at: 60, length: 60))
        #expect(end.info.isFinished && !end.info.isBegun)
    }

    @Test(
        "An item is finished within its last seconds",
        arguments: [
            (0, 60, false), (57, 60, false), (58, 60, true), (60, 60, true), (3_560, 3_600, false),
            (3_571, 3_600, true), (291, 300, true), (290, 300, false),
        ])
    func ends(position: Int64, length: Int64, isFinished: Bool) {
        let info = NowPlayingInfo(title: "A", length: length * 1_000_000, position: position * 1_000_000)
        #expect(info.isFinished == isFinished)
        #expect(MediaWording.title(info) == (position > 5 && !isFinished ? "Resume “A”" : "Play “A”"))
    }

    @Test("A live stream counts as heard")
    func live() {
        var info = NowPlayingInfo(title: "Radio X")
        info.isLive = true
        #expect(MediaWording.title(info) == "Listen to “Radio X”" && !info.isFinished)
    }

    // MARK: Ranking

    private func offer(_ application: AppID, minutesAgo: Double, isJustUsed: Bool = false) -> UnrankedMedia {
        var offer = UnrankedMedia(
            ResumePoint(
                device: "AA", application: application, item: application.rawValue,
                info: NowPlayingInfo(title: application.rawValue),
                pausedByDisconnect: false, date: Self.start.addingTimeInterval(-60 * minutesAgo)))
        offer.wasJustUsed = isJustUsed
        return offer
    }

    /// - Parameter plays: apps by how often they were played after the device connected.
    private func first(plays: KeyValuePairs<AppID, Int>) -> MediaCandidate? {
        var learner = Learner()
        let context = Context(trigger: .device("AA"), device: "AA", hour: 9, weekday: 2)
        for (application, count) in plays {
            for day in 0..<count {
                learner.learn(
                    Action(application: application, kind: .playMedia), Circumstances(context),
                    at: Self.start.addingTimeInterval(-86_400 * Double(20 - day)))
            }
        }
        return MediaRanking.rank(
            [offer("podcasts", minutesAgo: 1_440), offer("vlc", minutesAgo: 2, isJustUsed: true)], learner: learner,
            names: ["podcasts": "Podcasts"], context: context, deviceName: "WH", at: Self.start
        ).first
    }

    @Test("The last used app ranks first unless habits clearly differ")
    func justUsed() throws {
        for plays: KeyValuePairs<AppID, Int> in [[:], ["podcasts": 4], ["podcasts": 6, "mpv": 2]] {
            let first = try #require(self.first(plays: plays))
            #expect(first.application == "vlc" && first.score >= 0.9)
            #expect(first.explanation.texts.first == "you used vlc a moment ago")
        }
        let habit = try #require(self.first(plays: ["podcasts": 9]))
        #expect(habit.application == "podcasts")
        #expect(habit.explanation.texts.first == "you chose Podcasts all 9 times you listened after connecting WH")
        // The habit is to use this app.
        #expect(self.first(plays: ["vlc": 9])?.application == "vlc")
    }
}
