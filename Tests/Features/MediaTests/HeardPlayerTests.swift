import EventLoops
import HunchDBus
import HunchModel
import TestSupport
import Testing
import Triggers

@testable import Media
@testable import Players

/// Real players and their streams on real audio servers.
@Suite("Heard players", .timeLimit(.minutes(15)))
struct HeardPlayerTests {
    /// Follows the players of a bus and the streams of an audio server.
    private func withPlayers(
        on bus: PrivateBus, _ audio: AudioServer, _ body: (MPRISPlayers) async throws -> Void
    ) async throws {
        try await withConnection(to: bus) { connection in
            let monitor = TriggerMonitor(loop: connection.loop, pulseServer: audio.address, environment: { _ in nil }) {
                throw DBusError(.noServer, "there is no system bus")
            }
            let players = MPRISPlayers(on: connection, streams: { monitor.assumeIsolated { $0.streams } })
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await monitor.run() }
                group.addTask { try await players.run() }
                defer { group.cancelAll() }
                try await body(players)
            }
        }
    }

    /// mpv plays through an output, is muted by the server, and is heard again.
    private func listen(to output: String, _ audio: AudioServer) async throws {
        try await withPrivateBus { bus in
            try await withTemporaryDirectory { directory in
                let file = try directory.write(silence(seconds: 60), to: "song.wav")
                let environment = bus.environment.merging(audio.environment) { $1 }
                    .merging(["PULSE_SERVER": audio.address]) { $1 }
                let arguments = [
                    "--no-config", "--no-video", "--ao=\(output)", "--loop", "--script=/etc/mpv/scripts/mpris.so", file,
                ]
                let mpv = Command("mpv", arguments, environment: environment, ready: .busName(Mpv.name, on: bus))
                try await withPlayers(on: bus, audio) { players in
                    try await withDaemon(mpv) { _ in
                        func wait(_ what: String, _ isWanted: (MPRISPlayer) -> Bool) async throws {
                            _ = try await eventually(what, because: "streams are asked for, not announced") {
                                await players.players().first.flatMap { isWanted($0) ? $0 : nil }
                            }
                        }
                        try await wait("mpv being heard") { $0.isPlaying && $0.sound == .heard }
                        let inputs = try await audio.control("list", "short", "sink-inputs")
                        let input = try #require(inputs.split(separator: "\t").first.map(String.init))
                        try await audio.control("set-sink-input-mute", input, "1")
                        try await wait("a muted mpv") { !$0.isPlaying && $0.sound == .muted && $0.status == .playing }
                        #expect(await players.rankedPlayers().map(\.reason) == [.soundless])
                        try await audio.control("set-sink-input-mute", input, "0")
                        try await wait("mpv being heard again") { $0.isPlaying && $0.sound == .heard }
                    }
                }
            }
        }
    }

    @Test("mpv is heard on PipeWire until it is muted")
    func pipeWire() async throws { try await withPipeWire { try await listen(to: "pipewire", $0) } }

    @Test("mpv is heard through PipeWire's PulseAudio server")
    func pulseOnPipeWire() async throws { try await withPipeWire { try await listen(to: "pulse", $0) } }

    @Test("mpv is heard on PulseAudio until it is muted")
    func pulseAudio() async throws {
        try await withTemporaryDirectory { directory in
            try await withPulseAudio(in: directory.path) { try await listen(to: "pulse", $0) }
        }
    }
}
