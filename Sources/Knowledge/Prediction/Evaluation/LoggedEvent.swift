public import FoundationEssentials

/// An event of a log: an action of a user, its circumstances, and whether to predict or learn it.
public struct LoggedEvent: Hashable, Sendable {
    /// The use of an event in a replay.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// The event is only learned.
        case learn
        /// The event is only predicted.
        case predict
        /// The event is predicted, then learned.
        case both
    }

    /// The user. Each user is predicted from their own past alone.
    public var user: String
    /// The action.
    public var action: Action
    /// The circumstances of the action.
    public var circumstances: Circumstances
    /// The date of the action, if known.
    public var date: Date?
    /// The use of the event in the replay.
    public var phase: Phase

    /// Creates an event.
    public init(
        user: String, action: Action, circumstances: Circumstances = Circumstances(), date: Date? = nil,
        phase: Phase = .both
    ) {
        self.user = user
        self.action = action
        self.circumstances = circumstances
        self.date = date
        self.phase = phase
    }
}
