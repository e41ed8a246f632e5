public import FoundationEssentials

/// An event of a log: what somebody did, in which circumstances, and what is to be made of it.
public struct LoggedEvent: Hashable, Sendable {
    /// What is to be made of an event.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// It is only learned.
        case learn
        /// It is only predicted.
        case predict
        /// It is predicted, then learned.
        case both
    }

    /// Who did it. Nothing of one person is used for another.
    public var user: String
    /// What was done.
    public var action: Action
    /// What held.
    public var circumstances: Circumstances
    /// When it was done, where that is known.
    public var date: Date?
    /// What is to be made of it.
    public var phase: Phase

    /// Makes an event.
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
