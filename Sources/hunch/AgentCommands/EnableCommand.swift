import CommandSupport
import ArgumentParser
import HunchDBus
import HunchKit

/// `hunch enable`: lets Hunch watch, record and suggest.
struct EnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Switch Hunch on: it watches, records and suggests from now on.",
        discussion: """
            Before this, nothing is watched or recorded. Starts the agent now and, where there is a systemd user manager, \
            at every login.

            Example:
              hunch enable
            """)

    @Flag(help: "Write one JSON object.")
    var json = false

    private struct Fields: Encodable {
        let enabled: Bool
        let startsAtLogin: Bool
    }

    func run() async throws {
        let startsAtLogin = try await AgentSession.run { agent in
            try await agent.enable()
            return await UserManager(agent.connection).enableAtLogin()
        }
        if json {
            try Output.raw(Output.json(Fields(enabled: true, startsAtLogin: startsAtLogin)))
            return
        }
        try Output.line("Hunch is on.")
        if !startsAtLogin {
            try Output.line("It does not start at login here: add hunchd to the programs that your session starts.")
        }
    }
}

/// `hunch disable`.
struct DisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Switch Hunch off. What was recorded stays.",
        discussion: """
            Example:
              hunch disable
            """)

    @Flag(help: "Write one JSON object.")
    var json = false

    private struct Fields: Encodable {
        let enabled: Bool
    }

    func run() async throws {
        try await AgentSession.run { agent in
            try await agent.disable()
            await UserManager(agent.connection).disableAtLogin()
        }
        try Output.line(json ? Output.json(Fields(enabled: false)) : "Hunch is off. What was recorded stays.")
    }
}

/// The systemd user manager, which starts the agent at login.
struct UserManager {
    private static let unit = "hunchd.service"
    private static let interface: InterfaceName = "org.freedesktop.systemd1.Manager"
    private let proxy: Proxy

    init(_ connection: Connection) {
        proxy = Proxy(connection, "org.freedesktop.systemd1", "/org/freedesktop/systemd1")
    }

    /// Whether a user manager runs on this bus.
    func isRunning() async -> Bool {
        (try? await proxy.connection.owner(of: proxy.service)) != nil
    }

    /// Enables the unit at login. Returns whether that worked.
    func enableAtLogin() async -> Bool {
        guard await isRunning() else { return false }
        do {
            let _: (Bool, [UnitFileChange]) = try await proxy.call(
                Self.interface, "EnableUnitFiles", [Self.unit], false, false, startsService: false)
            return true
        } catch {
            return false
        }
    }

    /// Disables the unit at login.
    func disableAtLogin() async {
        guard await isRunning() else { return }
        // An error means that the unit was not enabled.
        let _: [UnitFileChange]? = try? await proxy.call(
            Self.interface, "DisableUnitFiles", [Self.unit], false, startsService: false)
    }

    /// Restarts the unit.
    ///
    /// - Throws: `DBusError` from the user manager.
    func restart() async throws {
        let _: ObjectPath = try await proxy.call(
            Self.interface, "RestartUnit", Self.unit, "replace", startsService: false)
    }

    /// A symbolic link that the manager made or removed.
    struct UnitFileChange: DBusStructure {
        let kind: String
        let file: String
        let destination: String
        static let layout = StructureLayout(UnitFileChange.init(kind:file:destination:)) {
            ($0.kind, $0.file, $0.destination)
        }
    }
}
