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

    /// The place where the desktop stores Do Not Disturb.
    enum Inhibition: Hashable {
        /// A property of the server itself.
        case property(InterfaceName, MemberName)
        /// Methods of the server itself, of which one returns `true`, or a list with the name of the mode. Older versions
        /// lack some of them.
        case methods(ObjectPath, InterfaceName, [MemberName])
        /// A setting of Xfce, which may be unset.
        case xfconf(channel: String, setting: String)
        /// A key of the dconf database. Notifications are suppressed while the key has this value.
        case dconf(key: String, isInhibited: Bool)
    }

    /// The location of this server's Do Not Disturb setting; `nil` for servers that do not expose it.
    var inhibition: Inhibition? {
        switch NotificationServerRow.row(of: name)?.doNotDisturb {
        case .property(let member):
            member.typed.map { .property($0.interface, $0.name) }
        case .methods(let members, let path):
            if let path = try? ObjectPath(path), let interface = members.first?.typed?.interface {
                .methods(path, interface, members.compactMap { $0.typed?.name })
            } else {
                nil
            }
        case .xfconf(let channel, let setting): .xfconf(channel: channel, setting: setting)
        case .dconf(let key, let isInhibited): .dconf(key: key, isInhibited: isInhibited)
        case nil: nil
        }
    }

    /// Whether a mode of mako is Do Not Disturb, by the name in mako(5), `do-not-disturb`, or a common spelling of it.
    static func isDoNotDisturb(mode: String) -> Bool {
        ["donotdisturb", "dnd"].contains(mode.lowercased().filter(\.isLetter))
    }
}

extension NotificationServerRow.Member {
    /// The names as types; `nil` for names that are too long.
    fileprivate var typed: (interface: InterfaceName, name: MemberName)? {
        guard let interface = try? InterfaceName(interface), let name = try? MemberName(name) else { return nil }
        return (interface, name)
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
