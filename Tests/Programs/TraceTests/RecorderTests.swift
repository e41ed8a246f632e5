import Trace
import FoundationEssentials
import Glibc
import EventLoops
import HunchDBus
import TestSupport
import Testing

@Suite("Recording traces", .timeLimit(.minutes(15)))
struct RecorderTests {
    private let headset = MockBluetoothDevice.headset()
    private let sink = "bluez_output.00_11_22_33_44_55.1"
    private let properties = [
        "api.bluez5.address": "00:11:22:33:44:55", "device.form_factor": "headset", "device.bus": "bluetooth",
    ]

    /// A player on the session bus, of which only its properties matter.
    private func exportPlayer(on bus: Connection) async throws -> ObjectServer {
        let server = await ObjectServer(on: bus)
        try await server.export(
            "/org/mpris/MediaPlayer2",
            [
                ExportedInterface("org.mpris.MediaPlayer2", [.property("Identity") { "Fake" }]),
                ExportedInterface(
                    "org.mpris.MediaPlayer2.Player",
                    [
                        .property("PlaybackStatus") { "Paused" },
                        .property("Metadata") { () -> VariantMap in ["xesam:title": .string("Song “x”")] },
                    ]),
            ])
        _ = try await bus.requestName("org.mpris.MediaPlayer2.fake")
        return server
    }

    @Test("A recording of real servers replays as the agent saw it")
    func recorded() async throws {
        try await withPrivateBus(.system) { system in
            try await withPrivateBus { session in
                try await withMockBlueZ(on: system) { bluez in
                    try await bluez.add(headset)
                    try await withPipeWire { audio in
                        try await record(system, session, bluez, audio)
                    }
                }
            }
        }
    }

    private func record(
        _ system: PrivateBus, _ session: PrivateBus, _ bluez: MockBlueZ, _ audio: AudioServer
    ) async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let lines = Watched<[String]>([])
        let recorder = TraceRecorder(
            loop: loop,
            environment: [
                "DBUS_SESSION_BUS_ADDRESS": session.address, "DBUS_SYSTEM_BUS_ADDRESS": system.address,
                "PULSE_SERVER": audio.address,
            ])
        func recorded(_ part: String...) async throws {
            _ = try await withDeadline(.seconds(60), "a line with \(part) in \(lines.state)") {
                try await lines.wait { all in all.first { line in part.allSatisfy(line.contains) } }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await recorder.run(locates: false) { line in lines.update { $0.append(line) } }
                } catch is CancellationError {}
            }
            defer { group.cancelAll() }
            try await recorded("\"objects\"", "00:11:22:33:44:55")
            try await recorded("\"audio\"", "\"state\"", "\"streams\":[]")
            try await bluez.connect(headset.address)
            try await recorded("\"changed\"", "\"Connected\":true")
            try await audio.addSink(sink, properties)
            try await recorded("\"default\":\"\(sink)\"")
            let bus = try await Connection.open(BusAddress(session.address), on: loop)
            let server = try await exportPlayer(on: bus)
            try await recorded("org.mpris.MediaPlayer2.fake", "Song “x”", "\"Paused\"", "\"processes\":[\(getpid())")
            await bus.close()
            try await recorded("org.mpris.MediaPlayer2.fake", "\"gone\"")
            withExtendedLifetime(server) {}
        }
        // Recorded within a moment, in which no server has had time to warm up.
        var trace = Trace()
        try trace.add(#"{"trace":1,"warmUp":0}"#)
        #expect(lines.state.first?.contains("\"trace\":1") == true)
        for line in lines.state.dropFirst() { try trace.add(line) }
        #expect(trace.unknownSources.isEmpty)
        let report = try await TraceReplay.run(trace)
        #expect(report.ready == 1)
        #expect(report.outcomes.contains { $0.event == "ready" && $0.text.contains("headset, bluetooth") })
    }

    @Test("Without a session bus there is one clear error")
    func noBus() async throws {
        let loop = try EventLoop()
        try loop.start()
        defer { loop.stop() }
        let recorder = TraceRecorder(loop: loop, environment: [:])
        await #expect(throws: DBusError.self) { try await recorder.run(locates: false) { _ in } }
    }
}
