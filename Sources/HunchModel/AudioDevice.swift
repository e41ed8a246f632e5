/// An output that a person puts on, plugs in or gets into.
public struct AudioDevice: Hashable, Sendable, Codable, Identifiable {
    /// What kind of thing it is.
    public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        /// Headphones without a microphone.
        case headphones
        /// Headphones with a microphone.
        case headset
        /// Earbuds.
        case earbuds
        /// A hearing aid.
        case hearingAid
        /// A loudspeaker.
        case speaker
        /// A car.
        case car
        /// A monitor or television.
        case display
        /// A docking station.
        case dock
        /// Something else that plays sound.
        case other
    }

    /// How it is connected.
    public enum Transport: String, CaseIterable, Hashable, Sendable, Codable {
        /// Bluetooth, classic or LE Audio.
        case bluetooth
        /// An analogue jack.
        case wired
        /// USB audio.
        case usb
        /// HDMI or DisplayPort.
        case hdmi
        /// Built in, virtual or unknown.
        case other
    }

    /// Stable between connections: a Bluetooth address in upper case with colons, else the sink or port name.
    public let id: String
    /// The person's name for it.
    public var name: String
    /// What kind of thing it is.
    public var kind: Kind
    /// How it is connected.
    public var transport: Transport

    /// Makes a device.
    public init(id: String, name: String, kind: Kind, transport: Transport) {
        self.id = id
        self.name = name
        self.kind = kind
        self.transport = transport
    }
}
