import FoundationEssentials
import HunchDBus
import HunchModel
import TestSupport
import Testing
import Triggers

/// Filters and streams of real servers.
@Suite("Filters of real audio servers", .timeLimit(.minutes(15)))
struct FilterServerTests {
    private let properties = ["api.bluez5.address": "00:11:22:33:44:55", "device.bus": "bluetooth"]
    private let headset = "bluez_output.00_11_22_33_44_55.1"

    /// Adds speakers and a headset, and watches.
    private func withOutputs(
        _ audio: AudioServer, _ body: (MonitorProbe) async throws -> Void
    ) async throws {
        try await audio.addSink(headset, properties)
        try await audio.addSink("speakers", ["device.description": "Speakers"])
        try await withMonitor(bus: { nil }, runtimeDirectory: audio.runtimeDirectory, body)
    }

    private func expect(_ isDefault: Bool, _ probe: MonitorProbe, _ what: String) async throws {
        try await probe.status("the headset \(isDefault ? "behind" : "not behind") \(what)") {
            $0.devices.first { $0.device.id == "00:11:22:33:44:55" }?.isDefault == isDefault
        }
    }

    /// A filter of either server plays into the headset, is moved away, and is moved back. Another one stands before it.
    private func remap(_ audio: AudioServer) async throws {
        try await withOutputs(audio) { probe in
            try await audio.control("load-module", "module-remap-sink", "sink_name=remap", "master=\(headset)")
            try await audio.setDefaultSink("remap")
            try await expect(true, probe, "a filter")
            let input = try #require(try await inputs(audio, ofPrograms: false).first)
            try await move(input, to: "speakers", audio) {
                try await expect(false, probe, "a filter that was moved away")
            }
            try await move(input, to: headset, audio) {
                try await expect(true, probe, "a filter that was moved back")
            }
            try await audio.control("load-module", "module-remap-sink", "sink_name=second", "master=remap")
            try await audio.setDefaultSink("second")
            try await expect(true, probe, "two filters")
            try await audio.setDefaultSink("speakers")
            try await expect(false, probe, "the speakers")
        }
    }

    /// The numbers of the streams of programs, or else of filters.
    private func inputs(_ audio: AudioServer, ofPrograms: Bool) async throws -> [String] {
        try await audio.control("list", "short", "sink-inputs").split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t")
            return fields.count > 2 && (fields[2] != "-") == ofPrograms ? String(fields[0]) : nil
        }
    }

    /// Moves a filter's stream, and lets a program play. PipeWire 0.3.65 does not report the move, only what comes next.
    private func move(
        _ input: String, to sink: String, _ audio: AudioServer, _ body: () async throws -> Void
    ) async throws {
        let line = try await audio.control("list", "short", "sinks").split(separator: "\n").first {
            $0.split(separator: "\t").dropFirst().first.map(String.init) == sink
        }
        let number = try #require(line?.split(separator: "\t").first)
        try await eventually("the moved stream", because: "PipeWire has no signal for it") {
            // PipeWire forgets a move that comes while WirePlumber still links the stream.
            try await audio.control("move-sink-input", input, sink)
            return try await audio.control("list", "short", "sink-inputs").split(separator: "\n").contains {
                $0.hasPrefix("\(input)\t\(number)\t")
            } ? () : nil
        }
        try await withDaemon(silence(audio)) { _ in try await body() }
    }

    /// A real client that plays silence.
    private func silence(_ audio: AudioServer) -> Command {
        Command(
            "pacat", ["--raw", "--playback", "/dev/zero"],
            environment: audio.environment.merging(["PULSE_SERVER": audio.address]) { $1 })
    }

    @Test("PipeWire's module-remap-sink leads to the headset behind it")
    func pipeWire() async throws { try await withPipeWire { try await remap($0) } }

    @Test("PulseAudio's module-remap-sink leads to the headset behind it")
    func pulseAudio() async throws {
        try await withTemporaryDirectory { directory in
            try await withPulseAudio(in: directory.path) { try await remap($0) }
        }
    }

    @Test("Combined outputs of PulseAudio and a loopback reach the headset")
    func combined() async throws {
        try await withTemporaryDirectory { directory in
            try await withPulseAudio(in: directory.path) { audio in
                try await withOutputs(audio) { probe in
                    try await audio.control(
                        "load-module", "module-combine-sink", "sink_name=all", "slaves=\(headset),speakers")
                    try await audio.setDefaultSink("all")
                    try await expect(true, probe, "combined outputs")
                    try await audio.addSink("stage")
                    try await expect(false, probe, "a null sink")
                    try await audio.control(
                        "load-module", "module-loopback", "source=stage.monitor", "sink=\(headset)")
                    try await expect(true, probe, "a loopback")
                }
            }
        }
    }

    @Test("A loopback of PipeWire leads from a null sink to the headset")
    func loopback() async throws {
        try await withPipeWire { audio in
            try await withOutputs(audio) { probe in
                try await audio.addSink("stage")
                try await audio.setDefaultSink("stage")
                try await audio.control("load-module", "module-loopback", "source=stage.monitor", "sink=\(headset)")
                // PipeWire links the loopback after it appeared, and 0.3.65 reports only what comes next.
                try await withDaemon(silence(audio)) { _ in try await expect(true, probe, "a loopback") }
            }
        }
    }

    @Test("PipeWire's filter-chain leads to the headset behind it")
    func filterChain() async throws {
        try await withPipeWire { audio in
            let file = "\(audio.runtimeDirectory)/filter.conf"
            try Self.filterChain(into: headset).write(toFile: file, atomically: true, encoding: .utf8)
            try await withOutputs(audio) { probe in
                try await withDaemon(Command("pipewire", ["-c", file], environment: audio.environment)) { _ in
                    try await eventually("the filter's sink", because: "pactl has no signal for it") {
                        try await audio.control("list", "short", "sinks").contains("effect_input.eq") ? () : nil
                    }
                    try await audio.setDefaultSink("effect_input.eq")
                    // PipeWire links the filter after it appeared, and 0.3.65 reports only what comes next.
                    try await withDaemon(silence(audio)) { _ in try await expect(true, probe, "an equalizer") }
                    let input = try #require(try await inputs(audio, ofPrograms: false).first)
                    try await move(input, to: "speakers", audio) {
                        try await expect(false, probe, "an equalizer that was moved away")
                    }
                }
            }
        }
    }

    private static func filterChain(into sink: String) -> String {
        """
        context.spa-libs = { audio.convert.* = audioconvert/libspa-audioconvert support.* = support/libspa-support }
        context.modules = [
          { name = libpipewire-module-protocol-native } { name = libpipewire-module-client-node }
          { name = libpipewire-module-adapter }
          { name = libpipewire-module-filter-chain
            args = {
              node.description = "Equalizer"
              media.name = "Equalizer"
              filter.graph = { nodes = [ { type = builtin name = eq label = copy } ] }
              capture.props = { node.name = "effect_input.eq" media.class = Audio/Sink audio.channels = 2 }
              playback.props = { node.name = "effect_output.eq" target.object = "\(sink)" audio.channels = 2 }
            } }
        ]
        """
    }

    /// Plays silence with a real client, corks it, and ends it.
    private func follow(_ audio: AudioServer) async throws {
        try await withMonitor(bus: { nil }, runtimeDirectory: audio.runtimeDirectory) { probe in
            try await probe.streams("no stream") { $0.isEmpty }
            try await withDaemon(silence(audio)) { daemon in
                let process = try #require(UInt32(exactly: daemon.processIdentifier))
                try await probe.streams("a stream that sounds") {
                    $0.contains { $0.isSounding && $0.processes.first == process && $0.names.contains("pacat") }
                }
                let input = try #require(try await inputs(audio, ofPrograms: true).first)
                try await audio.control("set-sink-input-mute", input, "1")
                try await probe.streams("a muted stream") {
                    $0.contains { !$0.isSounding && $0.processes.first == process }
                }
                try await audio.control("set-sink-input-mute", input, "0")
                try await audio.control("set-sink-input-volume", input, "0")
                try await probe.streams("a stream without volume") {
                    $0.contains { !$0.isSounding && $0.processes.first == process }
                }
            }
            try await probe.streams("no stream any more") { $0.isEmpty }
        }
    }

    @Test("A client of PipeWire is followed with its process")
    func streamsOfPipeWire() async throws { try await withPipeWire { try await follow($0) } }

    @Test("A client of PulseAudio is followed with its process")
    func streamsOfPulseAudio() async throws {
        try await withTemporaryDirectory { directory in
            try await withPulseAudio(in: directory.path) { try await follow($0) }
        }
    }
}

extension MonitorProbe {
    /// Waits until a condition holds for the streams.
    fileprivate func streams(_ what: String, _ isWanted: ([AudioStream]) -> Bool) async throws {
        _ = try await eventually(what, because: "streams are asked for, not announced") {
            await monitor.streams.flatMap { isWanted($0) ? $0 : nil }
        }
    }
}
