import EventLoops
import HunchModel
import HunchDBus
import Media
import Players
import Testing

@testable import Agent
@testable import Services
@testable import Apps

/// Tests of finding a player's app from its process.
@Suite("Apps of players") struct PlayerAppTests {
    private func app(
        _ caller: CallerIdentity, of programs: [String] = [], named name: String, claiming entry: String? = nil
    ) throws -> AppID? {
        var players = TracedPlayers()
        var properties: VariantMap = ["PlaybackStatus": .string("Paused")]
        properties["DesktopEntry"] = entry.map(Value.string)
        _ = players.take(try BusName("org.mpris.MediaPlayer2.\(name)"), properties, at: .now)
        let player = try #require(players.players(at: .now).first)
        let owners = programs.map { ProgramOwner(application: AppID($0), isShown: true) }
        return CallerProcess(identity: caller, owners: owners).desktopIDs(of: player).first
    }

    private func caller(
        _ application: AppID? = nil, _ confinement: CallerIdentity.Confinement = .unknown
    ) -> CallerIdentity {
        CallerIdentity(name: ":1.7", processID: 7, application: application?.rawValue, confinement: confinement)
    }

    @Test("A sandboxed player is its own app, whatever it claims")
    func sandboxed() throws {
        for entry in ["vlc", "org.example.Own", nil] {
            let own = caller("org.example.Own", .sandboxed)
            #expect(try app(own, of: ["vlc"], named: "vlc", claiming: entry) == "org.example.Own")
            let nameless = caller(nil, .sandboxed)
            #expect(try app(nameless, of: ["vlc"], named: "vlc", claiming: entry) == "org.mpris.MediaPlayer2.vlc")
        }
    }

    @Test("A player's claim counts if unit, program or name agrees")
    func agreeing() throws {
        let unit = caller("org.gnome.Rhythmbox3", .unsandboxed)
        #expect(try app(unit, named: "x", claiming: "org.gnome.Rhythmbox3") == "org.gnome.Rhythmbox3")
        let terminal = caller("org.gnome.Terminal", .unsandboxed)
        #expect(try app(terminal, of: ["mpv"], named: "x", claiming: "mpv") == "mpv")
        #expect(try app(caller(), of: ["mpv", "umpv"], named: "x", claiming: "umpv") == "umpv")
        #expect(try app(caller(), named: "elisa", claiming: "org.kde.elisa") == "org.kde.elisa")
        #expect(try app(caller(), named: "vlc.instance7", claiming: "VLC") == "VLC")
    }

    @Test("A false claim falls back to the program or the bus name")
    func disagreeing() throws {
        let terminal = caller("org.gnome.Terminal", .unsandboxed)
        #expect(try app(terminal, named: "ncspot", claiming: "org.example.Victim") == "ncspot")
        #expect(try app(terminal, of: ["org.example.Own"], named: "x", claiming: "victim") == "org.example.Own")
        let own = caller("org.example.Player", .unsandboxed)
        #expect(try app(own, named: "x", claiming: "org.victim.Player") == "x")
        #expect(try app(caller(), of: ["one", "two"], named: "x", claiming: "victim") == "x")
        // The player names no app, so its unit counts if the bus name matches it.
        #expect(try app(caller("org.gnome.Lollypop", .unsandboxed), named: "Lollypop") == "org.gnome.Lollypop")
    }

    @Test("An app on Chromium's engine is not Chromium")
    func engine() throws {
        let (engine, own): (String, AppID) = ("chromium.instance210", "org.qutebrowser.qutebrowser")
        for entry in [nil, "chromium"] {
            #expect(try app(caller(own, .unsandboxed), named: engine, claiming: entry) == own)
            #expect(try app(caller(), of: [own.rawValue], named: engine, claiming: entry) == own)
            let terminal = caller("org.gnome.Terminal", .unsandboxed)
            #expect(try app(terminal, of: ["tidal-hifi"], named: engine, claiming: entry) == "tidal-hifi")
            #expect(try app(terminal, of: ["chromium"], named: engine, claiming: entry) == "chromium")
            #expect(try app(terminal, named: engine, claiming: entry) == "chromium")
        }
    }
}
