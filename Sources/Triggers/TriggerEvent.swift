public import HunchDBus
public import HunchModel

/// Something happened to a device that sound can go to.
public enum TriggerEvent: Hashable, Sendable {
    /// A device came and is ready to be played on; once for each time that it comes.
    case deviceReady(AudioDevice, at: MonotonicInstant)
    /// A device was away for a short time and is ready again: the link flapped, or a display slept, which is no new moment.
    case deviceReturned(AudioDevice, after: Duration, at: MonotonicInstant)
    /// A device went that was ready, or was there from the start. Nothing may start to play because of it.
    case deviceLost(AudioDevice, at: MonotonicInstant)

    /// What a decision of the gate tells; `nil` for a decision to hold.
    init?(_ decision: GateDecision, at instant: MonotonicInstant) {
        switch decision {
        case .ready(let device): self = .deviceReady(device, at: instant)
        case .returned(let device, let away): self = .deviceReturned(device, after: away, at: instant)
        case .lost(let device): self = .deviceLost(device, at: instant)
        case .held: return nil
        }
    }
}
