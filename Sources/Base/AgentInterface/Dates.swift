public import FoundationEssentials
public import HunchDBus
internal import HunchModel

// Every instant on the bus lies within the years 1970 to 9999, UTC.

extension VariantMap {
    /// Returns the instant under a key that holds microseconds since 1970 (`t`); `nil` if the key is absent.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` for another type, `InvalidInput` after the year 9999.
    public func date(microseconds key: String) throws(DBusError) -> Date? {
        guard let number = try value(key, as: UInt64.self) else { return nil }
        guard let date = Date(checkedMicroseconds: number) else { throw Self.outside(key) }
        return date
    }

    private static func outside(_ key: String) -> DBusError {
        DBusError(.invalidInput, "“\(key)” is outside the years 1970 to 9999")
    }
}
