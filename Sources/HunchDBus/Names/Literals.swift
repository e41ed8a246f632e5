// Names written in source code are checked when the process first meets them, as array indices are; a name from
// outside goes through the throwing initialiser.

extension BusName: ExpressibleByStringLiteral {
    /// A name in source code; an invalid one traps.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try BusName("\(text)") } }
}

extension InterfaceName: ExpressibleByStringLiteral {
    /// A name in source code; an invalid one traps.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try InterfaceName("\(text)") } }
}

extension MemberName: ExpressibleByStringLiteral {
    /// A name in source code; an invalid one traps.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try MemberName("\(text)") } }
}

extension ObjectPath: ExpressibleByStringLiteral {
    /// A path in source code; an invalid one traps.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try ObjectPath("\(text)") } }
}

extension Signature: ExpressibleByStringLiteral {
    /// A signature in source code; an invalid one traps.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try Signature("\(text)") } }
}

private func checkedLiteral<Name>(_ make: () throws -> Name) -> Name {
    do { return try make() } catch { preconditionFailure("\(error)") }
}
