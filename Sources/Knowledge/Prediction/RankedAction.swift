public import HunchModel

/// A predicted action, with its probability and evidence.
public struct RankedAction: Hashable, Sendable {
    /// The action.
    public var action: Action
    /// The probability among all candidates, 0…1.
    public var probability: Double
    /// The evidence for the action (positive weights) and against it, the largest first. Empty for an action that was
    /// never done. For the first action, the weights sum to its lead over the next one that was ever done. For any
    /// other, they sum to its deficit behind the first.
    public var evidence: [Evidence]
    /// Whether any other action was ever done. If not, the evidence compares the action with one that was never done.
    /// Its counts are then true, but its lead means nothing.
    public var hasRival: Bool
    /// The occurrences of the trigger after which the action was done, of those after which anything was; `nil` without a
    /// trigger. The evidence counts actions instead, of which several may follow one occurrence.
    public var occasions: Explanation.Share?
}

/// One piece of evidence for an action against another.
public struct Evidence: Hashable, Sendable {
    /// The kind of evidence.
    public var source: EvidenceSource
    /// The evidence's contribution to the log-odds of the action against the other.
    public var weight: Double
    /// The counts behind the evidence; `nil` for evidence that is not a count.
    public var share: Explanation.Share?
}
