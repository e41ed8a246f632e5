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

    /// The points on which servers differ in what they make of the specification.
    struct Traits: Hashable {
        /// Whether a press on the notification itself is told as the action `default`, which then has no button.
        var pressesBody = true
        /// Whether the reason "dismissed" means that the person closed the notification.
        var tellsDismissal = true
    }

    /// The traits of this server; an unknown one is expected to follow the specification.
    var traits: Traits {
        switch name {
        // Seen with 0.7.3: `default` is one more button beside the others. A press on the notification itself closes it with
        // the reason of a dismissal, and there is no other way to close it. Its developers want it so, see
        // https://gitlab.xfce.org/apps/xfce4-notifyd/-/issues/2.
        case "Xfce Notify Daemon": Traits(pressesBody: false, tellsDismissal: false)
        default: Traits()
        }
    }

    /// What tells whether the person asked not to be disturbed.
    enum Inhibition: Hashable {
        /// A property of the server itself.
        case property(InterfaceName, MemberName)
        /// A setting of Xfce, where it was ever set.
        case xfconf(channel: String, setting: String)
        /// A key of the dconf database, which holds notifications back when it has this value.
        case dconf(key: String, isInhibited: Bool)
    }

    /// Where this server tells it; `nil` for servers that tell nobody.
    var inhibition: Inhibition? {
        switch name {
        case "dunst": .property("org.dunstproject.cmd0", "paused")
        case "Plasma": .property(.notifications, "Inhibited")
        case "gnome-shell": .dconf(key: "/org/gnome/desktop/notifications/show-banners", isInhibited: false)
        // MATE's.
        case "Notification Daemon": .dconf(key: "/org/mate/notification-daemon/do-not-disturb", isInhibited: true)
        case "Xfce Notify Daemon": .xfconf(channel: "xfce4-notifyd", setting: "/do-not-disturb")
        default: nil
        }
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
