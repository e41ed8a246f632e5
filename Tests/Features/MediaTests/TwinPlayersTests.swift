import EventLoops
import HunchDBus
import HunchModel
import Testing
import Triggers

@testable import Media
@testable import Players

/// Apps with two players, and players of other devices, as a trace has them.
@Suite("Players that show one playback")
struct TwinPlayersTests {
    private var players = TracedPlayers()
    private var now = 0

    private func instant(_ seconds: Int) -> MonotonicInstant { MonotonicInstant(sinceStart: .seconds(seconds)) }

    /// Applies a state of a player. Returns the observations as `started spotify`.
    private mutating func take(
        _ name: String, _ title: String?, _ status: String = "Playing", processes: [UInt32]? = nil,
        url: String? = nil, position: Int64? = nil, identity: String? = nil
    ) throws -> [String] {
        now += 1
        var metadata: VariantMap = [:]
        metadata["xesam:title"] = title.map(Value.string)
        metadata["xesam:url"] = url.map(Value.string)
        var properties: VariantMap = ["PlaybackStatus": .string(status), "Metadata": metadata.dbusValue]
        properties["Position"] = position.map(Value.int64)
        properties["Identity"] = identity.map(Value.string)
        let bus = try BusName("org.mpris.MediaPlayer2." + name)
        return players.take(bus, properties, processes: processes, at: instant(now)).map(\.words)
    }

    private var names: [String] { players.players(at: instant(now)).map { String($0.name.text.dropFirst(23)) } }

    @Test("An app's own player represents that of its browser engine")
    func engines() throws {
        let apps: [(app: String, title: String, engine: String)] = [
            ("tidal-hifi", "Paranoid Android", "Paranoid Android"), ("YoutubeMusic", "Creep", "Creep • Radiohead"),
            ("qutebrowser", "Lecture 3 - YouTube", "Lecture 3"), ("VacuumTube", "A talk", "A talk - YouTube"),
            ("cider", "Song", "song"), ("teams-for-linux", "Weekly", "Weekly | Teams"),
        ]
        for (app, title, engine) in apps {
            for isEngineFirst in [true, false] {
                var test = Self()
                var seen: [String] = []
                for isEngine in [isEngineFirst, !isEngineFirst] {
                    seen +=
                        isEngine
                        ? try test.take("chromium.instance210", engine, processes: [210, 10])
                        : try test.take(app, title, processes: [210, 10])
                }
                #expect(test.names == [app], "\(app)")
                #expect(
                    seen
                        == (isEngineFirst
                            ? ["started chromium.instance210", "gone chromium.instance210", "started \(app)"]
                            : ["started \(app)"]))
                // The next item comes to one of the two first.
                #expect(try test.take("chromium.instance210", "Next").isEmpty)
                #expect(try test.take(app, "Next") == ["started \(app)"])
                #expect(try test.take("chromium.instance210", "Next", "Paused").isEmpty)
                #expect(try test.take(app, "Next", "Paused") == ["paused \(app)"])
            }
        }
    }

    @Test("The other player is shown again when the app's own is gone")
    mutating func gone() throws {
        _ = try take("tidal-hifi", "Song", processes: [210, 10])
        #expect(try take("chromium.instance210", "Song", processes: [210, 10]).isEmpty)
        let gone = players.remove("org.mpris.MediaPlayer2.tidal-hifi", at: instant(9))
        #expect(gone.map(\.words) == ["gone tidal-hifi", "started chromium.instance210"])
        #expect(players.remove("org.mpris.MediaPlayer2.chromium.instance210", at: instant(9)).count == 1)
    }

    @Test("Players of different playback or processes stay apart")
    mutating func apart() throws {
        #expect(try take("chromium.instance210", "Song", processes: [210, 10]).count == 1)
        #expect(try take("mpv", "Song", processes: [300, 10]).count == 1)
        #expect(try take("brave.instance211", "Another", processes: [211, 210, 10]).count == 1)
        #expect(try take("mpv.instance301", "Song", processes: [301, 300, 10]).count == 1, "it is not an engine's")
        #expect(try take("vlc", "Song").count == 1, "its process is unknown")
        #expect(names.count == 5)
    }

    @Test("A player in a child process with the same address is a twin")
    mutating func child() throws {
        _ = try take("app", "Song", processes: [210, 10], url: "https://example.org/1")
        #expect(
            try take("chromium.instance215", "Anything", processes: [215, 210, 10], url: "https://example.org/1")
                .isEmpty)
    }

    @Test("A player of another device is never reported")
    mutating func remote() throws {
        for name in ["kdeconnect.mpris_000001", "GSConnect.Pixel8", "Valent_1"] {
            #expect(try take(name, "Song on the phone").isEmpty)
            #expect(try take(name, "Song on the phone", "Paused").isEmpty)
            #expect(names.isEmpty)
            #expect(players.remove(try BusName("org.mpris.MediaPlayer2." + name), at: instant(now)).isEmpty)
        }
    }

    @Test("A player of Chromium's engine has the name of its app")
    func identity() {
        for (application, name) in [
            ("org.qutebrowser.qutebrowser", "qutebrowser"), ("com.brave.Browser", "brave"), ("chromium", "Chromium"),
            ("org.chromium.Chromium", "Chromium"), (nil, "Chromium"),
        ] as [(AppID?, String)] {
            var player = FollowedPlayer(name: "org.mpris.MediaPlayer2.chromium.instance210", generation: 1, shown: nil)
            player.state.applyRoot(["Identity": .string("Chromium")])
            player.application = application
            #expect(player.snapshot(":1.7", at: instant(1)).identity == name)
        }
    }

    @Test("A position that does not advance is noticed, unless it is 0")
    mutating func stalled() throws {
        _ = try take("librespot", "Song", position: 83_000_000)
        #expect(players.players(at: instant(now)).map(\.isPlaying) == [true])
        _ = try take("librespot", "Song", position: 83_000_000)
        #expect(players.players(at: instant(now)).map(\.isPlaying) == [false])
        let heard = AudioStream(names: ["librespot"], isSounding: true)
        #expect(players.players(at: instant(now), among: [heard]).map(\.isPlaying) == [true], "it is heard")
        _ = try take("librespot", "Song", position: 85_000_000)
        #expect(players.players(at: instant(now)).map(\.isPlaying) == [true])
        _ = try take("librespot", "Next", position: 85_000_000)
        #expect(players.players(at: instant(now)).map(\.isPlaying) == [true], "it is another item")
        _ = try take("librespot", "Next", position: 0)
        _ = try take("librespot", "Next", position: 0)
        #expect(players.players(at: instant(now)).map(\.isPlaying) == [true], "many players tell 0 all the time")
    }

    @Test("An inaudible player is not the active one")
    mutating func soundless() throws {
        _ = try take("wallpaper", "Aquarium", processes: [400, 10])
        #expect(players.players(at: instant(now + 1), among: []).map(\.isPlaying) == [true], "it has only just begun")
        #expect(players.players(at: instant(now + 3), among: []).map(\.isPlaying) == [false])
        _ = try take("mpv", "Song", "Paused", processes: [300, 10])
        #expect(players.players(at: instant(now + 3), among: []).first?.name == "org.mpris.MediaPlayer2.mpv")
    }
}

extension MediaObservation {
    fileprivate var words: String { "\(change) \(player.name.text.dropFirst(23))" }
}
