/// The reason why a report or a sketch cannot be used, in one sentence without a full stop.
public struct PopularityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, for people.
    public let description: String

    init(_ description: String) { self.description = description }
}
