internal import HunchModel

/// Decides what a notification server that comes is given to show.
///
/// A notification that went away with its server is shown again, and so is one that no server has shown yet. Each is shown again
/// once only, since a notification may be what crashes the server.
struct NotificationRecovery {
    private var lost: Suggestion.ID?
    private var shownAgain: Suggestion.ID?
    private var shownLate: Suggestion.ID?

    /// Notes that a notification went away with its server.
    mutating func lose(_ identifier: Suggestion.ID) { lost = identifier }

    /// Returns whether to show a suggestion that still holds on the server that came, and takes it as done.
    ///
    /// - Parameter wasShown: whether the person has seen it. What left the screen while its server ran stays away.
    mutating func shows(_ identifier: Suggestion.ID, wasShown: Bool) -> Bool {
        if lost == identifier {
            lost = nil
            guard shownAgain != identifier else { return false }
            shownAgain = identifier
            return true
        }
        guard !wasShown, shownLate != identifier else { return false }
        shownLate = identifier
        return true
    }
}
