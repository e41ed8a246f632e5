import HunchModel

/// A sink of the audio server, with what identifies the device behind it.
struct AudioOutput: Hashable, Sendable {
    /// Its name, the same again when the same device comes back.
    var name: String
    /// The person's name for it.
    var description: String
    /// The values of ``keys`` in its property list, or in its card's where it has none itself.
    var properties: [String: String] = [:]
    /// Its ports: one per socket or speaker behind it.
    var ports: [AudioPort] = []
    /// Whether sound goes there unless an app says otherwise, be it through a filter.
    var isDefault = false

    /// The properties that matter (PulseAudio's `pulse/proplist.h`, PipeWire's `keys.h` and `spa/monitor/bluez5`).
    static let keys = [
        "device.form_factor", "device.form-factor", "device.bus", "device.api", "device.string", "device.class",
        "device.master_device", "device.product.name", "api.bluez5.address", "node.virtual",
    ]
    /// Longer names and values are cut to so many characters.
    static let textLimit = 512
    /// Further sinks, and further ports of one sink, are left out.
    static let limit = 256
}

/// A port of a sink.
struct AudioPort: Hashable, Sendable {
    /// Whether something is plugged in.
    enum Availability: Hashable, Sendable {
        /// The hardware cannot tell.
        case unknown
        /// Nothing is plugged in.
        case no
        /// Something is plugged in.
        case yes
    }

    /// Such as `analog-output-headphones`.
    var name: String
    /// What a person reads, such as "Headphones"; the product's name where the port knows it.
    var description: String
    /// libpulse's `pa_device_port_type_t`; 0 is unknown.
    var type: UInt32 = 0
    /// Whether something is plugged in.
    var availability = Availability.unknown
    /// Whether the sink plays through it.
    var isActive = false
}

/// What the audio server says.
enum AudioState: Hashable, Sendable {
    /// It cannot be reached; the text says why.
    case unreachable(String)
    /// All its sinks.
    case present([AudioOutput])
}

extension AudioOutput {
    /// The `device.form_factor`, which PipeWire spells with a hyphen in its own properties.
    var formFactor: String { properties["device.form_factor"] ?? properties["device.form-factor"] ?? "" }

    /// The address of the Bluetooth device behind it, in upper case with colons.
    ///
    /// PipeWire gives `api.bluez5.address`, PulseAudio `device.string`; both write it into the sink's name.
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

    /// What identifies the device behind it where no address does: of a sound card's sink its name without the last part, by
    /// which the profiles of a card and its several sinks differ (`alsa_output.usb-Maker_Headset-00.analog-stereo`), and without
    /// the number that follows while a former sink of that name lingers; else its name.
    var deviceName: String {
        var parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, ["alsa_output", "alsa_card"].contains(parts[0]) else { return name }
        if parts[0] == "alsa_card" {
            parts[0] = "alsa_output"
        } else if parts.count > 2 {
            if parts.count > 3, parts.last?.allSatisfy(\.isWholeNumber) == true { parts.removeLast() }
            parts.removeLast()
        }
        return parts.joined(separator: ".")
    }

    /// How the device behind it is connected, its ports aside.
    var transport: AudioDevice.Transport {
        if isBluetooth || bluetoothAddress != nil { return .bluetooth }
        if properties["device.bus"] == "usb" { return .usb }
        return .other
    }

    /// Whether it is made by software: a filter before another sink, or nothing that plays.
    var isVirtual: Bool {
        if properties["device.master_device"] != nil || properties["node.virtual"] == "true" { return true }
        return ["filter", "monitor"].contains(properties["device.class"] ?? "")
    }

    /// Marks the default among some sinks. A filter passes it on to the sink that it plays into.
    static func mark(default name: String, in outputs: [AudioOutput]) -> [AudioOutput] {
        var chain: Set<String> = []
        var next: String? = name
        while let name = next, !chain.contains(name) {
            chain.insert(name)
            next = outputs.first { $0.name == name }?.properties["device.master_device"]
        }
        return outputs.map { output in
            var output = output
            output.isDefault = chain.contains(output.name)
            return output
        }
    }
}

extension AudioPort {
    /// How what is plugged in there is connected.
    var transport: AudioDevice.Transport {
        // libpulse's types HDMI, TV and video; ports of old servers have a name alone.
        if [10, 11, 13].contains(type) || name.lowercased().contains("hdmi") { return .hdmi }
        return .wired
    }

    /// What is plugged in there.
    var kind: AudioDevice.Kind { DeviceClues(portType: type, portName: name).kind }

    /// Whether it is a socket that a person plugs something into, rather than what is built in.
    var isSocket: Bool { [.headphones, .headset, .display].contains(kind) }
}
