import FoundationEssentials
import TestSupport
import Testing

@Suite("Trigger monitor at rest", .timeLimit(.minutes(5)))
struct IdleTests {
    /// How often the threads of a process have gone to sleep by themselves, which they do once per wake-up.
    private func switches(of process: Int32) throws -> Int {
        let tasks = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
            let status = try String(contentsOf: URL(filePath: "\(tasks)/\(task)/status"), encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (Int(line?.split(separator: "\t").last ?? "") ?? 0)
        }
    }

    /// How often it wakes up in four seconds, from the first quarter of a second on in which it does not.
    ///
    /// Idleness is what does not happen in a time, so here is nothing to wait for but the time.
    private func wakeUps(of process: Int32) async throws -> Int {
        var last = -1
        let before = try await eventually("rest", because: "a thread that goes to sleep tells nobody") {
            let now = try switches(of: process)
            defer { last = now }
            if now == last { return now }
            try await Task.sleep(for: .milliseconds(250))
            return nil
        }
        try await Task.sleep(for: .seconds(4))
        return try switches(of: process) - before
    }

    @Test("with BlueZ and an audio server up it does not wake up, be a headset there or gone")
    func noWakeUps() async throws {
        try await withPrivateBus(.system) { bus in
            try await withMockBlueZ(on: bus) { bluez in
                try await withPipeWire { audio in
                    let environment = audio.environment.merging(bus.environment) { $1 }
                    let command = Command(try builtProduct("trigger-probe"), environment: environment)
                    try await withDaemon(command) { probe in
                        // A headset comes and goes first: what it armed must be disarmed.
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
}
