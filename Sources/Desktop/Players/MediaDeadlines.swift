/// The deadlines for apps. An app that misses one has failed and is not suggested.
public struct MediaDeadlines: Sendable {
    /// The time to reply to a call.
    public var reply: Duration = .seconds(2)
    /// The time to reply before a player holds back a suggestion because it says that it plays.
    public var check: Duration = .seconds(1)
    /// The time to prepare a queue.
    public var preparation: Duration = .seconds(2)
    /// The time for a launched app to appear on the bus.
    public var appearance: Duration = .seconds(10)
    /// The time for an opened item to become the current one.
    public var opening: Duration = .seconds(5)
    /// The time for playback to begin after a request.
    public var start: Duration = .seconds(5)

    /// The delays before each retry of an unresponsive player. The first is short because some players own their name
    /// before they export their object. After the last retry, Hunch waits until the player sends a signal.
    public var retries: [Duration] = [.milliseconds(200), .seconds(1), .seconds(5), .seconds(20)]

    /// Creates the default deadlines.
    public init() {}
}
