import Foundation
import HunchDBus
import HunchModel
import TestSupport
import Testing
import Triggers

@testable import Media
@testable import Players

/// Which streams of the audio server are a player's.
@Suite("Players and their sound")
struct PlayerSoundTests {
    private func player(
        _ name: String, processes: [UInt32] = [], application: AppID? = nil, identity: String = "", entry: String? = nil
    ) throws -> MPRISPlayer {
        let bus = try BusName("org.mpris.MediaPlayer2." + name)
        var player = MPRISPlayer(
            id: bus, name: bus, names: [bus], identity: identity, desktopEntry: entry, status: .playing, info: nil,
            canPlay: true, canSeek: true, canControl: true, hasTrackList: false, isResponding: true,
            droppedChanges: 0)
        player.processes = processes
        player.application = application
        return player
    }

    private func stream(
        _ processes: [UInt32] = [], application: String? = nil, _ names: String..., isSounding: Bool = true
    ) -> AudioStream {
        AudioStream(
            sink: "speakers", processes: processes, application: application, names: names, isSounding: isSounding)
    }

    private func muted(_ processes: [UInt32]) -> AudioStream {
        AudioStream(sink: "speakers", processes: processes, names: ["vlc"], isMuted: true)
    }

    @Test("A player is heard if a stream of its processes sounds")
    func processes() throws {
        let other = stream([900, 10], "game", "game")
        let cases: [(String, MPRISPlayer, [AudioStream], PlayerSound)] = [
            ("mpv", try player("mpv", processes: [300, 10]), [stream([300, 10], "mpv")], .heard),
            (
                "Firefox", try player("firefox.instance_1_15", processes: [200, 10]), [stream([200, 10], "firefox")],
                .heard
            ),
            (
                "Chromium's audio process", try player("chromium.instance210", processes: [210, 10]),
                [stream([218, 211, 210, 10], "chromium", "chromium")], .heard
            ),
            (
                "a script that mpv started", try player("mpv", processes: [310, 300, 10]),
                [stream([300, 10], "mpv")], .heard
            ),
            (
                "plasma-browser-integration, for the browser",
                try player("plasma-browser-integration", processes: [200, 260, 200, 10]),
                [stream([200, 10], "firefox")], .heard
            ),
            ("another mpv", try player("mpv.instance9", processes: [301, 10]), [stream([300, 10], "mpv")], .silent),
            ("a game sounds", try player("wallpaper", processes: [400, 10]), [other], .silent),
            (
                "corked", try player("vlc", processes: [500, 10]), [stream([500, 10], "vlc", isSounding: false)],
                .muted
            ),
            ("muted", try player("vlc", processes: [500, 10]), [muted([500, 10]), other], .muted),
            ("another one is muted", try player("vlc", processes: [501, 10]), [muted([500, 10])], .silent),
            ("no stream at all", try player("Spotify", processes: [600, 10]), [], .silent),
            (
                "a Flatpak on PipeWire", try player("spotify", processes: [71, 70], application: "com.spotify.Client"),
                [other, stream(application: "com.spotify.client", "spotify", "spotify")], .heard
            ),
            (
                "another Flatpak", try player("spotify", processes: [71, 70], application: "com.spotify.Client"),
                [stream(application: "org.videolan.vlc", "vlc", "vlc")], .silent
            ),
            (
                "a Flatpak on PulseAudio",
                try player("spotify", processes: [71, 70], application: "com.spotify.Client"),
                [stream([], "spotify", "spotify")], .heard
            ),
            (
                "an unknown stream", try player("spotify", processes: [71, 70], application: "com.spotify.Client"),
                [stream([], "webrtc")], .unknown
            ),
            ("an unknown process", try player("foo"), [other], .unknown),
            (
                "an unknown process of that name", try player("vlc"),
                [stream([], "VLC media player (LibVLC)".lowercased(), "vlc")], .heard
            ),
            ("mpDris2", try player("mpd", processes: [800, 10]), [other, stream([801, 1], "mpd", "mpd")], .heard),
            ("mpDris2 of another computer", try player("mpd", processes: [800, 10]), [other], .unknown),
            (
                "Cantata", try player("cantata", processes: [810, 10]), [stream([801], "music player daemon", "mpd")],
                .heard
            ),
        ]
        for (name, player, streams, sound) in cases {
            #expect(player.sound(among: streams) == sound, "\(name)")
            #expect(player.sound(among: nil) == .unknown, "\(name) without a server")
        }
    }

    @Test("A filter's own stream is not a player's")
    func filters() throws {
        var filter = stream([300, 10], "mpv")
        filter.groups = ["filter-chain-1-1"]
        #expect(try player("mpv", processes: [300, 10]).sound(among: [filter]) == .silent)
    }

    @Test("The players that BlueZ's mpris-proxy shows are those of a phone")
    func bridge() async throws {
        try await withTemporaryDirectory { directory in
            let program = directory.file("mpris-proxy")
            try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: program)
            try await withDaemon(program, ["600"]) { daemon in
                #expect(PlayerTraits.isBridge(UInt32(daemon.processIdentifier)))
            }
            try await withDaemon("/bin/sleep", ["600"]) { daemon in
                #expect(!PlayerTraits.isBridge(UInt32(daemon.processIdentifier)))
            }
        }
    }

    @Test("Players of other devices are known by their names")
    func remote() throws {
        let remote: [(String, String?)] = [
            ("kdeconnect.mpris_000001", nil),
            ("kdeconnect.mpris_b617976e700849fdaa4e85ab41d76fc8", "org.kde.kdeconnect.app"),
            ("GSConnect.Pixel8Spotify", nil), ("ZorinConnect.Pixel", nil), ("Valent", nil),
            ("Valent_6ba7b8109dad11d180b400c04fd430c8", nil), ("Valent.Player1", nil), ("chromecast-Kitchen", nil),
            ("chromecast_mpris", nil), ("Living_Room_TV", "cast_control"), ("Cast_Control", nil), ("castcli", nil),
            ("sonos", nil),
            ("x", "org.kde.kdeconnect"),
        ]
        for (name, entry) in remote {
            let bus = try BusName("org.mpris.MediaPlayer2." + name)
            #expect(PlayerTraits.isRemote([bus], desktopEntry: entry), "\(name)")
        }
        let local: [(String, String?)] = [
            ("plasma-browser-integration", "firefox"), ("valentina", nil), ("kdeconnector", nil), ("mpv", nil),
            ("chromium.instance1", "chromium"), ("ShairportSync", nil), ("spotifyd.instance4", nil),
            ("castawesome", nil),
            ("mpd", nil), ("snapcast", nil), ("kodi", "kodi"), ("elisa", "org.kde.elisa"),
        ]
        for (name, entry) in local {
            let bus = try BusName("org.mpris.MediaPlayer2." + name)
            #expect(!PlayerTraits.isRemote([bus], desktopEntry: entry), "\(name)")
        }
    }
}
