/// A condition on the attributes of searchable items, as the query language writes it.
///
///     title == "yank*"cd && (rating >= 4 || created > $time.now(-86400))
///
/// See ``init(_:clock:)`` for the grammar.
public indirect enum Query: Hashable, Sendable {
    /// An attribute's relation to a value.
    public enum Relation: String, Hashable, Sendable, CaseIterable {
        case equal = "=="
        case unequal = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }

    /// A value to compare with.
    public enum Value: Hashable, Sendable {
        case pattern(Pattern)
        /// A number, or a date in seconds since 1970 (UTC).
        case number(Double)
        case flag(Bool)
    }

    /// The name of an attribute; `nil` for any attribute with text, which is written `*`.
    public typealias Attribute = String?

    case comparison(Attribute, Relation, Value)
    /// A number or date from a lower to an upper bound, both included.
    case range(Attribute, Double, Double)
    case all([Query])
    case any([Query])
    case not(Query)

    /// The names of the attributes that it compares.
    public var attributes: Set<String> {
        switch self {
        case .comparison(let attribute, _, _), .range(let attribute, _, _): Set([attribute].compactMap(\.self))
        case .all(let queries), .any(let queries): queries.reduce(into: []) { $0.formUnion($1.attributes) }
        case .not(let query): query.attributes
        }
    }
}
