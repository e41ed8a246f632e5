import Foundation
import TestSupport
import Testing

/// The first main job with real parts: python-dbusmock's BlueZ, PipeWire with WirePlumber, mpv with mpv-mpris, dunst
/// under Xvfb, and playerctl as an independent observer.
@Suite("Media, end to end", .serialized, .timeLimit(.minutes(15)))
struct MediaJobTests {
    private let headset = MockBluetoothDevice.headset()

    /// Runs `body` with the suggestion after the headset disconnected, while the episode was paused on it, and connected
    /// again.
    private nonisolated(nonsending) func withOffer(
        _ body: nonisolated(nonsending) (DesktopWorld, _ suggestion: String) async throws -> Void
    ) async throws {
        try await DesktopWorld.with { world in
            try await world.withPausedEpisode(on: headset) {
                try await world.putOn(headset)
                let suggestion = try await world.waitForSuggestion()
                try await world.dunst.waitForDisplayed(1)
                try await body(world, suggestion)
            }
        }
    }

    @Test("Connecting headphones suggests, and only Play plays")
    func onePressPlays() async throws {
        try await withOffer { world, suggestion in
            #expect(suggestion.contains("\"title\":\"Resume “Episode 41”\""))
            #expect(suggestion.contains("The Show · "))
            try await world.waitForPlayer("mpv", toBe: "Paused")
            // Beside a paused player there is no card, since media keys belong to that player.
            #expect(try await world.players() == ["mpv"])

            try await world.dunst.press("Play")
            try await world.waitForPlayer("mpv", toBe: "Playing")
            try await world.waitForPlayer("mpv", toStandBetween: 41, and: 90)
            try await world.dunst.waitForDisplayed(0)
        }
    }

    @Test("Not now plays nothing and is recorded")
    func notNow() async throws {
        try await withOffer { world, _ in
            try await world.dunst.press("Not now")
            try await world.dunst.waitForDisplayed(0)
            try await eventually("the dismissal being recorded", because: "the store has no signals") {
                // Shown and dismissed.
                try await world.hunch("status", "--json").contains("\"engagements\":2") ? () : nil
            }
            try await world.waitForPlayer("mpv", toBe: "Paused")
        }
    }

    /// Plays an episode on the headset, ends the player, and reconnects the headset.
    private func offerWithoutPlayer(_ world: DesktopWorld) async throws {
        try await world.bluez.add(headset)
        try await world.hunch("enable")
        let file = try world.episode()
        let applications = "\(world.home.data)/applications"
        try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
        try """
        [Desktop Entry]
        Type=Application
        Name=mpv
        Exec=mpv --no-video --ao=pulse --no-config --script=/usr/lib/mpv-mpris/mpris.so --player-operation-mode=cplayer %U
        MimeType=audio/x-wav;
        """.write(toFile: "\(applications)/mpv.desktop", atomically: true, encoding: .utf8)
        try await withDaemon(world.mpv(["--pause", "--start=42", file])) { _ in
            try await world.playAndPauseEpisode(on: headset)
        }
        try await world.stayAway()
        try await world.putOn(headset)
        _ = try await world.waitForSuggestion()
        try await world.dunst.waitForDisplayed(1)
        try await eventually("the card", because: "playerctl tells no names") {
            try await world.players() == ["hunch"] ? () : nil
        }
    }

    /// Waits until the launched player plays the suggested item from the resume point, and ends it.
    private func endLaunchedPlayer(_ world: DesktopWorld) async throws {
        try await world.waitForPlayer("mpv", toBe: "Playing")
        try await eventually("the title", because: "mpv plays before it tells what") {
            // Before the player reports anything, playerctl fails: “No player could handle this command”.
            (try? await world.playerctl("mpv", "metadata", "title")) == "Episode 41" ? () : nil
        }
        try await world.waitForPlayer("mpv", toStandBetween: 41, and: 90)
        try await eventually("the card going", because: "playerctl tells no names") {
            try await world.players() == ["mpv"] ? () : nil
        }
        _ = try await run("playerctl", ["-p", "mpv", "stop"], environment: world.environment)
        _ = try await run(
            "gdbus",
            [
                "call", "--address", world.session.address, "-d", "org.mpris.MediaPlayer2.mpv", "-o",
                "/org/mpris/MediaPlayer2", "-m", "org.mpris.MediaPlayer2.Quit",
            ])
    }

    @Test("Play launches the player and resumes at the position")
    func launchesThePlayer() async throws {
        try await DesktopWorld.with { world in
            try await offerWithoutPlayer(world)
            try await world.dunst.press("Play")
            try await endLaunchedPlayer(world)
        }
    }

    @Test("A file that cannot be opened is reported, and Play retries")
    func brokenFile() async throws {
        try await DesktopWorld.with { world in
            try await offerWithoutPlayer(world)
            let file = world.home.directory.file("episode41.wav")
            let content = try #require(FileManager.default.contents(atPath: file))
            try FileManager.default.removeItem(atPath: file)
            try await world.dunst.press("Play")
            try await world.dunst.waitForWords("mpv cannot open episode41.wav: the file no longer exists")
            // The file exists again, but cannot be played.
            try Data(repeating: 0x7B, count: 4_096).write(to: URL(filePath: file))
            try await world.dunst.press("Try again")
            try await world.dunst.waitForWords("mpv quit: episode41.wav cannot be opened")
            #expect(try await world.hunch("status", "--json").contains("\"donations\":0"))
            try content.write(to: URL(filePath: file))
            try await world.dunst.press("Try again")
            try await endLaunchedPlayer(world)
        }
    }

    @Test("The now-playing card starts on a key pressed late enough")
    func cardPlays() async throws {
        try await DesktopWorld.with { world in
            try await offerWithoutPlayer(world)
            // The command that the headset sends when it connects.
            _ = try await world.playerctl("hunch", "play")
            #expect(try await world.players() == ["hunch"])
            #expect(try await world.playerctl("hunch", "status") == "Paused")
            #expect(try await world.playerctl("hunch", "metadata", "title") == "Episode 41")
            #expect(try await world.playerctl("hunch", "metadata", "artist") == "The Show")
            try await eventually("a key counting", because: "that is a matter of time") {
                _ = try? await world.playerctl("hunch", "play-pause")
                return try await world.players().contains("mpv") ? () : nil
            }
            try await endLaunchedPlayer(world)
            try await world.dunst.waitForDisplayed(0)
        }
    }

    @Test("Before hunch enable nothing is watched or recorded")
    func nothingBeforeEnabling() async throws {
        try await DesktopWorld.with { world in
            try await world.bluez.add(headset)
            let file = try world.episode()
            try await withDaemon(world.mpv([file])) { _ in
                try await world.waitForPlayer("mpv", toStandBetween: 0.1, and: 90)
                try await world.putOn(headset)
                try await world.waitForPlayer("mpv", toBe: "Playing")
                try await world.stayAway()
                let status = try await world.hunch("status", "--json")
                #expect(status.contains("\"enabled\":false"))
                #expect(status.contains("\"part\":\"bluez\",\"state\":\"off\""))
                #expect(status.contains("\"donations\":0"))
            }
            let history = "\(world.home.state)/hunch/history.sqlite"
            for suffix in ["", "-wal"] {
                let bytes = FileManager.default.contents(atPath: history + suffix) ?? Data()
                #expect(bytes.range(of: Data("Episode 41".utf8)) == nil)
            }
        }
    }
}
