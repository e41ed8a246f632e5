/// A Swift structure that corresponds to a D-Bus structure, field by field.
///
///     struct Station: DBusStructure {
///         var name: String
///         var frequency: Double
///         static let layout = StructureLayout(Station.init(name:frequency:)) { ($0.name, $0.frequency) }
///     }                                                                         // signature (sd)
public protocol DBusStructure: DBusRepresentable {
    /// The order and types of the fields.
    static var layout: StructureLayout<Self> { get }
}

/// The order and types of a structure's fields.
public struct StructureLayout<Whole>: Sendable {
    let type: ValueType
    let read: @Sendable ([Value]) throws(DBusError) -> Whole
    let write: @Sendable (Whole) -> [Value]

    /// Creates a layout from a function that builds a structure from its fields and one that returns the fields.
    ///
    /// - Parameters:
    ///   - make: an initialiser that takes the fields in order.
    ///   - fields: a function that returns the fields in the same order, at least one.
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
    /// Reads a structure from a D-Bus value.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .structure(let values) = dbusValue, dbusValue.isOf(Self.dbusType) else {
            throw .mismatch(expected: Self.dbusType, found: dbusValue)
        }
        self = try Self.layout.read(values)
    }
    /// The D-Bus value.
    public var dbusValue: Value { .structure(Self.layout.write(self)) }
}

/// Converts typed lists of values, such as the arguments of a message or the fields of a structure.
package enum PackedValues {
    package static func types<each Item: DBusRepresentable>(of items: repeat (each Item).Type) -> [ValueType] {
        var types: [ValueType] = []
        for item in repeat each items { types.append(item.dbusType) }
        return types
    }

    package static func write<each Item: DBusRepresentable>(_ items: repeat each Item) -> [Value] {
        var values: [Value] = []
        for item in repeat each items { values.append(item.dbusValue) }
        return values
    }

    /// - Throws: ``DBusError`` with the name `…InvalidArgs` if the number differs, or a value of another type does not mean
    ///   the same in the expected one.
    package static func read<each Item: DBusRepresentable>(
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
        return (repeat try (each items).reading(cursor.next()))
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
