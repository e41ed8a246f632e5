/// An audio device that a user connects: headphones, a speaker, a car.
public struct AudioDevice: Hashable, Sendable, Codable, Identifiable {
    /// The kinds of devices.
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
        /// Any other device that plays sound.
        case other
    }

    /// The kinds of connections.
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

    /// A stable identifier: a Bluetooth address in upper case with colons, otherwise the name of the sink or port.
    public struct ID: TextIdentifier {
        /// The identifier.
        public let rawValue: String
        /// Creates an identifier from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The identifier.
    public let id: ID
    /// The name that the user sees.
    public var name: String
    /// The kind of device.
    public var kind: Kind
    /// The kind of connection.
    public var transport: Transport

    /// Creates a device.
    public init(id: ID, name: String, kind: Kind, transport: Transport) {
        self.id = id
        self.name = name
        self.kind = kind
        self.transport = transport
    }
}
