/// An event of a notification or its server. Each shown suggestion has at most one, and none if replaced or withdrawn.
public enum NotificationEvent: Hashable, Sendable {
    /// The user pressed a button or the notification.
    ///
    /// The token is the compositor's activation token for the opened app; `nil` if the server gave none.
    case activated(suggestion: String, action: Action, token: String?)
    /// The notification is no longer shown.
    case closed(suggestion: String, reason: CloseReason)
    /// A notification server started. The notifications of an earlier server were closed before.
    case serverAppeared

    /// The pressed element.
    public enum Action: Hashable, Sendable {
        /// "Play", "Open" or "Call".
        case accept
        /// A companion, as an alternative, by its index.
        case companion(Int)
        /// An answer to a question, by the index of its suggestion.
        case choice(Int)
        /// "Not now".
        case notNow
        /// "Never on this device".
        case never
        /// "Undo", on the notification that announces a mute.
        case undo
        /// "Settings", which opens the window.
        case settings
        /// The notification itself, equivalent to ``accept``.
        case body
    }

    /// The reason why a notification is no longer shown.
    public enum CloseReason: Hashable, Sendable {
        /// Its time on screen ended.
        case expired
        /// The user closed it, alone or with all others: GNOME Shell's “Clear all”, dunst's `close-all` and mako's
        /// `dismiss --all` report the same. Only from servers that distinguish this from pressing the notification.
        case dismissed
        /// A program closed it through the bus.
        case closedByCall
        /// The server gives no reason.
        case undefined
        /// The server disappeared.
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
