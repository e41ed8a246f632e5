// Names written in source code are checked when the process first meets them, as array indices are; a name from
// outside goes through the throwing initialiser.

extension BusName: ExpressibleByStringLiteral {
    /// A name in source code; an invalid one traps.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try BusName(text.description) } }
}

extension InterfaceName: ExpressibleByStringLiteral {
    /// A name in source code; an invalid one traps.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try InterfaceName(text.description) } }
}

extension MemberName: ExpressibleByStringLiteral {
    /// A name in source code; an invalid one traps.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try MemberName(text.description) } }
}

extension ObjectPath: ExpressibleByStringLiteral {
    /// A path in source code; an invalid one traps.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try ObjectPath(text.description) } }
}

extension Signature: ExpressibleByStringLiteral {
    /// A signature in source code; an invalid one traps.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try Signature(text.description) } }
}

private func checkedLiteral<Name>(_ make: () throws -> Name) -> Name {
    do { return try make() } catch { preconditionFailure("\(error)") }
}
