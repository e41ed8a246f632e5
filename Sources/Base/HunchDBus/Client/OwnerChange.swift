/// A change of the owner of a bus name.
///
/// Source: D-Bus specification, `org.freedesktop.DBus.NameOwnerChanged`.
public struct OwnerChange: Hashable, Sendable {
    /// The name.
    public let name: BusName
    /// The unique name of the previous owner; `nil` if there was none.
    public let former: BusName?
    /// The unique name of the new owner; `nil` if there is none.
    public let owner: BusName?
}

extension MatchRule {
    /// Returns the rule for the changes of a name's owner.
    public static func ownerChanges(of name: BusName) -> MatchRule {
        MatchRule(sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged", argument0: name.text)
    }

    /// Returns the rule for the changes of the owners of all names that are a dotted name or begin with it and a dot.
    public static func ownerChanges(in namespace: String) -> MatchRule {
        MatchRule(sender: .bus, path: .bus, interface: .bus, member: "NameOwnerChanged", argument0Namespace: namespace)
    }
}

extension Message {
    /// The change that the bus reports with this signal; `nil` for any other message.
    public var ownerChange: OwnerChange? {
        guard sender == .bus, member == "NameOwnerChanged",
            let (name, former, owner) = try? arguments(String.self, String.self, String.self)
        else { return nil }
        func owning(_ text: String) -> BusName? { text.isEmpty ? nil : BusName(unchecked: text) }
        return OwnerChange(name: BusName(unchecked: name), former: owning(former), owner: owning(owner))
    }
}
