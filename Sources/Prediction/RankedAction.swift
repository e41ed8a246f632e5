public import HunchModel

/// An action that may be wanted now, how likely that is, and why.
public struct RankedAction: Hashable, Sendable {
    /// The action.
    public var action: Action
    /// How likely it is among all candidates, 0…1.
    public var probability: Double
    /// What speaks for it (a positive weight) and against it, the weightiest first. The weights add up to its lead over
    /// the next action that was ever done, or for any but the first, to its arrears behind the first of those. None for what
    /// was never done itself.
    public var evidence: [Evidence]
    /// Whether anything else was ever done. Where nothing was, the evidence is held against something never done: its counts
    /// are true, but how far ahead it is means nothing.
    public var hasRival: Bool
}

/// A piece of evidence for an action against another.
public struct Evidence: Hashable, Sendable {
    /// Its kind.
    public var source: EvidenceSource
    /// What it adds to the action's log-odds against the other.
    public var weight: Double
    /// What it was counted from; `nil` for evidence that is not a count.
    public var share: Explanation.Share?
}
