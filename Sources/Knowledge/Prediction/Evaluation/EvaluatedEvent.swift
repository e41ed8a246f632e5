/// The prediction of an event, and whether it was right.
public struct EvaluatedEvent: Hashable, Sendable {
    /// The ten likeliest actions, the likeliest first. Empty if nothing is known yet.
    public var ranked: [Action]
    /// The calibrated probability that the first action is right, 0…1; 0 if nothing is known.
    public var confidence: Double
    /// The rank of the right action, the first at 0; `nil` if it was not among the ten.
    public var rank: Int?
}
