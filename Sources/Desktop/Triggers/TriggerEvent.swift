public import EventLoops
public import HunchModel

/// A change of a device that sound can go to.
public enum TriggerEvent: Hashable, Sendable {
    /// A device connected and is ready for playback. Delivered once per connection.
    case deviceReady(AudioDevice, at: MonotonicInstant)
    /// A device reconnected after a short absence and is ready again: the link flapped or a display slept. On an unstable
    /// link, ``deviceReady(_:at:)`` follows once the connection has held.
    case deviceReconnected(AudioDevice, after: Duration, at: MonotonicInstant)
    /// Sound goes again to a device that was connected and ready all the time, or to one that was connected before the
    /// watching began. That is not a new trigger.
    case deviceRegained(AudioDevice, at: MonotonicInstant)
    /// A device disconnected that was ready or present from the start. Nothing may start to play because of it.
    case deviceDisconnected(AudioDevice, at: MonotonicInstant)

    /// Creates the event of a decision; `nil` for a hold.
    init?(_ decision: GateDecision, at instant: MonotonicInstant) {
        switch decision {
        case .ready(let device): self = .deviceReady(device, at: instant)
        case .returned(let device, let away): self = .deviceReconnected(device, after: away, at: instant)
        case .regained(let device): self = .deviceRegained(device, at: instant)
        case .lost(let device): self = .deviceDisconnected(device, at: instant)
        case .held: return nil
        }
    }
}
