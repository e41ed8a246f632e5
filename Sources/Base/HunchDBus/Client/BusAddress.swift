internal import Glibc

/// The address of a bus.
public struct BusAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address in D-Bus syntax, such as `unix:path=/run/user/1000/bus`.
    public let text: String

    /// Creates an address from text, without checking it.
    public init(_ text: String) { self.text = text }

    /// The address as text.
    public var description: String { text }

    /// Returns the session bus: `DBUS_SESSION_BUS_ADDRESS`, or else `bus` in `XDG_RUNTIME_DIR`. Starts no bus.
    ///
    /// - Throws: ``DBusError`` with the name `…NoServer` if neither exists.
    public static func session(environment: (String) -> String? = processEnvironment) throws(DBusError) -> BusAddress {
        // For “autolaunch:”, libdbus would start its own bus through an X display.
        if let text = environment("DBUS_SESSION_BUS_ADDRESS"), !text.isEmpty, !text.hasPrefix("autolaunch:") {
            return BusAddress(text)
        }
        if let directory = environment("XDG_RUNTIME_DIR"), !directory.isEmpty, access(directory + "/bus", F_OK) == 0 {
            return BusAddress("unix:path=\(directory)/bus")
        }
        throw DBusError(
            .noServer,
            "no session bus: DBUS_SESSION_BUS_ADDRESS is not set and XDG_RUNTIME_DIR holds no bus; "
                + "log in to a desktop session, or start one with dbus-run-session")
    }

    /// Returns the system bus: `DBUS_SYSTEM_BUS_ADDRESS`, or else the standard socket.
    public static func system(environment: (String) -> String? = processEnvironment) -> BusAddress {
        if let text = environment("DBUS_SYSTEM_BUS_ADDRESS"), !text.isEmpty { return BusAddress(text) }
        return BusAddress("unix:path=/var/run/dbus/system_bus_socket")
    }

    /// Returns an environment variable of this process.
    public static func processEnvironment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
