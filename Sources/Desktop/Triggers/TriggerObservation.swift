package import FoundationEssentials
public import HunchDBus
public import HunchModel

/// A raw observation of a source, before any decision. A trace has one per line.
public enum TriggerObservation: Sendable {
    /// An observation of BlueZ's objects and their properties.
    case blueZ(BlueZObservation)
    /// The sinks and streams of the audio server.
    case audio(AudioObservation)
    /// An event of the user's session.
    case session(SessionEvent)
    /// The user's location.
    case location(LocationState)
    /// A unit of the user manager started (`began`) or ended.
    case unit(String, began: Bool)
    /// The power source; `nil` while UPower does not report it.
    case power(PowerSource?)
}

/// An observation of BlueZ.
public enum BlueZObservation: Sendable {
    /// The system bus cannot be reached; the text is the reason.
    case unreachable(String)
    /// A change in BlueZ's object tree.
    case event(ObjectTreeEvent)
}

/// An observation of the audio server.
public struct AudioObservation: Hashable, Sendable {
    package let state: AudioState
    /// All streams; `nil` if the server does not report them.
    package var streams: [AudioStream]?
    /// The date at which the server started; `nil` if that is unknown.
    var serverStart: Date?
    /// Whether the server is PipeWire's.
    var isPipeWire = false

    package init(
        state: AudioState, streams: [AudioStream]? = nil, serverStart: Date? = nil, isPipeWire: Bool = false
    ) {
        (self.state, self.streams, self.serverStart) = (state, streams, serverStart)
        self.isPipeWire = isPipeWire
    }
}
