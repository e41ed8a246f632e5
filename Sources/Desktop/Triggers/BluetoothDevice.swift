/// A Bluetooth audio device as BlueZ describes it (`org.bluez.Device1`, BlueZ's `doc/org.bluez.Device.rst`).
struct BluetoothDevice: Hashable, Sendable {
    /// The address in upper case with colons: `00:11:22:AA:BB:CC`.
    var address: String
    /// The user's name for the device, else the device's own, else its address; at most ``nameLimit`` characters.
    var name: String
    /// The clues to the kind of the device.
    var clues: DeviceClues
    /// Whether the device is connected.
    var isConnected: Bool
    /// The addresses of further members of the same coordinated set, such as the second of two earbuds.
    var others: Set<String> = []

    /// The maximum length of a name, in characters. Longer names are cut. Bluetooth allows 248 bytes.
    static let nameLimit = 256
}

/// The state of BlueZ.
enum BlueZState: Hashable, Sendable {
    /// The system bus cannot be reached; the text is the reason.
    case unreachable(String)
    /// The bus answers, but BlueZ does not run.
    case absent
    /// All audio devices, connected or not.
    case present([BluetoothDevice])
}

extension BluetoothDevice {
    /// Returns an address in upper case with colons; `nil` if the text is not an address.
    ///
    /// - Parameter text: six pairs of hexadecimal digits, separated by colons or underscores.
    static func address(_ text: some StringProtocol) -> String? {
        let pairs = text.split(separator: text.contains("_") ? "_" : ":", omittingEmptySubsequences: false)
        let isAddress =
            pairs.count == 6 && pairs.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
        return isAddress ? pairs.joined(separator: ":").uppercased() : nil
    }
}
