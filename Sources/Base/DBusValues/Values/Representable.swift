/// A Swift type that corresponds to one complete D-Bus type.
///
/// The standard library's fixed-width integers, `Bool`, `Double`, `String`, arrays and dictionaries conform. ``Value``
/// corresponds to a variant. Structures conform through ``DBusStructure``.
public protocol DBusRepresentable: Sendable {
    /// The D-Bus type.
    static var dbusType: ValueType { get }
    /// Reads a D-Bus value.
    ///
    /// - Throws: ``DBusError`` with the name `…InvalidArgs` if the value has another type.
    init(dbusValue: Value) throws(DBusError)
    /// The D-Bus value.
    var dbusValue: Value { get }
}

extension DBusError {
    package static func mismatch(expected: ValueType, found: Value) -> DBusError {
        DBusError(.invalidArgs, "expected a value of type “\(expected)”, got “\(found.type)”")
    }
}

extension UInt8: DBusRepresentable {
    /// `y`
    public static var dbusType: ValueType { .byte }
    /// Reads a value of this type.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .byte(let value) = dbusValue else { throw .mismatch(expected: .byte, found: dbusValue) }
        self = value
    }
    /// The D-Bus value.
    public var dbusValue: Value { .byte(self) }
}

extension Bool: DBusRepresentable {
    /// `b`
    public static var dbusType: ValueType { .boolean }
    /// Reads a value of this type.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .boolean(let value) = dbusValue else { throw .mismatch(expected: .boolean, found: dbusValue) }
        self = value
    }
    /// The D-Bus value.
    public var dbusValue: Value { .boolean(self) }
}

extension Int16: DBusRepresentable {
    /// `n`
    public static var dbusType: ValueType { .int16 }
    /// Reads a value of this type.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .int16(let value) = dbusValue else { throw .mismatch(expected: .int16, found: dbusValue) }
        self = value
    }
    /// The D-Bus value.
    public var dbusValue: Value { .int16(self) }
}

extension UInt16: DBusRepresentable {
    /// `q`
    public static var dbusType: ValueType { .uint16 }
    /// Reads a value of this type.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .uint16(let value) = dbusValue else { throw .mismatch(expected: .uint16, found: dbusValue) }
        self = value
    }
    /// The D-Bus value.
    public var dbusValue: Value { .uint16(self) }
}

extension Int32: DBusRepresentable {
    /// `i`
    public static var dbusType: ValueType { .int32 }
    /// Reads a value of this type.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .int32(let value) = dbusValue else { throw .mismatch(expected: .int32, found: dbusValue) }
        self = value
    }
    /// The D-Bus value.
    public var dbusValue: Value { .int32(self) }
}

extension UInt32: DBusRepresentable {
    /// `u`
    public static var dbusType: ValueType { .uint32 }
    /// Reads a value of this type.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .uint32(let value) = dbusValue else { throw .mismatch(expected: .uint32, found: dbusValue) }
        self = value
    }
    /// The D-Bus value.
    public var dbusValue: Value { .uint32(self) }
}

extension Int64: DBusRepresentable {
    /// `x`
    public static var dbusType: ValueType { .int64 }
    /// Reads a value of this type.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .int64(let value) = dbusValue else { throw .mismatch(expected: .int64, found: dbusValue) }
        self = value
    }
    /// The D-Bus value.
    public var dbusValue: Value { .int64(self) }
}

extension UInt64: DBusRepresentable {
    /// `t`
    public static var dbusType: ValueType { .uint64 }
    /// Reads a value of this type.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .uint64(let value) = dbusValue else { throw .mismatch(expected: .uint64, found: dbusValue) }
        self = value
    }
    /// The D-Bus value.
    public var dbusValue: Value { .uint64(self) }
}

extension Double: DBusRepresentable {
    /// `d`
    public static var dbusType: ValueType { .double }
    /// Reads a value of this type.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .double(let value) = dbusValue else { throw .mismatch(expected: .double, found: dbusValue) }
        self = value
    }
    /// The D-Bus value.
    public var dbusValue: Value { .double(self) }
}

extension String: DBusRepresentable {
    /// `s`
    public static var dbusType: ValueType { .string }
    /// Reads a value of this type.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .string(let value) = dbusValue else { throw .mismatch(expected: .string, found: dbusValue) }
        self = value
    }
    /// The D-Bus value.
    public var dbusValue: Value { .string(self) }
}

extension ObjectPath: DBusRepresentable {
    /// `o`
    public static var dbusType: ValueType { .objectPath }
    /// Reads a value of this type.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .objectPath(let value) = dbusValue else { throw .mismatch(expected: .objectPath, found: dbusValue) }
        self = value
    }
    /// The D-Bus value.
    public var dbusValue: Value { .objectPath(self) }
}

extension Signature: DBusRepresentable {
    /// `g`
    public static var dbusType: ValueType { .signature }
    /// Reads a value of this type.
    public init(dbusValue: Value) throws(DBusError) {
        guard case .signature(let value) = dbusValue else { throw .mismatch(expected: .signature, found: dbusValue) }
        self = value
    }
    /// The D-Bus value.
    public var dbusValue: Value { .signature(self) }
}
