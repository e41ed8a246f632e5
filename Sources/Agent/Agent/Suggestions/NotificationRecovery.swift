internal import HunchModel

/// Decides what a new notification server shows. Identifiers are kept while a server that crashes shows them, so they are few.
///
/// A notification that disappeared with its server is shown again, and so is one that no server has shown yet. Each
/// is shown again only once, since a notification may be what crashes the server.
struct NotificationRecovery {
    private var lost: Set<Suggestion.ID> = []
    private var shownAgain: Set<Suggestion.ID> = []
    private var shownLate: Set<Suggestion.ID> = []

    /// Notes that a notification disappeared with its server.
    package mutating func lose(_ identifier: Suggestion.ID) { lost.insert(identifier) }

    /// Returns whether to show a current suggestion on a new server, and marks it as shown.
    ///
    /// - Parameter wasShown: whether it was shown before. A notification that disappeared while its server ran is not
    ///   shown again.
    package mutating func shows(_ identifier: Suggestion.ID, wasShown: Bool) -> Bool {
        if lost.remove(identifier) != nil { return shownAgain.insert(identifier).inserted }
        return !wasShown && shownLate.insert(identifier).inserted
    }
}
