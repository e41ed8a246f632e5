public import FoundationEssentials

/// The result of recording a row.
public enum RecordOutcome: Sendable {
    /// It is on disk.
    case recorded
    /// Nothing is recorded, since the person has not enabled Hunch.
    case notEnabled
    /// Nothing is recorded, since the person paused Hunch until then.
    case paused(until: Date)
    /// Nothing is recorded of it, for the reason in words: the app is excluded, its kind is off, or the person's desktop
    /// says that nothing is to be remembered.
    case withheld(reason: String)
    /// It is not acceptable; the rest of its batch is not affected.
    case refused(HistoryError)

    /// Whether it is on disk.
    public var isRecorded: Bool {
        if case .recorded = self { true } else { false }
    }
}
