import Glibc
import HunchDBus
import HunchKit

/// The process of an agent that does not answer.
struct AgentProcess {
    private static let unit = "hunchd.service"
    private let agent: HunchAgent

    init(_ agent: HunchAgent) { self.agent = agent }

    /// Restarts the agent, through the user manager if the agent is one of its units.
    ///
    /// - Throws: `DBusError`.
    func restart() async throws {
        let manager = Proxy(agent.connection, "org.freedesktop.systemd1", "/org/freedesktop/systemd1")
        if let identifier = try await processIdentifier() {
            let isUnit: ObjectPath? = try? await manager.call(
                "org.freedesktop.systemd1.Manager", "GetUnitByPID", identifier, startsService: false)
            if isUnit != nil {
                let _: ObjectPath = try await manager.call(
                    "org.freedesktop.systemd1.Manager", "RestartUnit", Self.unit, "replace", startsService: false)
                return
            }
            // It does not answer, so it would not end when asked. The history survives this.
            kill(pid_t(bitPattern: identifier), SIGKILL)
            while try await agent.isRunning() { try await Task.sleep(for: .milliseconds(20)) }
        }
        try await agent.start()
    }

    private func processIdentifier() async throws -> UInt32? {
        guard try await agent.isRunning() else { return nil }
        return try await agent.connection.call(
            .bus, .bus, .bus, "GetConnectionUnixProcessID", HunchNames.agent.text)
    }
}
