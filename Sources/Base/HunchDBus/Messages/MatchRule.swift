/// A match rule, which selects signals. `nil` properties match anything.
///
/// Source: D-Bus specification, "Match rules".
public struct MatchRule: Hashable, Sendable {
    /// The sender: a unique name, or a well-known name, which matches whichever connection owns it.
    public var sender: BusName?
    /// The path of the object.
    public var path: ObjectPath?
    /// A path that matches its object and all objects below it.
    public var pathNamespace: ObjectPath?
    /// The interface.
    public var interface: InterfaceName?
    /// The signal.
    public var member: MemberName?
    /// The first argument, if it must be a particular string.
    public var argument0: String?
    /// A dotted name: the first argument must be this name or begin with it and a dot.
    public var argument0Namespace: String?

    /// Creates a rule.
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

    /// The rule in the bus's syntax.
    public var text: String {
        let parts: [(String, String?)] = [
            ("type", "signal"), ("sender", sender?.text), ("path", path?.text),
            // The bus rejects the namespace “/”, which would match every object anyway.
            ("path_namespace", pathNamespace.flatMap { $0 == .root ? nil : $0.text }),
            ("interface", interface?.text), ("member", member?.text), ("arg0", argument0),
            ("arg0namespace", argument0Namespace),
        ]
        return parts.compactMap { key, value in value.map { "\(key)='\(Self.quoted($0))'" } }.joined(separator: ",")
    }

    /// Replaces each apostrophe by one that closes the quotes, an escaped one, and one that reopens them.
    private static func quoted(_ text: String) -> String {
        text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    }

    /// Returns whether a signal matches, given the current owner of the rule's sender.
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

/// The parts of a signal that match rules examine.
struct SignalHeader {
    let sender: BusName?
    let path: ObjectPath
    let interface: InterfaceName
    let member: MemberName
    let argument0: String?
}
