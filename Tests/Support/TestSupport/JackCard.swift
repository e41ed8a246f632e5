import Glibc

/// A sound card with a socket for headphones on a PipeWire without hardware; see ``withJackCard(on:_:)``.
public struct JackCard: Sendable {
    /// The name of its sink, which is the default as long as there is no other.
    public static let sink = "alsa_output.jack_card.analog-stereo"
    /// The name of the port that becomes active when headphones are plugged in.
    public static let port = "analog-output-headphones"

    /// The identifier of the device in the socket.
    public static let socket = "alsa_output.jack_card#\(port)"

    let daemon: Daemon
    let audio: AudioServer
    let number: Substring

    /// Plugs headphones in, or pulls them out if they are plugged in.
    public func plugOrPull() { daemon.signal(SIGUSR1) }

    /// Gives the card its sink. The card has the routes; the sink that they belong to is PipeWire's.
    public func addSink() async throws {
        // WirePlumber gives each sink of a real card a priority. Without one, a connection to PipeWire's PulseAudio server (0.3.65)
        // that misses the change of the default says “@DEFAULT_SINK@” for good.
        let properties = [
            "priority.session=1000",
            "factory.name=support.null-audio-sink", "node.name=\(Self.sink)", "media.class=Audio/Sink",
            "node.description=Card", "audio.position=[FL FR]", "device.id=\(number)", "card.profile.device=0",
            "object.linger=true",
        ]
        _ = try await run(
            "pw-cli", ["create-node", "adapter", "{ \(properties.joined(separator: " ")) }"],
            environment: audio.environment
        ).output()
        try await audio.waitForDefaultSink(Self.sink)
    }

    /// Removes the sink, as a card does when its profile changes.
    public func removeSink() async throws {
        _ = try await run("pw-cli", ["destroy", Self.sink], environment: audio.environment).output()
    }
}

/// Puts a sound card with an empty socket into a running PipeWire while `body` runs.
///
/// - Throws: what `body` throws, or `BenchError` if the card cannot be built (libpipewire-0.3-dev missing, say).
public nonisolated(nonsending) func withJackCard<Value>(
    on audio: AudioServer, _ body: nonisolated(nonsending) (JackCard) async throws -> Value
) async throws -> Value {
    try await withTemporaryDirectory { directory in
        let program = directory.file("jack-card")
        let flags = try await run("pkg-config", ["--cflags", "--libs", "libpipewire-0.3"]).output()
        let source = "\(Surroundings.packageRoot)/Tests/Support/JackCard/jack_card.c"
        _ = try await run(
            "clang", [source, "-o", program] + flags.split(whereSeparator: \.isWhitespace).map(String.init)
        ).output()
        let command = Command(program, environment: audio.environment, ready: .line(containing: "device "))
        return try await withDaemon(command) { daemon in
            let line = try await daemon.waitForLine(containing: "device ")
            let card = JackCard(daemon: daemon, audio: audio, number: line.dropFirst("device ".count))
            try await card.addSink()
            return try await body(card)
        }
    }
}
