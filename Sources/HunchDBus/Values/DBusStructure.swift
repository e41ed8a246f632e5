/// A Swift structure that stands for a D-Bus structure, field by field.
///
///     struct Station: DBusStructure {
///         var name: String
///         var frequency: Double
///         static let layout = StructureLayout(Station.init(name:frequency:)) { ($0.name, $0.frequency) }
///     }                                                                         // signature (sd)
public protocol DBusStructure: DBusRepresentable {
    /// How the fields follow each other.
    static var layout: StructureLayout<Self> { get }
}

/// The order and types of a structure's fields.
public struct StructureLayout<Whole>: Sendable {
    let type: ValueType
    let read: @Sendable ([Value]) throws(DBusError) -> Whole
    let write: @Sendable (Whole) -> [Value]

    /// Describes a structure by how it is made of its fields and how it falls apart into them.
    ///
    /// - Parameters:
    ///   - make: an initialiser that takes the fields in order.
    ///   - fields: the fields in the same order, at least one.
    public init<each Field: DBusRepresentable>(
        _ make: @escaping @Sendable (repeat each Field) -> Whole,
        fields: @escaping @Sendable (Whole) -> (repeat each Field)
    ) {
        let types = PackedValues.types(of: repeat (each Field).self)
        type = .structure(types)
        read = { (values) throws(DBusError) in
            let fields: (repeat each Field) = try PackedValues.read(values, as: repeat (each Field).self)
            return make(repeat each fields)
        }
        write = { whole in PackedValues.write(repeat each fields(whole)) }
    }
}

extension DBusStructure {
    /// `(…)`
    public static var dbusType: ValueType { layout.type }
    /// Reads a structure.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .structure(let values) = dbusValue, dbusValue.isOf(Self.dbusType) else {
            throw .mismatch(expected: Self.dbusType, found: dbusValue)
        }
        self = try Self.layout.read(values)
    }
    /// As D-Bus has it.
    public var dbusValue: Value { .structure(Self.layout.write(self)) }
}

/// Typed lists of values: a message's arguments, a structure's fields.
enum PackedValues {
    static func types<each Item: DBusRepresentable>(of items: repeat (each Item).Type) -> [ValueType] {
        var types: [ValueType] = []
        for item in repeat each items { types.append(item.dbusType) }
        return types
    }

    static func write<each Item: DBusRepresentable>(_ items: repeat each Item) -> [Value] {
        var values: [Value] = []
        for item in repeat each items { values.append(item.dbusValue) }
        return values
    }

    /// - Throws: ``DBusError`` with the name `…InvalidArgs` when number or types differ.
    static func read<each Item: DBusRepresentable>(
        _ values: [Value], as items: repeat (each Item).Type
    ) throws(DBusError) -> (repeat each Item) {
        var count = 0
        for _ in repeat (each Item).self { count += 1 }
        guard values.count == count else {
            let expected = types(of: repeat each items)
            throw DBusError(
                .invalidArgs,
                "expected “\(expected.map(\.description).joined())”, got “\(values.map(\.type.description).joined())”")
        }
        var cursor = Cursor(values)
        return (repeat try (each items).init(dbusValue: cursor.next()))
    }

    private struct Cursor {
        let values: [Value]
        var index = 0
        init(_ values: [Value]) { self.values = values }
        mutating func next() -> Value {
            defer { index += 1 }
            return values[index]
        }
    }
}
