import AgentInterface
import FoundationEssentials
import Glibc
import HunchDBus
import TestSupport
import Testing

@Suite("Idle agent", .timeLimit(.minutes(15)))
struct IdleTests {
    /// A field of `/proc/PID/status`, in kB.
    private func memory(_ field: String, of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        return try #require(
            line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) })
    }

    @Test(
        "The idle agent does not wake up within a minute",
        .timeLimit(.minutes(15)))
    func noWakeUps() async throws {
        try await withTemporaryDirectory { folder in
            let program = try agentOfTheTest(in: folder)
            try await withSurroundings { session, environment in
                let command = Command(
                    program, environment: environment, ready: .busName(HunchNames.agent.text, on: session))
                // A first agent leaves a history, so that the second one has rows to check, read and learn.
                try await withDaemon(command) { _ in try await exercise(on: session, environment) }
                try await withDaemon(command) { try await rest($0, on: session, environment) }
            }
        }
    }

    private func rest(_ hunchd: Daemon, on session: PrivateBus, _ environment: [String: String]) async throws {
        try await exercise(on: session, environment)
        let process = hunchd.processIdentifier
        let before = try await ContextSwitches.atRest(process)
        let (resident, most) = try (memory("VmRSS", of: process), memory("VmHWM", of: process))
        #expect(resident < most, "nothing of what starting needed was given back: \(resident) of \(most) kB")
        try await pass(.seconds(60))
        let after = try ContextSwitches(of: process)
        #expect(after.total - before.total == 0, "before: \(before); after: \(after)")
        // The loop and the two threads that touch files. The thread pool of libdispatch would never rest again.
        #expect(after.names == ["hunch-files", "hunch-store", "hunchd"])
    }

    /// Uses every part of the agent first, so that timers that stay armed are found.
    private func exercise(on session: PrivateBus, _ environment: [String: String]) async throws {
        try await withConnection(to: session) {
            try await exercise(Proxy($0, HunchNames.agent, HunchNames.root), environment)
        }
    }

    private func exercise(_ agent: Proxy, _ environment: [String: String]) async throws {
        let hunch = try builtProduct("hunch")
        _ = try await run(hunch, ["enable"], environment: environment).output()
        try await eventually("the agent following everything", because: "its parts start one after the other") {
            let status: VariantMap = try await agent.call(HunchNames.agentInterface, "Status")
            let hasPlayer = try await run(hunch, ["players"], environment: environment).status == .exited(0)
            let told = try AgentStatus(transfer: status)
            let states = ["bluez", "audio"].map { told.part($0)?.state }
            let context = try status.value("context", as: [String: String].self)
            return states == ["watching", "watching"] && context?["power"] != nil && hasPlayer ? () : nil
        }
        let request: VariantMap = ["uri": .string("geo:37.7936,-122.3930")]
        let answer: (VariantMap, [ObjectPath], [VariantMap]) = try await agent.call(
            HunchNames.directions, "Suggest", request)
        #expect(answer.0["destination"] != nil)
    }

    /// BlueZ with a headset, logind with a session, and UPower.
    private nonisolated(nonsending) func withSystemServices(
        on system: PrivateBus, _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        try await withMockBlueZ(on: system) { bluez in
            try await bluez.add(.headset())
            try await withMockLogind(on: system) { logind in
                try await logind.addSession("1", of: getuid(), began: 42)
                try await withMockUPower(on: system) { _ in try await body() }
            }
        }
    }

    /// A session with a paused player, a system bus with BlueZ on it, and an audio server.
    private func withSurroundings(
        _ body: nonisolated(nonsending) (_ session: PrivateBus, _ environment: [String: String]) async throws -> Void
    ) async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus(.session) { session in
                try await withPrivateBus(.system) { system in
                    try await withSystemServices(on: system) {
                        try await withPipeWire(in: home.runtime) { _ in
                            let environment = home.environment.merging(session.environment) { $1 }
                                .merging(system.environment) { $1 }
                            let player = Command(
                                "mpv",
                                [
                                    "--no-config", "--no-video", "--ao=null", "--pause", "--idle", "--no-terminal",
                                    "--script=/usr/lib/mpv-mpris/mpris.so",
                                ], environment: environment,
                                ready: .busName("org.mpris.MediaPlayer2.mpv", on: session))
                            try await withDaemon(player) { _ in try await body(session, environment) }
                        }
                    }
                }
            }
        }
    }
}
