import TestSupport
import Testing

@Suite("Test audio servers", .timeLimit(.minutes(15)))
struct AudioServerTests {
    private func comeAndGo(_ audio: AudioServer) async throws {
        try await audio.addSink(
            "phones", ["device.form_factor": "headphone", "device.description": "WH 1000 (mine)"])
        let sinks = try await audio.control("list", "sinks")
        #expect(sinks.contains("device.form_factor = \"headphone\""), "\(sinks)")
        #expect(sinks.contains("Description: WH 1000 (mine)"), "\(sinks)")
        try await audio.addSink("other")
        try await audio.setDefaultSink("phones")
        try await audio.removeSink("other")
        try await audio.removeSink("phones")
        try await audio.waitForDefaultSink("auto_null")
        await #expect(throws: BenchError.self) { try await audio.removeSink("phones") }
    }

    @Test("PipeWire sinks come and go, and each becomes the default")
    func pipeWire() async throws {
        try await withPipeWire { try await comeAndGo($0) }
    }

    @Test("PulseAudio sinks come and go, and each becomes the default")
    func pulseAudio() async throws {
        try await withTemporaryDirectory { directory in
            try await withPulseAudio(in: directory.path) { try await comeAndGo($0) }
        }
    }

    @Test("A killed server can be restarted in the same folder")
    func restart() async throws {
        try await withTemporaryDirectory { directory in
            try await withPipeWire(in: directory.path) { audio in
                audio.daemon.signal(9)
                try await audio.daemon.waitForExit()
            }
            try await withPipeWire(in: directory.path) { try await comeAndGo($0) }
        }
    }
}
