public import HunchDBus

/// What became of the attempt to show a suggestion.
public enum PresentationResult: Hashable, Sendable {
    /// The notification server took it under this number and is not known to hold notifications back.
    case shown(UInt32)
    /// The person asked the notification server not to be disturbed: nothing was sent.
    case inhibited
    /// The server shows no buttons, so that nobody could answer what was to be asked: nothing was sent.
    case unanswerable
    /// There is no notification server and none that could be started.
    case noServer
    /// The server answered with an error or not in time. In the second case the notification may still appear;
    /// nothing comes of it.
    case refused(DBusError)
}
