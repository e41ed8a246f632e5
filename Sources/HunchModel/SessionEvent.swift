/// An event at which the person comes to the computer.
///
/// The raw value is its text as a ``Trigger``.
public enum SessionEvent: String, CaseIterable, Hashable, Sendable, Codable {
    /// A session of the person began at a seat of this machine.
    case sessionStarted = "login"
    /// A locked session was unlocked.
    case unlocked = "unlock"
    /// The machine woke up from sleep.
    case resumed = "resume"
}
