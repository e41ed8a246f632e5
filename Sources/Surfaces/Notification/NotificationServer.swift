public import HunchDBus

/// A program that shows notifications: who it is and what it can do.
public struct NotificationServer: Hashable, Sendable {
    /// Its connection; another one after a restart.
    public let owner: BusName
    /// What it calls itself: `dunst`, `gnome-shell`, `Plasma`. At most 80 characters.
    public let name: String
    /// Its version. At most 80 characters.
    public let version: String
    /// What it can do, in the words of the specification: `actions`, `body`, `body-markup`, `persistence`, …
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
    /// It keeps what has left the screen, with its actions, until it is closed.
    var isPersistent: Bool { capabilities.contains("persistence") }

    /// The property that tells whether the person asked not to be disturbed; `nil` for servers that tell nobody.
    var inhibition: (interface: InterfaceName, property: MemberName)? {
        switch name {
        case "dunst": ("org.dunstproject.cmd0", "paused")
        case "Plasma": (.notifications, "Inhibited")
        default: nil
        }
    }
}

extension BusName {
    /// The notification server.
    static let notifications: BusName = "org.freedesktop.Notifications"
}

extension ObjectPath {
    static let notifications: ObjectPath = "/org/freedesktop/Notifications"
}

extension InterfaceName {
    /// Source: Desktop Notifications Specification 1.2.
    static let notifications: InterfaceName = "org.freedesktop.Notifications"
}
