import FoundationEssentials
import HunchDBus
import TestSupport

/// The real mpv with its MPRIS plugin, without picture and sound card.
struct Mpv {
    static let name = "org.mpris.MediaPlayer2.mpv"

    let bus: PrivateBus
    let daemon: Daemon
    /// Addresses of two files of a minute each, of which it has loaded the first.
    let files: [String]

    /// The title of the playing item from `playerctl`; `nil` while mpv is paused or has nothing to play, which it reports as
    /// playing, too.
    func playing() async throws -> String? {
        guard try await playerctl("status") == "Playing" else { return nil }
        let answer = try await run(
            "playerctl", ["-p", "mpv", "metadata", "xesam:title"], environment: bus.environment)
        return answer.status == .exited(0) ? answer.standardOutput.split(separator: "\n").joined() : nil
    }

    /// Whether every thread of it is stopped by a signal (proc(5): the state after the name in parentheses is `T`).
    func isHalted() throws -> Bool {
        let threads = "/proc/\(daemon.processIdentifier)/task"
        return try FileManager.default.contentsOfDirectory(atPath: threads).allSatisfy { thread in
            let status = try String(contentsOf: URL(filePath: "\(threads)/\(thread)/stat"), encoding: .utf8)
            return status.split(separator: ")").last?.hasPrefix(" T") ?? false
        }
    }

    /// Returns the output of `playerctl`, an independent client.
    func playerctl(_ arguments: String...) async throws -> String {
        try await run("playerctl", ["-p", "mpv"] + arguments, environment: bus.environment).output()
            .split(separator: "\n").joined(separator: "\n")
    }
}

/// Runs mpv, paused at the start of a file, while `body` runs.
///
/// - Parameter loading: whether it has a file from the start.
nonisolated(nonsending) func withMpv<Value>(
    loading: Bool = true, _ body: nonisolated(nonsending) (Mpv) async throws -> Value
) async throws -> Value {
    try await withTemporaryHome { home in
        try await withPrivateBus { bus in
            let files = try ["one two", "three"].map { name in
                "file://"
                    + (try home.directory.write(silence(seconds: 60), to: "music/\(name).wav")).replacing(
                        " ", with: "%20")
            }
            let environment = bus.environment.merging(home.environment) { $1 }
            let arguments =
                ["--no-config", "--no-video", "--ao=null", "--pause", "--idle", "--script=/etc/mpv/scripts/mpris.so"]
                + (loading ? [home.directory.file("music/one two.wav")] : [])
            let command = Command("mpv", arguments, environment: environment, ready: .busName(Mpv.name, on: bus))
            return try await withDaemon(command) { daemon in
                try await body(Mpv(bus: bus, daemon: daemon, files: files))
            }
        }
    }
}

/// A WAV file of silence: 8,000 samples a second, one channel, one byte each.
func silence(seconds: Int) -> [UInt8] {
    func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let size = 8_000 * seconds
    return Array("RIFF".utf8) + little(36 + size, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + little(1, 2)
        + little(1, 2) + little(8_000, 4) + little(8_000, 4) + little(1, 2) + little(8, 2) + Array("data".utf8)
        + little(size, 4) + [UInt8](repeating: 0x80, count: size)
}
