/// An audio device that comes and goes: headphones, a speaker, a car.
public struct AudioDevice: Hashable, Sendable, Codable, Identifiable {
    /// The kind of the device.
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

    /// The connection of the device.
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

    /// The identifier, stable across connections: a Bluetooth address in upper case with colons, or the name of a
    /// sink or port.
    public let id: String
    /// The name that the person gave the device.
    public var name: String
    /// The kind of the device.
    public var kind: Kind
    /// The connection of the device.
    public var transport: Transport

    /// Makes a device.
    public init(id: String, name: String, kind: Kind, transport: Transport) {
        self.id = id
        self.name = name
        self.kind = kind
        self.transport = transport
    }
}
