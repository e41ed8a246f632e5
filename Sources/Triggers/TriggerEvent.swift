public import HunchDBus
public import HunchModel

/// Something happened to a device that sound can go to.
public enum TriggerEvent: Hashable, Sendable {
    /// A device came and is ready to be played on; once for each time that it comes.
    case deviceReady(AudioDevice, at: MonotonicInstant)
    /// A device was away for a short time and is ready again: the link flapped, which is no new moment.
    case deviceReturned(AudioDevice, after: Duration, at: MonotonicInstant)
    /// A device went that was ready, or was there from the start. Nothing may start to play because of it.
    case deviceLost(AudioDevice, at: MonotonicInstant)
}
