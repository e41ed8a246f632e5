/// The stage of a suggestion that a notification shows.
public enum NotificationStage: Hashable, Sendable {
    /// The user may accept the suggestion.
    case offered
    /// The user accepted the suggestion, which has not started yet.
    case starting
    /// The user accepted the suggestion, whose device of this name disconnected. It starts if the device comes back.
    case waiting(for: String)
    /// The suggestion failed, and may be accepted again.
    ///
    /// The text is the reason, as a sentence without a full stop. It is empty if the screen must not show it. `playsAnew`:
    /// whether the app plays the item, but from the beginning.
    case failed(String, playsAnew: Bool = false)

    /// Whether the user accepted the suggestion, so that there is nothing to press.
    public var isAccepted: Bool {
        switch self {
        case .starting, .waiting: true
        case .offered, .failed: false
        }
    }
}
