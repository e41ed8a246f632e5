internal import DataFiles
public import HunchDBus

/// The identity and capabilities of a notification server.
public struct NotificationServer: Hashable, Sendable {
    /// The server's unique bus name, which changes with a restart.
    public let owner: BusName
    /// The server's name for itself: `dunst`, `gnome-shell`, `Plasma`. At most 80 characters.
    public let name: String
    /// The server's version. At most 80 characters.
    public let version: String
    /// The capabilities, in the specification's terms: `actions`, `body`, `body-markup`, `persistence`, …
    public let capabilities: Set<String>

    /// Describes a server.
    public init(owner: BusName, name: String, version: String, capabilities: Set<String>) {
        self.owner = owner
        self.name = name
        self.version = version
        self.capabilities = capabilities
    }

    var showsActions: Bool { capabilities.contains("actions") }
    var showsBody: Bool { capabilities.contains("body") }
    var readsMarkup: Bool { capabilities.contains("body-markup") }
    /// Whether the server keeps notifications that left the screen, with their actions, until they are closed.
    var isPersistent: Bool { capabilities.contains("persistence") }

    /// The differences in how servers implement the specification.
    struct Traits: Hashable {
        /// Whether pressing the notification itself invokes the action `default`, which then has no button.
        var pressesBody = true
        /// Whether the reason "dismissed" means that the user closed the notification.
        var tellsDismissal = true
    }

    /// The traits of this server. An unknown server is expected to follow the specification.
    var traits: Traits {
        NotificationServerRow.row(of: name).map {
            Traits(pressesBody: $0.pressesBody, tellsDismissal: $0.tellsDismissal)
        } ?? Traits()
    }

    /// The place of this server's Do Not Disturb setting; `nil` for servers that do not expose it.
    var doNotDisturb: NotificationServerRow.DoNotDisturb? { NotificationServerRow.row(of: name)?.doNotDisturb }

    /// Whether a mode of mako is Do Not Disturb, by the name in mako(5), `do-not-disturb`, or a common spelling of it.
    static func isDoNotDisturb(mode: String) -> Bool {
        ["donotdisturb", "dnd"].contains(mode.lowercased().filter(\.isLetter))
    }
}

extension BusName {
    /// The notification server.
    static let notifications: BusName = "org.freedesktop.Notifications"
    /// The settings of Xfce.
    static let xfconf: BusName = "org.xfce.Xfconf"
}

extension ObjectPath {
    static let xfconf: ObjectPath = "/org/xfce/Xfconf"
    static let notifications: ObjectPath = "/org/freedesktop/Notifications"
}

extension InterfaceName {
    static let xfconf: InterfaceName = "org.xfce.Xfconf"
    /// Source: Desktop Notifications Specification 1.2.
    static let notifications: InterfaceName = "org.freedesktop.Notifications"
}
