import Glibc

/// A sound card with a socket for headphones on a PipeWire without hardware; see ``withJackCard(on:_:)``.
public struct JackCard: Sendable {
    /// The name of its sink, which is the default as long as there is no other.
    public static let sink = "jack_card"
    /// The name of the port that becomes active when headphones are plugged in.
    public static let port = "analog-output-headphones"

    let daemon: Daemon

    /// Plugs headphones in when there are none, and pulls them out when there are.
    public func plugOrPull() { daemon.signal(SIGUSR1) }
}

/// Puts a sound card with an empty socket into a running PipeWire while `body` runs.
///
/// - Throws: what `body` throws, or `BenchError` when the card cannot be built (libpipewire-0.3-dev missing, say).
public nonisolated(nonsending) func withJackCard<Value>(
    on audio: AudioServer, _ body: nonisolated(nonsending) (JackCard) async throws -> Value
) async throws -> Value {
    try await withTemporaryDirectory { directory in
        let program = directory.file("jack-card")
        let flags = try await run("pkg-config", ["--cflags", "--libs", "libpipewire-0.3"]).output()
        let source = "\(Surroundings.packageRoot)/Tests/JackCard/jack_card.c"
        _ = try await run(
            "clang", [source, "-o", program] + flags.split(whereSeparator: \.isWhitespace).map(String.init)
        ).output()
        let command = Command(program, environment: audio.environment, ready: .line(containing: "device "))
        return try await withDaemon(command) { daemon in
            let line = try await daemon.waitForLine(containing: "device ")
            // The card brings the routes; the sink that they belong to is PipeWire's own.
            let properties = [
                "factory.name=support.null-audio-sink", "node.name=\(JackCard.sink)", "media.class=Audio/Sink",
                "node.description=Card", "audio.position=[FL FR]", "device.id=\(line.dropFirst("device ".count))",
                "card.profile.device=0", "object.linger=true",
            ]
            _ = try await run(
                "pw-cli", ["create-node", "adapter", "{ \(properties.joined(separator: " ")) }"],
                environment: audio.environment
            ).output()
            try await audio.waitForDefaultSink(JackCard.sink)
            return try await body(JackCard(daemon: daemon))
        }
    }
}
