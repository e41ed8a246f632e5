/// The part of a suggestion's life that a notification tells of.
public enum NotificationStage: Hashable, Sendable {
    /// It may be taken.
    case offered
    /// The person took it, and it has not begun yet.
    case starting
    /// It could not be carried out, and may be taken again.
    ///
    /// The words say why, as a sentence without a full stop; empty where the screen may not tell.
    case failed(String)
}
