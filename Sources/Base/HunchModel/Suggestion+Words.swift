internal import Localization

extension Suggestion.Kind {
    /// The kind in the language of the user; its word if an app declared it.
    public var words: String {
        switch self {
        case .media: localized("Media")
        case .directions: localized("Directions")
        case .call: localized("Call")
        case .message: localized("Message")
        case .item: localized("Document or page")
        case .reservation: localized("Reservation")
        case .event: localized("Event")
        case .reminder: localized("Reminder")
        case .meeting: localized("Meeting")
        default: rawValue
        }
    }
}

extension Engagement.Outcome {
    /// The outcome in the language of the user.
    public var words: String {
        switch self {
        case .shown: localized("Shown")
        case .accepted: localized("Accepted")
        case .dismissed: localized("Dismissed")
        case .closed: localizedIn("outcome", "Closed")
        case .expired: localized("Ignored")
        case .failed: localized("Failed")
        case .withdrawn: localizedIn("outcome", "Withdrawn")
        case .replaced: localizedIn("outcome", "Replaced")
        }
    }
}
