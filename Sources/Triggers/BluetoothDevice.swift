/// A Bluetooth device that plays sound, as BlueZ describes it (`org.bluez.Device1`, BlueZ's `doc/org.bluez.Device.rst`).
struct BluetoothDevice: Hashable, Sendable {
    /// Upper case with colons: `00:11:22:AA:BB:CC`.
    var address: String
    /// What the person calls it, else what it calls itself, else its address; at most ``nameLimit`` characters.
    var name: String
    /// What there is to tell its kind from.
    var clues: DeviceClues
    /// Whether there is a link to it.
    var isConnected: Bool
    /// The addresses of the others that are one device with it in a person's hands, as the second of two earbuds.
    var others: Set<String> = []

    /// Longer names are cut. Bluetooth allows 248 bytes.
    static let nameLimit = 256
}

/// What BlueZ says.
enum BlueZState: Hashable, Sendable {
    /// The system bus cannot be reached; the text says why.
    case unreachable(String)
    /// The bus is there, BlueZ is not.
    case absent
    /// Every device that plays sound, connected or not.
    case present([BluetoothDevice])
}

extension BluetoothDevice {
    /// An address in upper case with colons; nil when the text is none.
    ///
    /// - Parameter text: six pairs of hexadecimal digits, with colons or underscores between them.
    static func address(_ text: some StringProtocol) -> String? {
        let pairs = text.split(separator: text.contains("_") ? "_" : ":", omittingEmptySubsequences: false)
        let isAddress =
            pairs.count == 6 && pairs.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
        return isAddress ? pairs.joined(separator: ":").uppercased() : nil
    }
}
