internal import Localization

/// The differences of a notification server from the specification, and the place of its Do Not Disturb setting.
package struct NotificationServerRow: DataRow {
    package static let file = "notification-servers.conf"
    package static let shipped = PackageResources.notification_servers_conf
    private static let known = DataTable<NotificationServerRow>(.ofThisProcess).rows

    /// A member of a bus interface.
    package struct Member: Hashable, Sendable {
        package let interface, name: String

        init?(_ text: String) {
            guard let dot = text.lastIndex(of: ".") else { return nil }
            (interface, name) = (String(text[..<dot]), String(text[text.index(after: dot)...]))
            func isName(_ text: Substring) -> Bool {
                text.first?.isNumber == false
                    && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            }
            let parts = interface.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count > 1, parts.allSatisfy(isName), isName(name[...]) else { return nil }
        }
    }

    /// The place of the setting for Do Not Disturb.
    package enum DoNotDisturb: Sendable {
        /// A property of the server itself.
        case property(Member)
        /// Methods of the server itself, of which one returns `true`, or a list with the name of the mode. Older versions
        /// lack some of them.
        case methods([Member], path: String)
        /// A setting of Xfce, which may be unset.
        case xfconf(channel: String, setting: String)
        /// A key of the dconf database. Notifications are suppressed while the key has this value.
        case dconf(key: String, isInhibited: Bool)
    }

    private let name: String
    /// Whether pressing the notification itself invokes the action `default`.
    package let pressesBody: Bool
    /// Whether the reason “dismissed” means that the user closed the notification.
    package let tellsDismissal: Bool
    /// The place of the setting; `nil` if the server does not expose it.
    package let doNotDisturb: DoNotDisturb?

    package init(_ group: inout DataGroup) throws(DataFault) {
        name = group.name
        pressesBody = try group.flag("PressesBody") ?? true
        tellsDismissal = try group.flag("TellsDismissal") ?? true
        let properties = try Self.members("Property", &group)
        let methods = try Self.members("Methods", &group)
        let path = group.text("Path")
        let xfconf = group.text("Xfconf")?.split(separator: "/", maxSplits: 1).map(String.init) ?? []
        let (key, isInhibited) = (group.text("Dconf"), try group.flag("DconfValue"))
        if let property = properties.first {
            doNotDisturb = .property(property)
        } else if !methods.isEmpty {
            guard let path, path.hasPrefix("/") else { throw Self.missing("Path", for: "Methods", group) }
            doNotDisturb = .methods(methods, path: path)
        } else if xfconf.count == 2 {
            doNotDisturb = .xfconf(channel: xfconf[0], setting: "/" + xfconf[1])
        } else if let key {
            guard let isInhibited else { throw Self.missing("DconfValue", for: "Dconf", group) }
            doNotDisturb = .dconf(key: key, isInhibited: isInhibited)
        } else {
            doNotDisturb = nil
        }
    }

    private static func missing(_ key: String, for other: String, _ group: DataGroup) -> DataFault {
        group.fault(other, localized("“%1” needs one of %2 in its group", other, key))
    }

    private static func members(_ key: String, _ group: inout DataGroup) throws(DataFault) -> [Member] {
        var members: [Member] = []
        for text in group.texts(key) {
            guard let member = Member(text) else {
                throw group.fault(key, localized("“%1” is not an interface, a dot and a member", text))
            }
            members.append(member)
        }
        return members
    }

    /// Returns the row of a server by the name that it gives itself; `nil` for one that is expected to follow the specification.
    package static func row(of name: String) -> NotificationServerRow? { known.first { $0.name == name } }
}
