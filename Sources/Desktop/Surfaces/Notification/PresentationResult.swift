public import HunchDBus

/// The result of showing a suggestion.
public enum PresentationResult: Hashable, Sendable {
    /// The notification server accepted it under this number. Do Not Disturb is not known to be on.
    case shown(UInt32)
    /// Do Not Disturb is on. Nothing was sent.
    case inhibited
    /// The server shows no buttons, so the question could not be answered. Nothing was sent.
    case unanswerable
    /// No notification server runs, and none could be started.
    case noServer
    /// The server replied with an error or too late. A late notification may still appear, but has no effect.
    case refused(DBusError)
}
