/// An action of the person or of the notification server. There is at most one for each suggestion that was shown, and none
/// when it was replaced or withdrawn.
public enum NotificationEvent: Hashable, Sendable {
    /// The person pressed something.
    ///
    /// The token is the compositor's, to be passed on to the app that is opened; `nil` when the server gave none.
    case activated(suggestion: String, action: Action, token: String?)
    /// It is no longer shown.
    case closed(suggestion: String, reason: CloseReason)
    /// A notification server came, be it the first or the next one. What an earlier one showed was closed before.
    case serverAppeared

    /// What was pressed.
    public enum Action: Hashable, Sendable {
        /// "Play", "Open" or "Call".
        case accept
        /// What may be taken instead.
        case companion
        /// One of several that were asked about, by its place among them.
        case choice(Int)
        /// "Not now".
        case notNow
        /// "Never on this device".
        case never
        /// "Undo", where the notification told of what followed from turning the suggestion down.
        case undo
        /// The notification itself, which means the same as ``accept``.
        case body
    }

    /// Why it is no longer shown.
    public enum CloseReason: Hashable, Sendable {
        /// Its time on the screen was over.
        case expired
        /// The person closed it without pressing anything. Only from servers that tell this from a press on the notification.
        case dismissed
        /// Another program had it closed.
        case closedByCall
        /// The server does not say.
        case undefined
        /// The server went away.
        case serverGone

        /// Source: Desktop Notifications Specification 1.2, `NotificationClosed`.
        init(code: UInt32, from traits: NotificationServer.Traits) {
            switch code {
            case 1: self = .expired
            case 2: self = traits.tellsDismissal ? .dismissed : .undefined
            case 3: self = .closedByCall
            default: self = .undefined
            }
        }
    }
}
