/// The times that the route-ready gate waits.
public struct GateTiming: Hashable, Sendable {
    /// The time that a device must be connected and the default output before it is ready.
    public var settle: Duration
    /// The longest absence after which a device continues its former connection.
    public var rejoin: Duration
    /// The longest absence of a sleeping display that does not count as unplugging it.
    public var displaySleep: Duration
    /// The time that the audio server needs, once it is reachable, to find the devices that are already plugged in.
    public var warmUp: Duration

    /// Creates the timing. No time may be negative.
    public init(
        settle: Duration = .seconds(1), rejoin: Duration = .seconds(5), displaySleep: Duration = .seconds(3_600),
        warmUp: Duration = .seconds(3)
    ) {
        self.settle = settle
        self.rejoin = rejoin
        self.displaySleep = displaySleep
        self.warmUp = warmUp
    }
}
