/// How long apps may take. A deadline that passes is an error of the app, which is then not offered.
public struct MediaDeadlines: Sendable {
    /// For the answer to one call.
    public var reply: Duration = .seconds(2)
    /// For an app to prepare a queue.
    public var preparation: Duration = .seconds(2)
    /// For a launched app to appear on the bus.
    public var appearance: Duration = .seconds(10)
    /// For an item that was opened to become the current one.
    public var opening: Duration = .seconds(5)
    /// For playback to begin once it was asked for.
    public var start: Duration = .seconds(5)

    /// When a player that does not answer is asked again: at first soon, since some own their name before they have their
    /// object. After the last time it is left alone until it says something by itself.
    public var retries: [Duration] = [.milliseconds(200), .seconds(1), .seconds(5), .seconds(20)]

    /// The defaults above.
    public init() {}
}
