/// A Bluetooth device as BlueZ describes it, for ``MockBlueZ``.
public struct MockBluetoothDevice: Sendable {
    /// Six pairs of hexadecimal digits in upper case, with colons.
    public var address: String
    /// The name that the device gives itself, and its alias until someone renames it.
    public var name: String
    /// The icon name that BlueZ derives from class or appearance; empty for none.
    public var icon: String
    /// The Class of Device (Bluetooth Assigned Numbers, 2.8); 0 for a device of LE alone.
    public var deviceClass: UInt32
    /// The GAP appearance (Bluetooth Assigned Numbers, 2.6); 0 for none.
    public var appearance: UInt16
    /// The 16-bit numbers of the services it offers.
    public var services: [UInt16]

    /// Describes a device; nothing is put on a bus.
    public init(
        address: String, name: String, icon: String = "", deviceClass: UInt32 = 0, appearance: UInt16 = 0,
        services: [UInt16] = []
    ) {
        self.address = address
        self.name = name
        self.icon = icon
        self.deviceClass = deviceClass
        self.appearance = appearance
        self.services = services
    }

    /// Headphones with a microphone: Class 0x240404, A2DP sink, AVRCP and hands-free.
    public static func headset(
        address: String = "00:11:22:33:44:55", name: String = "WH-1000"
    ) -> MockBluetoothDevice {
        MockBluetoothDevice(
            address: address, name: name, icon: "audio-headset", deviceClass: 0x24_0404,
            services: [0x110b, 0x110e, 0x111e])
    }

    /// A loudspeaker: Class 0x240414, A2DP sink and AVRCP.
    public static func speaker(
        address: String = "00:11:22:33:44:66", name: String = "Kitchen"
    ) -> MockBluetoothDevice {
        MockBluetoothDevice(
            address: address, name: name, icon: "audio-card", deviceClass: 0x24_0414, services: [0x110b, 0x110e])
    }

    /// `AA_BB_CC_DD_EE_FF`, as in object paths and in the names of sinks.
    public var underscored: String { address.split(separator: ":").joined(separator: "_") }
}
