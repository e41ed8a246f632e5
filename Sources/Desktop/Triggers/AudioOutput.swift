import HunchModel

/// A sink of the audio server, with the properties that identify its device.
package struct AudioOutput: Hashable, Sendable {
    /// The sink's name. It stays the same when the same device reconnects.
    package var name: String
    /// The name shown to people.
    package var description: String
    /// The values of ``keys`` from the sink's property list, or from its card's if the sink lacks them.
    package var properties: [String: String] = [:]
    /// The sink's ports, one per socket or speaker.
    package var ports: [AudioPort] = []
    /// The groups of the filters that take their sound from this sink: PipeWire's `node.link-group`, and `module N` for
    /// the server's module N. The streams into which such a filter plays have the same group.
    package var groups: Set<String> = []
    /// Whether sound goes to this sink by default, directly or through a filter.
    var isDefault = false
    /// Whether the kernel has a joystick or gamepad on the USB device of this sink; see ``JoystickFinder``.
    package var isJoystick = false

    /// The relevant properties (PulseAudio's `pulse/proplist.h`, PipeWire's `keys.h` and `spa/monitor/bluez5`).
    package static let keys = [
        "device.form_factor", "device.form-factor", "device.bus", "device.api", "device.string", "device.class",
        "device.master_device", "device.product.name", "api.bluez5.address", "node.virtual", "node.link-group",
        "node.driver-id", "object.id", "factory.name", "sysfs.path",
    ]
    /// The maximum length of names and values, in characters. Longer ones are cut.
    static let textLimit = 512
    /// The maximum number of sinks, and of ports per sink. Further ones are ignored.
    package static let limit = 256
}

/// A port of a sink.
package struct AudioPort: Hashable, Sendable {
    /// Whether something is plugged into a port.
    package enum Availability: Hashable, Sendable {
        /// The hardware cannot detect it.
        case unknown
        case no
        case yes
    }

    /// The port's name, such as `analog-output-headphones`.
    package var name: String
    /// The name shown to people, such as "Headphones", or the product's name if the port knows it.
    package var description: String
    /// libpulse's `pa_device_port_type_t`; 0 if unknown.
    package var type: UInt32 = 0
    package var availability = Availability.unknown
    /// Whether the sink plays through this port.
    package var isActive = false
}

extension AudioOutput {
    /// Creates a sink without properties and ports.
    package init(name: String, description: String) { (self.name, self.description) = (name, description) }
}

extension AudioPort {
    /// Creates an unused port of an unknown type.
    package init(name: String, description: String) { (self.name, self.description) = (name, description) }
}

/// The state of the audio server.
package enum AudioState: Hashable, Sendable {
    /// The server cannot be reached; the text is the reason.
    case unreachable(String)
    /// The server answers; these are all its sinks.
    case present([AudioOutput])
}

extension AudioOutput {
    /// The `device.form_factor`, which PipeWire spells with a hyphen in its own properties.
    var formFactor: String { properties["device.form_factor"] ?? properties["device.form-factor"] ?? "" }

    /// The address of the Bluetooth device behind the sink, in upper case with colons.
    ///
    /// PipeWire gives `api.bluez5.address`, PulseAudio `device.string`. Both write the address into the sink's name.
    var bluetoothAddress: String? {
        if let address = properties["api.bluez5.address"].flatMap({ BluetoothDevice.address($0) }) { return address }
        if isBluetooth, let address = properties["device.string"].flatMap({ BluetoothDevice.address($0) }) {
            return address
        }
        let parts = name.split(separator: ".")
        guard parts.count > 1, ["bluez_output", "bluez_sink"].contains(parts[0]) else { return nil }
        return BluetoothDevice.address(parts[1])
    }

    private var isBluetooth: Bool {
        properties["device.bus"] == "bluetooth" || properties["device.api"]?.hasPrefix("bluez") == true
    }

    /// The identifier of the device behind the sink if it has no address: the sink's name, shortened for sound cards.
    ///
    /// A sound card's name loses the number that the server adds while an old sink remains. It also loses its last part,
    /// which differs between profiles and sinks (`alsa_output.usb-Maker_Headset-00.analog-stereo`). PipeWire adds the
    /// number to the card, `alsa_output.usb-Maker_Headset-00.2.analog-stereo`. A number in the address of a PCI card stays.
    var deviceName: String {
        var parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, ["alsa_output", "alsa_card"].contains(parts[0]) else { return name }
        if parts[0] == "alsa_card" {
            parts[0] = "alsa_output"
        } else if parts.count > 2 {
            if parts.count > 3, parts.last?.allSatisfy(\.isWholeNumber) == true { parts.removeLast() }
            parts.removeLast()
        }
        if parts.count > 2, parts[1].hasPrefix("usb-"), parts.last?.allSatisfy(\.isWholeNumber) == true {
            parts.removeLast()
        }
        return parts.joined(separator: ".")
    }

    /// The transport of the device behind the sink, ignoring its ports.
    var transport: AudioDevice.Transport {
        if isBluetooth || bluetoothAddress != nil { return .bluetooth }
        if properties["device.bus"] == "usb" { return .usb }
        return .other
    }
}

extension AudioPort {
    /// The transport of whatever is plugged into the port.
    var transport: AudioDevice.Transport {
        // libpulse's types HDMI, TV and video. Old servers give the ports no type, only a name.
        if [10, 11, 13].contains(type) || name.lowercased().contains("hdmi") { return .hdmi }
        return .wired
    }

    /// The kind of the device that is plugged into the port.
    var kind: AudioDevice.Kind { DeviceClues(portType: type, portName: name).kind }

    /// Whether the port is a socket rather than a built-in speaker.
    var isSocket: Bool { [.headphones, .headset, .display].contains(kind) }
}
