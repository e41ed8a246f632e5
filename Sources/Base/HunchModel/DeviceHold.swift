internal import Localization

/// A reason why a device that is present is not ready, or is ready but no trigger.
public enum DeviceHold: Hashable, Sendable, CustomStringConvertible {
    /// The audio server has a sink for the device, but BlueZ says that it is not connected.
    case notConnected
    /// The audio server cannot be reached.
    case audioServerUnreachable
    /// The audio server has no sink for the device yet.
    case noOutput
    /// The sink exists, but nothing is plugged into its active port.
    case nothingPluggedIn
    /// Sound goes elsewhere, to the output of this name; `nil` if the server has no default.
    case notDefault(current: String?)
    /// The device is connected and the default output, but has not been for the settle time.
    case settling
    /// The link broke soon after it connected, so that the device counts as back only once it has held for a while.
    case unstable
    /// The device was present before the agent looked, which is a state and not an event.
    case alreadyThere

    /// The code of the reason, for programs.
    public var code: String {
        switch self {
        case .notConnected: "notConnected"
        case .audioServerUnreachable: "audioServerUnreachable"
        case .noOutput: "noOutput"
        case .nothingPluggedIn: "nothingPluggedIn"
        case .notDefault: "notDefault"
        case .settling: "settling"
        case .unstable: "unstable"
        case .alreadyThere: "alreadyThere"
        }
    }

    /// The reason as one sentence for a user, in their language.
    public var description: String {
        switch self {
        case .notConnected: localized("It is not connected.")
        case .audioServerUnreachable: localized("The audio server cannot be reached.")
        case .noOutput: localized("Sound cannot go to it yet.")
        case .nothingPluggedIn: localized("Nothing is plugged in.")
        case .notDefault(let current?): localized("Sound goes to %1.", current)
        case .notDefault(nil): localized("No output is chosen for sound.")
        case .settling: localized("Sound has only just gone to it.")
        case .unstable:
            localized(
                "Its connection broke soon after it began. It is ready once it has been connected for longer.")
        case .alreadyThere: localized("It was already connected when Hunch began to watch.")
        }
    }
}
