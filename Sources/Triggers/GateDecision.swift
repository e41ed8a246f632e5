import HunchModel

/// What the route-ready gate decided.
enum GateDecision: Hashable, Sendable {
    /// The device came, and sound goes to it.
    case ready(AudioDevice)
    /// The device came back after a short absence, and sound goes to it again.
    case returned(AudioDevice, after: Duration)
    /// The device went.
    case lost(AudioDevice)
    /// The device is not ready, for a reason that is new.
    case held(AudioDevice, HoldReason)
}
