public import HunchDBus
public import HunchModel

extension AppID: DBusRepresentable {}
extension AudioDevice.ID: DBusRepresentable {}

extension TextIdentifier where Self: DBusRepresentable {
    /// `s`
    public static var dbusType: ValueType { .string }
    /// Reads a text.
    public init(dbusValue: Value) throws(DBusError) { self.init(rawValue: try String(dbusValue: dbusValue)) }
    /// The text as a D-Bus value.
    public var dbusValue: Value { .string(rawValue) }
}
