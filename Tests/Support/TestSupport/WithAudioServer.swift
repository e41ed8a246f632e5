import FoundationEssentials

/// Runs PipeWire, WirePlumber and PipeWire's PulseAudio server while `body` runs, with no sound card.
///
/// At first there is only the dummy sink `auto_null`. A second call with the same folder after the first has
/// returned is a restart of the server.
///
/// - Parameter runtimeDirectory: the folder used as `$XDG_RUNTIME_DIR`. It must exist, and its path has at most 80 bytes.
/// - Throws: what `body` throws, or `BenchError` when one of them does not start.
public nonisolated(nonsending) func withPipeWire<Value>(
    in runtimeDirectory: String, _ body: nonisolated(nonsending) (AudioServer) async throws -> Value
) async throws -> Value {
    // WirePlumber ends when it finds no session bus.
    try await withPrivateBus { bus in
        try makePulseDirectory(in: runtimeDirectory)
        let environment = ["XDG_RUNTIME_DIR": runtimeDirectory, "HOME": runtimeDirectory]
            .merging(bus.environment) { $1 }
        let commands = [
            Command("pipewire", environment: environment, ready: .socket("\(runtimeDirectory)/pipewire-0")),
            Command("wireplumber", environment: environment),
            Command(
                "pipewire-pulse", environment: environment, ready: .socket("\(runtimeDirectory)/pulse/native")),
        ]
        return try await withDaemons(commands) { daemons in
            let audio = AudioServer(runtimeDirectory: runtimeDirectory, daemon: daemons[2])
            // Once the session manager works, there is a default sink.
            try await audio.waitForDefaultSink("auto_null")
            return try await body(audio)
        }
    }
}

/// Like the other `withPipeWire`, but in a temporary folder.
public nonisolated(nonsending) func withPipeWire<Value>(
    _ body: nonisolated(nonsending) (AudioServer) async throws -> Value
) async throws -> Value {
    try await withTemporaryDirectory { try await withPipeWire(in: $0.path, body) }
}

/// Runs PulseAudio while `body` runs, with no sound card; a new sink becomes the default.
///
/// - Parameter runtimeDirectory: the folder used as `$XDG_RUNTIME_DIR`. It must exist, and its path has at most 80 bytes.
/// - Throws: what `body` throws, or `BenchError` if it does not start.
public nonisolated(nonsending) func withPulseAudio<Value>(
    in runtimeDirectory: String, _ body: nonisolated(nonsending) (AudioServer) async throws -> Value
) async throws -> Value {
    try makePulseDirectory(in: runtimeDirectory)
    let modules = [
        "module-native-protocol-unix", "module-always-sink", "module-switch-on-connect ignore_virtual=no",
    ]
    let command = Command(
        "pulseaudio",
        ["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes"]
            + modules.flatMap { ["-L", $0] },
        environment: ["XDG_RUNTIME_DIR": runtimeDirectory, "HOME": runtimeDirectory],
        ready: .socket("\(runtimeDirectory)/pulse/native"))
    return try await withDaemon(command) { daemon in
        let audio = AudioServer(runtimeDirectory: runtimeDirectory, daemon: daemon)
        try await audio.waitForDefaultSink("auto_null")
        return try await body(audio)
    }
}

/// A killed server leaves its socket, so that the next one would seem ready too early.
private func makePulseDirectory(in runtimeDirectory: String) throws {
    try FileManager.default.createDirectory(
        atPath: "\(runtimeDirectory)/pulse", withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    for socket in ["pulse/native", "pipewire-0"] {
        try? FileManager.default.removeItem(atPath: "\(runtimeDirectory)/\(socket)")
    }
}
