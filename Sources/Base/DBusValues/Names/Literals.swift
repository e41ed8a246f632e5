// Literals are validated at run time, when first evaluated, and trap if invalid, as array indices do. Names that come
// from outside the program use the throwing initialisers.

extension BusName: ExpressibleByStringLiteral {
    /// Creates a name from a literal. Traps if it is invalid.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try BusName(text.description) } }
}

extension InterfaceName: ExpressibleByStringLiteral {
    /// Creates a name from a literal. Traps if it is invalid.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try InterfaceName(text.description) } }
}

extension MemberName: ExpressibleByStringLiteral {
    /// Creates a name from a literal. Traps if it is invalid.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try MemberName(text.description) } }
}

extension ObjectPath: ExpressibleByStringLiteral {
    /// Creates a path from a literal. Traps if it is invalid.
    public init(stringLiteral text: StaticString) { self = checkedLiteral { try ObjectPath(text.description) } }
}

func checkedLiteral<Name>(_ make: () throws -> Name) -> Name {
    do { return try make() } catch { preconditionFailure("\(error)") }
}
