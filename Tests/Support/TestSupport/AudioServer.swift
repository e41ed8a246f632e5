/// A running audio server that speaks PulseAudio's protocol; see ``withPipeWire(in:_:)`` and ``withPulseAudio(in:_:)``.
public struct AudioServer: Sendable {
    /// The `$XDG_RUNTIME_DIR` in which it listens.
    public let runtimeDirectory: String
    /// The process that serves PulseAudio's protocol. Killing it simulates a crash of the server.
    public let daemon: Daemon
    /// PipeWire's session manager makes the sink with the highest priority the default; each new one gets a higher.
    private let lastPriority = Watched(1_000)

    init(runtimeDirectory: String, daemon: Daemon) {
        self.runtimeDirectory = runtimeDirectory
        self.daemon = daemon
    }

    /// The address that libpulse understands.
    public var address: String { "unix:\(runtimeDirectory)/pulse/native" }

    /// The environment for playing through this server.
    public var environment: [String: String] {
        ["XDG_RUNTIME_DIR": runtimeDirectory, "HOME": runtimeDirectory]
    }

    /// Adds a sink that discards its sound. It becomes the default, like that of a device that is plugged in.
    ///
    /// - Parameters:
    ///   - name: letters, digits, `.`, `_` and `-`.
    ///   - properties: its property list, such as `device.form_factor` and `device.description`; no quotes in values.
    public func addSink(_ name: String, _ properties: [String: String] = [:]) async throws {
        var properties = properties
        properties["priority.session"] = String(
            lastPriority.update { priority in
                priority += 1
                return priority
            })
        let list = properties.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: " ")
        try await control("load-module", "module-null-sink", "sink_name=\(name)", "sink_properties='\(list)'")
        try await waitForDefaultSink(name)
    }

    /// Removes a sink of ``addSink(_:_:)``.
    public func removeSink(_ name: String) async throws {
        for line in try await control("list", "short", "modules").split(separator: "\n") {
            let fields = line.split(separator: "\t")
            if fields.count > 2, fields[2].split(separator: " ").contains("sink_name=\(name)") {
                try await control("unload-module", String(fields[0]))
                return
            }
        }
        throw BenchError("there is no sink \(name) to remove")
    }

    /// Makes a sink the default, as the desktop's settings do.
    public func setDefaultSink(_ name: String) async throws {
        try await control("set-default-sink", name)
        try await waitForDefaultSink(name)
    }

    /// The name of the default sink.
    public func defaultSink() async throws -> String {
        try await control("get-default-sink").filter { !$0.isNewline }
    }

    /// Waits until `name` is the default sink.
    public func waitForDefaultSink(_ name: String) async throws {
        try await eventually("\(name) being the default sink", because: "the session manager decides it later") {
            try await defaultSink() == name ? () : nil
        }
    }

    /// Runs `pactl` against this server and returns what it wrote.
    @discardableResult
    public func control(_ arguments: String...) async throws -> String {
        try await run("pactl", ["--server", address] + arguments, environment: environment).output()
    }
}
