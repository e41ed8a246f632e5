extension UnixDescriptor: DBusRepresentable {
    /// `h`
    public static var dbusType: ValueType { .descriptor }
    /// The D-Bus value, which shares ownership of the descriptor.
    public var dbusValue: Value { .descriptor(self) }
    /// Duplicates the received descriptor and owns the duplicate.
    public convenience init(dbusValue: Value) throws(DBusError) {
        guard case .descriptor(let value) = dbusValue else { throw .mismatch(expected: .descriptor, found: dbusValue) }
        self.init(
            owning: try value.withDescriptor { (number) throws(DBusError) in try UnixDescriptor.duplicate(of: number) })
    }
}

extension Value: DBusRepresentable {
    /// `v`
    public static var dbusType: ValueType { .variant }
    /// Reads the content of a variant.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .variant(let value) = dbusValue else { throw .mismatch(expected: .variant, found: dbusValue) }
        self = value
    }
    /// This value in a variant.
    public var dbusValue: Value { .variant(self) }
}

extension Array: DBusRepresentable where Element: DBusRepresentable {
    /// `a…`
    public static var dbusType: ValueType { .array(Element.dbusType) }
    /// Reads an array from a D-Bus value.
    public init(dbusValue: Value) throws(DBusError) {
        switch dbusValue {
        case .bytes(let bytes):
            // The cast alone would accept an empty byte array as an array of any type.
            guard Element.self == UInt8.self, let elements = bytes as? [Element] else {
                throw .mismatch(expected: Self.dbusType, found: dbusValue)
            }
            self = elements
        case .array(let element, let values) where element == Element.dbusType:
            self = []
            reserveCapacity(values.count)
            for value in values { append(try Element(dbusValue: value)) }
        default:
            throw .mismatch(expected: Self.dbusType, found: dbusValue)
        }
    }
    /// The D-Bus value.
    public var dbusValue: Value {
        if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .bytes(bytes) }
        return .array(of: Element.dbusType, map { $0.dbusValue })
    }
}

extension Dictionary: DBusRepresentable where Key: DBusRepresentable, Value: DBusRepresentable {
    /// `a{…}`
    public static var dbusType: ValueType { .dictionary(key: Key.dbusType, value: Value.dbusType) }
    /// Reads a dictionary from a D-Bus value. If a key repeats, the last entry counts.
    public init(dbusValue: DBusValues.Value) throws(DBusError) {
        guard case .dictionary(let key, let value, let entries) = dbusValue,
            key == Key.dbusType, value == Value.dbusType
        else { throw .mismatch(expected: Self.dbusType, found: dbusValue) }
        self.init(minimumCapacity: entries.count)
        for entry in entries { self[try Key(dbusValue: entry.key)] = try Value(dbusValue: entry.value) }
    }
    /// The D-Bus value, in no particular order.
    public var dbusValue: DBusValues.Value {
        .dictionary(
            key: Key.dbusType, value: Value.dbusType,
            map { DBusValues.Value.Entry(key: $0.key.dbusValue, value: $0.value.dbusValue) })
    }
}

/// An `a{sv}` dictionary, which D-Bus interfaces use for open sets of options.
public typealias VariantMap = [String: Value]
