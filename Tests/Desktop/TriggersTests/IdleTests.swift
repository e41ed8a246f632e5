import TestSupport
import Testing

@Suite("Trigger monitor at rest", .timeLimit(.minutes(15)))
struct IdleTests {
    /// Returns the wake-ups of the idle process in four seconds.
    private func wakeUps(of process: Int32) async throws -> Int {
        let before = try await ContextSwitches.atRest(process)
        try await pass(.seconds(4))
        return try ContextSwitches(of: process).total - before.total
    }

    @Test("The process never wakes up, with or without a headset")
    func noWakeUps() async throws {
        try await withPrivateBus(.system) { bus in
            try await withMockBlueZ(on: bus) { bluez in
                try await withPipeWire { audio in
                    let environment = audio.environment.merging(bus.environment) { $1 }
                    let command = Command(try builtProduct("trigger-probe"), environment: environment)
                    try await withDaemon(command) { probe in
                        // A headset connects and disconnects first. Its timers must be cancelled.
                        try await probe.waitForLine(containing: "watching")
                        try await bluez.connect(.headset())
                        try await audio.addSink("phones", ["api.bluez5.address": "00:11:22:33:44:55"])
                        try await probe.waitForLine(containing: "ready 00:11:22:33:44:55")
                        #expect(try await wakeUps(of: probe.processIdentifier) == 0)
                        try await bluez.disconnect("00:11:22:33:44:55")
                        try await probe.waitForLine(containing: "lost 00:11:22:33:44:55")
                        #expect(try await wakeUps(of: probe.processIdentifier) == 0)
                    }
                }
            }
        }
    }

    @Test("The process sleeps while a stream plays into a filter")
    func noWakeUpsWhilePlaying() async throws {
        try await withPrivateBus(.system) { bus in
            try await withPipeWire { audio in
                try await audio.addSink("phones", ["api.bluez5.address": "00:11:22:33:44:55"])
                try await audio.control("load-module", "module-remap-sink", "sink_name=remap", "master=phones")
                try await audio.setDefaultSink("remap")
                let environment = audio.environment.merging(bus.environment) { $1 }
                let client = Command(
                    "pacat", ["--raw", "--playback", "/dev/zero"],
                    environment: environment.merging(["PULSE_SERVER": audio.address]) { $1 })
                try await withDaemon(Command(try builtProduct("trigger-probe"), environment: environment)) { probe in
                    try await probe.waitForLine(containing: "watching")
                    try await withDaemon(client) { _ in
                        _ = try await eventually("the stream", because: "pactl has no signal for it") {
                            try await audio.control("list", "sink-inputs").contains("pacat") ? () : nil
                        }
                        #expect(try await wakeUps(of: probe.processIdentifier) == 0)
                    }
                }
            }
        }
    }
}
