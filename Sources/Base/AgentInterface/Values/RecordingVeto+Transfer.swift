public import HunchDBus
public import HunchModel

extension RecordingVeto: DBusRepresentable {
    /// `s`
    public static var dbusType: ValueType { .string }

    /// Reads a code. A code that only a newer version knows becomes ``settingsUnknown``.
    public init(dbusValue: Value) throws(DBusError) {
        self = RecordingVeto(rawValue: try String(dbusValue: dbusValue)) ?? .settingsUnknown
    }

    /// The code.
    public var dbusValue: Value { .string(rawValue) }
}
