/// Why a device that is there does not count as ready.
public enum HoldReason: Hashable, Sendable, CustomStringConvertible {
    /// The audio server has a sink for it, but BlueZ says that it is not connected.
    case notConnected
    /// The audio server cannot be reached.
    case audioServerUnreachable
    /// The audio server has no sink for it yet.
    case noOutput
    /// Its sink is there, with nothing plugged into the port it plays through.
    case nothingPluggedIn
    /// Sound goes elsewhere, to the output of this name; `nil` when the server has no default.
    case notDefault(current: String?)
    /// Everything holds, but not yet for the settle time.
    case settling
    /// It was there before Hunch looked, which is a state and not an event.
    case alreadyThere

    /// One sentence for a person.
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
