/// The person came to the machine: what they want may be what they want at such moments.
///
/// The raw value is its text as a ``Trigger``.
public enum SessionEvent: String, CaseIterable, Hashable, Sendable, Codable {
    /// A session of the person's began at a seat of this machine.
    case sessionStarted = "login"
    /// A session was locked, and is no more.
    case unlocked = "unlock"
    /// The machine slept, and woke up.
    case resumed = "resume"
}
