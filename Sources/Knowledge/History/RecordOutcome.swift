public import FoundationEssentials

/// The outcome of recording an item.
public enum RecordOutcome: Sendable {
    /// The item is on disk.
    case recorded
    /// The user has not enabled Hunch, so nothing is recorded.
    case notEnabled
    /// The user paused Hunch until this date, so nothing is recorded.
    case paused(until: Date)
    /// The item was not recorded, for the reason in words: the app is excluded, the category of its kind is off, or the
    /// desktop's privacy settings forbid recording.
    case withheld(reason: String)
    /// The item is not acceptable. The rest of its batch is not affected.
    case refused(HistoryError)

    /// Whether the item is on disk.
    public var isRecorded: Bool {
        if case .recorded = self { true } else { false }
    }
}
