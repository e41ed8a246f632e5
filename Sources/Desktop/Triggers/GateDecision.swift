import HunchModel

/// A decision of the route-ready gate.
enum GateDecision: Hashable, Sendable {
    /// The device connected, and sound goes to it.
    case ready(AudioDevice)
    /// The device reconnected after a short absence, and sound goes to it again.
    case returned(AudioDevice, after: Duration)
    /// Sound goes to the device again, which was connected and ready all the time.
    case regained(AudioDevice)
    /// The device disconnected.
    case lost(AudioDevice)
    /// The device is not ready, for a new reason.
    case held(AudioDevice, DeviceHold)
}
