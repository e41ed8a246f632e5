import Foundation
import TestSupport
import Testing

/// The first main job with other real players than mpv, each with quirks of its own.
@Suite("Any player, end to end", .serialized, .timeLimit(.minutes(15)))
struct AnyPlayerTests {
    /// A real player.
    enum RealPlayer: String, CaseIterable, CustomTestStringConvertible {
        /// Its engine and its MPRIS interface, which report no name of an item without tags, and for a while after `OpenUri` not
        /// even a length. Its window program refuses to run as root, as tests may; this is that program without the check.
        case vlc
        /// It has no `OpenUri`, and cannot be moved while it is paused.
        case audacious

        var testDescription: String { rawValue }

        /// The command that starts it.
        func command(_ world: DesktopWorld) throws -> (program: String, arguments: [String]) {
            switch self {
            case .audacious: return ("audacious", ["-H", "-p"])
            case .vlc:
                let script = try world.home.directory.write(Array(Self.vlcScript.utf8), to: "vlc.py")
                return ("/usr/bin/python3", [script])
            }
        }

        private static let vlcScript = """
            import ctypes, os, threading
            vlc = ctypes.CDLL("libvlc.so.5")
            vlc.libvlc_new.restype = ctypes.c_void_p
            options = [b"--no-video", b"--aout=dummy"]
            instance = ctypes.c_void_p(vlc.libvlc_new(len(options), (ctypes.c_char_p * len(options))(*options)))
            ended = threading.Event()
            handler = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: ended.set())
            vlc.libvlc_set_exit_handler(instance, handler, None)
            if vlc.libvlc_add_intf(instance, b"dbus") != 0:
                raise SystemExit("there is no MPRIS interface")
            parent = os.getppid()
            while not ended.wait(0.5) and os.getppid() == parent:
                pass
            vlc.libvlc_release(instance)
            """
    }

    private let headset = MockBluetoothDevice.headset()

    private func install(_ player: RealPlayer, _ world: DesktopWorld) throws {
        let (program, arguments) = try player.command(world)
        try world.home.directory.write(
            """
            [Desktop Entry]
            Type=Application
            Name=\(player.rawValue)
            Exec=\(([program] + arguments).joined(separator: " ")) %U
            MimeType=audio/x-wav;
            """, to: "data/applications/\(player.rawValue).desktop")
    }

    /// Runs a player that is paused at 42 s of the episode.
    private func withPlayer(
        _ player: RealPlayer, _ file: String, _ world: DesktopWorld,
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        let (program, arguments) = try player.command(world)
        let command = Command(
            program, arguments + (player == .audacious ? [file] : []), environment: world.environment,
            ready: .busName("org.mpris.MediaPlayer2.\(player.rawValue)", on: world.session))
        try await withDaemon(command) { _ in
            let name = player.rawValue
            if player == .vlc {
                _ = try await world.playerctl(name, "open", URL(filePath: file).absoluteString)
            }
            try await world.waitForPlayer(name, toStandBetween: 0.05, and: 300)
            try await eventually("it standing at 42 s", because: "a player may not be able to move at once") {
                _ = try await world.playerctl(name, "position", "42")
                let position = Double(try await world.playerctl(name, "position"))
                return position.map { $0 >= 41 } == true ? () : nil
            }
            _ = try await world.playerctl(name, "pause")
            try await world.waitForPlayer(name, toBe: "Paused")
            try await body()
        }
    }

    private func quit(_ player: RealPlayer, _ world: DesktopWorld) async throws {
        _ = try await run(
            "gdbus",
            [
                "call", "--address", world.session.address, "-d", "org.mpris.MediaPlayer2.\(player.rawValue)", "-o",
                "/org/mpris/MediaPlayer2", "-m", "org.mpris.MediaPlayer2.Quit",
            ])
        try await eventually("the player being gone", because: "playerctl tells no names") {
            try await world.players().isEmpty ? () : nil
        }
    }

    @Test(
        "A paused item resumes in a running or a launched player",
        arguments: RealPlayer.allCases)
    func resumes(_ player: RealPlayer) async throws {
        try await DesktopWorld.with { world in
            try await world.bluez.add(headset)
            try await world.hunch("enable")
            let wave = WaveFile(seconds: 300, title: "Episode 41", artist: "The Show")
            let file = try world.home.directory.write(wave.bytes, to: "Episode 41.wav")
            try install(player, world)
            let name = player.rawValue
            try await withPlayer(player, file, world) {
                try await world.playAndPause(name, on: headset)
                try await world.stayAway()
                try await world.putOn(headset)
                #expect(try await world.waitForSuggestion().contains("\"title\":\"Resume “Episode 41"))
                try await world.dunst.waitForDisplayed(1)
                try await world.waitForPlayer(name, toBe: "Paused")
                try await world.dunst.press("Play")
                try await world.waitForPlayer(name, toBe: "Playing")
                try await world.waitForPlayer(name, toStandBetween: 41, and: 120)
                #expect(try await world.hunch("players").contains("it plays"))
                _ = try await world.playerctl(name, "pause")
                try await world.waitForPlayer(name, toBe: "Paused")
                try await world.takeOff(headset)
                try await world.waitForHeadset(headset, ready: false)
            }
            try await world.stayAway()
            try await world.putOn(headset)
            #expect(try await world.waitForSuggestion().contains("\"title\":\"Resume “Episode 41"))
            try await world.dunst.waitForDisplayed(1)
            try await world.dunst.press("Play")
            try await world.waitForPlayer(name, toBe: "Playing")
            try await world.waitForPlayer(name, toStandBetween: 41, and: 150)
            try await quit(player, world)
        }
    }
}
