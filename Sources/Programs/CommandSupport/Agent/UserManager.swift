package import HunchDBus

/// The systemd user manager, which starts the agent at login.
package struct UserManager {
    private static let unit = "hunchd.service"
    private static let interface: InterfaceName = "org.freedesktop.systemd1.Manager"
    private let proxy: Proxy

    package init(_ connection: Connection) {
        proxy = Proxy(connection, "org.freedesktop.systemd1", "/org/freedesktop/systemd1")
    }

    /// Whether a user manager runs on this bus.
    package func isRunning() async -> Bool {
        (try? await proxy.connection.owner(of: proxy.service)) != nil
    }

    /// Enables the unit at login. Returns whether that worked.
    package func enableAtLogin() async -> Bool {
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
    package func disableAtLogin() async {
        guard await isRunning() else { return }
        // An error means that the unit was not enabled.
        let _: [UnitFileChange]? = try? await proxy.call(
            Self.interface, "DisableUnitFiles", [Self.unit], false, startsService: false)
    }

    /// Restarts the unit.
    ///
    /// - Throws: `DBusError` from the user manager.
    package func restart() async throws {
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
