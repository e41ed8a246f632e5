/// How long things have to last before they count.
public struct GateTiming: Hashable, Sendable {
    /// How long a device must be connected and the default output before it is ready.
    public var settle: Duration
    /// How long a device may be gone and still come back as if it had not been.
    public var rejoin: Duration
    /// How long a display may be gone that slept: nobody plugged it in when it wakes.
    public var displaySleep: Duration
    /// How long the audio server takes, once it is reached, to find what was plugged in before.
    public var warmUp: Duration

    /// The times; none is negative.
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
