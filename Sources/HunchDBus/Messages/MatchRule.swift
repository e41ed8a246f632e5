/// Which signals are wanted. Absent parts match anything.
///
/// Source: D-Bus specification, "Match rules".
public struct MatchRule: Hashable, Sendable {
    /// Who emits: a unique name, or a well-known one, which follows the name from owner to owner.
    public var sender: BusName?
    /// The object.
    public var path: ObjectPath?
    /// The object or any below it.
    public var pathNamespace: ObjectPath?
    /// The interface.
    public var interface: InterfaceName?
    /// The signal.
    public var member: MemberName?
    /// The first argument, a string.
    public var argument0: String?
    /// The first argument is this dotted name or begins with it and a dot.
    public var argument0Namespace: String?

    /// Makes a rule.
    public init(
        sender: BusName? = nil, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil,
        interface: InterfaceName? = nil, member: MemberName? = nil, argument0: String? = nil,
        argument0Namespace: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.argument0 = argument0
        self.argument0Namespace = argument0Namespace
    }

    /// The rule as the bus reads it.
    public var text: String {
        let parts: [(String, String?)] = [
            ("type", "signal"), ("sender", sender?.text), ("path", path?.text),
            // The bus knows no namespace “/”: everything is below the root.
            ("path_namespace", pathNamespace.flatMap { $0 == .root ? nil : $0.text }),
            ("interface", interface?.text), ("member", member?.text), ("arg0", argument0),
            ("arg0namespace", argument0Namespace),
        ]
        return parts.compactMap { key, value in value.map { "\(key)='\(Self.quoted($0))'" } }.joined(separator: ",")
    }

    /// Within quotes, an apostrophe ends them, is escaped outside, and begins them again.
    private static func quoted(_ text: String) -> String {
        text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    }

    /// Whether a signal fits, given who owns the rule's sender now.
    func matches(_ header: SignalHeader, senderOwner: BusName?) -> Bool {
        if let sender {
            guard header.sender == sender || (senderOwner != nil && header.sender == senderOwner) else { return false }
        }
        if let path, path != header.path { return false }
        if let pathNamespace, !header.path.isWithin(pathNamespace) { return false }
        if let interface, interface != header.interface { return false }
        if let member, member != header.member { return false }
        if let argument0, argument0 != header.argument0 { return false }
        if let namespace = argument0Namespace {
            guard let argument = header.argument0, argument == namespace || argument.hasPrefix(namespace + ".") else {
                return false
            }
        }
        return true
    }
}

/// What match rules look at.
struct SignalHeader {
    let sender: BusName?
    let path: ObjectPath
    let interface: InterfaceName
    let member: MemberName
    let argument0: String?
}
