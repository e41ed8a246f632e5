/// The stage of a suggestion that a notification shows.
public enum NotificationStage: Hashable, Sendable {
    /// The person may accept the suggestion.
    case offered
    /// The person accepted the suggestion, which has not started yet.
    case starting
    /// The suggestion failed, and may be accepted again.
    ///
    /// The text is the reason, as a sentence without a full stop. It is empty if the screen must not show it.
    case failed(String)
}
