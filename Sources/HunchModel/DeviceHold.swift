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
        case .alreadyThere: "alreadyThere"
        }
    }

    /// The reason as one sentence for a person.
    public var description: String {
        switch self {
        case .notConnected: "BlueZ says that it is not connected."
        case .audioServerUnreachable: "The audio server cannot be reached."
        case .noOutput: "The audio server has no output for it yet."
        case .nothingPluggedIn: "Nothing is plugged into its output."
        case .notDefault(let current?): "Sound goes to \(current)."
        case .notDefault(nil): "The audio server has no default output."
        case .settling: "It became the default output only a moment ago."
        case .alreadyThere: "It was there before the agent looked."
        }
    }
}
