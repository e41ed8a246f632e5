public import HunchDBus

/// A value that crosses the bus as `a{sv}`. ``BusValue`` implements it from a list of keys.
public protocol MapValue: DBusRepresentable {
    /// Reads a value. Absent keys keep their defaults, unknown keys are ignored.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` for a value of the wrong type.
    init(transfer map: VariantMap) throws(DBusError)
    /// The value with its keys. Absent values have no key.
    var transfer: VariantMap { get }
}

extension MapValue {
    /// `a{sv}`
    public static var dbusType: ValueType { VariantMap.dbusType }
    /// Reads a value; see ``init(transfer:)``.
    public init(dbusValue: Value) throws(DBusError) { try self.init(transfer: try VariantMap(dbusValue: dbusValue)) }
    /// The value with its keys.
    public var dbusValue: Value { transfer.dbusValue }
}
