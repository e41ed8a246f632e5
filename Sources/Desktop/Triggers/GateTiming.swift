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

    /// The length of a connection below which its end marks the link as unstable.
    var brief: Duration { rejoin * 6 }
    /// The same on a link that is unstable already.
    var briefAgain: Duration { rejoin * 12 }
    /// The length of an absence from which on the link counts as stable again.
    var calm: Duration { rejoin * 6 }
    /// The same for a link that broke more often.
    var calmAgain: Duration { rejoin * 60 }

    /// Returns the time that a device on an unstable link must be the default output before it is ready.
    ///
    /// - Parameter longest: the longest of the connections that broke. The next one has to hold for twice as long.
    func settle(afterBreaksOf longest: Duration) -> Duration { max(settle, rejoin * 3, longest * 2) }

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
