import Foundation
import Glibc
import HunchDBus
import TestSupport

/// A desktop without hardware: both buses, BlueZ, an audio server, a display with a notification server, and the agent.
struct DesktopWorld: Sendable {
    let home: TemporaryHome
    let session: PrivateBus
    let system: PrivateBus
    let bluez: MockBlueZ
    let audio: AudioServer
    let display: Display
    let dunst: Dunst
    let agent: Daemon
    /// The environment of apps and commands.
    let environment: [String: String]

    /// Runs the built `hunch` and returns what it wrote.
    @discardableResult
    func hunch(_ arguments: String...) async throws -> String {
        try await run(builtProduct("hunch"), arguments, environment: environment).output()
    }

    /// Runs `playerctl` for one player and returns what it wrote, without the line end.
    func playerctl(_ player: String, _ arguments: String...) async throws -> String {
        let all = ["--player", player] + arguments
        return try await run("playerctl", all, environment: environment).output().filter { !$0.isNewline }
    }

    /// The names of the players that playerctl sees.
    func players() async throws -> [String] {
        let names = try await run("playerctl", ["-l"], environment: environment)
        return names.standardOutput.split(separator: "\n").map(String.init)
    }

    /// Waits until playerctl finds a player in a state.
    func waitForPlayer(_ player: String, toBe status: String) async throws {
        try await eventually("\(player) being \(status)", because: "playerctl tells what is, not what changes") {
            let answer = try await run(
                "playerctl", ["--player", player, "status"], environment: environment)
            return answer.standardOutput.contains(status) ? () : nil
        }
    }

    /// Waits until a player reports a position in an item, in seconds from its start.
    ///
    /// mpv reports a position once its output is open, and quits if the sinks change before that.
    func waitForPlayer(_ player: String, toStandBetween lower: Double, and upper: Double) async throws {
        let place = "\(player) standing between \(lower) and \(upper) s"
        try await eventually(place, because: "playerctl tells what is, not what changes") {
            let answer = try await run("playerctl", ["--player", player, "position"], environment: environment)
            let position = Double(answer.standardOutput.filter { !$0.isNewline })
            return position.map { (lower...upper).contains($0) } == true ? () : nil
        }
    }

    /// Connects a headset and gives it a sink, which becomes the default.
    func putOn(_ headset: MockBluetoothDevice) async throws {
        try await bluez.connect(headset.address)
        let sink = "bluez_output.\(headset.underscored).1"
        try await audio.addSink(
            sink,
            [
                "device.bus": "bluetooth", "api.bluez5.address": headset.address, "device.form_factor": "headset",
                "device.description": headset.name,
            ])
        try await audio.waitForDefaultSink(sink)
    }

    /// Removes the sink and the connection.
    func takeOff(_ headset: MockBluetoothDevice) async throws {
        try await audio.removeSink("bluez_output.\(headset.underscored).1")
        try await bluez.disconnect(headset.address)
    }

    /// Waits longer than a flapping link: a device that reconnects within five seconds counts as connected.
    func stayAway() async throws { _ = try await run("sleep", ["6"]) }

    /// Plays “Episode 41” on a headset, pauses it, and disconnects the headset.
    func playAndPause(_ player: String, on headset: MockBluetoothDevice) async throws {
        try await putOn(headset)
        try await waitForHeadset(headset, ready: true)
        _ = try await playerctl(player, "play")
        try await waitForPlayer(player, toBe: "Playing")
        try await eventually("the play being remembered", because: "the store has no signals") {
            let answer = try await run(
                builtProduct("hunch"), ["simulate", "--device", headset.address, "--json"], environment: environment)
            return answer.standardOutput.contains("Episode 41") ? () : nil
        }
        _ = try await playerctl(player, "pause")
        try await waitForPlayer(player, toBe: "Paused")
        try await takeOff(headset)
        try await waitForHeadset(headset, ready: false)
    }

    /// The command that starts mpv with its MPRIS interface.
    func mpv(_ arguments: [String]) -> Command {
        Command(
            "mpv",
            // While sinks come and go, its output may fail to open for a moment, and it would quit.
            [
                "--no-video", "--ao=pulse", "--audio-fallback-to-null=yes", "--no-config",
                "--script=/usr/lib/mpv-mpris/mpris.so",
            ] + arguments,
            environment: environment, ready: .busName("org.mpris.MediaPlayer2.mpv", on: session))
    }

    /// Writes “Episode 41” and returns its path.
    func episode() throws -> String {
        let wave = WaveFile(seconds: 300, title: "Episode 41", artist: "The Show")
        return try home.directory.write(wave.bytes, to: "episode41.wav")
    }

    /// Plays the episode, at second 42 of it, on a headset in a running mpv, and pauses it there.
    func playAndPauseEpisode(on headset: MockBluetoothDevice) async throws {
        try await waitForPlayer("mpv", toStandBetween: 41, and: 43)
        try await playAndPause("mpv", on: headset)
    }

    /// Enables Hunch, plays and pauses the episode on a headset, and disconnects the headset. Runs `body` while mpv runs.
    nonisolated(nonsending) func withPausedEpisode(
        on headset: MockBluetoothDevice, _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        try await bluez.add(headset)
        try await hunch("enable")
        try await withDaemon(mpv(["--pause", "--start=42", episode()])) { _ in
            try await playAndPauseEpisode(on: headset)
            try await stayAway()
            try await body()
        }
    }

    /// Waits until the agent reports the headset as ready, or as disconnected.
    func waitForHeadset(_ headset: MockBluetoothDevice, ready: Bool) async throws {
        let wanted = "\"ready\":\(ready)"
        try await eventually("the headset being ready: \(ready)", because: "devices have no signal of their own") {
            let lines = try await run(builtProduct("hunch"), ["devices", "--json"], environment: environment)
            let line = lines.standardOutput.split(separator: "\n").first { $0.contains(headset.address) }
            return line?.contains(wanted) == true ? () : nil
        }
    }

    /// The first suggestion, as `hunch suggestions --json` prints it.
    func waitForSuggestion() async throws -> String {
        try await eventually("a suggestion", because: "one line at a time is simpler than following a stream") {
            let answer = try await run(builtProduct("hunch"), ["suggestions", "--json"], environment: environment)
            guard answer.status == .exited(0) else { return nil }
            return answer.standardOutput.split(separator: "\n").first.map(String.init)
        }
    }

    /// Starts everything, runs the body, and ends everything.
    ///
    /// - Parameter seesInstalledApps: whether the agent and the apps see the apps that are installed on this machine.
    nonisolated(nonsending) static func with<Value>(
        seesInstalledApps: Bool = false, _ body: nonisolated(nonsending) (DesktopWorld) async throws -> Value
    ) async throws -> Value {
        try await withTemporaryHome { home in
            let services = "\(home.systemData)/dbus-1/services"
            try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
            // Services of the desktop need its settings schemas.
            let serviceEnvironment = home.environment.merging(["XDG_DATA_DIRS": "\(home.systemData):/usr/share"]) { $1 }
            return try await withPrivateBus(
                .session, serviceDirectories: [services], environment: serviceEnvironment
            ) { session in
                try await withPrivateBus(.system) { system in
                    try await withMockBlueZ(on: system) { bluez in
                        try await withPipeWire(in: home.runtime) { audio in
                            try await withDisplay { display in
                                try await withDunst(on: session, display: display) { dunst in
                                    var environment = home.environment.merging(session.environment) { $1 }
                                        .merging(system.environment) { $1 }.merging(display.environment) { $1 }
                                    if seesInstalledApps {
                                        environment["XDG_DATA_DIRS"] = "\(home.systemData):/usr/local/share:/usr/share"
                                    }
                                    let agent = try Command(
                                        builtProduct("hunchd"), environment: environment,
                                        ready: .busName("org.hunch.Agent1", on: session))
                                    return try await withDaemon(agent) { agent in
                                        try await body(
                                            DesktopWorld(
                                                home: home, session: session, system: system, bluez: bluez,
                                                audio: audio, display: display, dunst: dunst, agent: agent,
                                                environment: environment))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
