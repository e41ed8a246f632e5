/// A session event after which the user is at the machine.
///
/// The raw value is the text of ``Trigger/session(_:)``.
public enum SessionEvent: String, CaseIterable, Hashable, Sendable, Codable {
    /// A session of the user began at a seat of this machine.
    case sessionStarted = "login"
    /// A locked session was unlocked.
    case unlocked = "unlock"
    /// The machine woke from sleep.
    case resumed = "resume"
}
