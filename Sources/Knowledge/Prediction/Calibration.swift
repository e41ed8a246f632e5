internal import HunchModel

/// Converts the learner's probabilities into confidence: the hit rate of past predictions with a similar probability.
///
/// The raw probabilities ignore actions that were never done before, and the best of several similar candidates looks
/// better than it is. So this type compares predictions with outcomes. It counts hits and tries at eleven knots of the
/// predicted probability. Each event is split between the two nearest knots, and older events decay. Where there is
/// little data, the prediction counts in proportion to the expected share of known actions.
struct Calibration: Sendable {
    /// The number of intervals between 0 and 1.
    private static let steps = 10
    /// The decay factor per event: about the last two hundred count.
    private static let memory = 0.995
    /// The weight of the predicted probability, in events.
    private static let trust = 6.0
    /// The initial counts of new and known actions. At first, most actions are new.
    private static let firstNew = 3.0
    private static let firstKnown = 1.0

    private var hits = Array(repeating: 0.0, count: steps + 1)
    private var tries = Array(repeating: 0.0, count: steps + 1)
    private var new = firstNew
    private var events = firstNew + firstKnown

    /// The size in memory, in bytes.
    var byteCount: Int { Storage.bytes(of: hits) + Storage.bytes(of: tries) }

    /// Learns an event that had no prediction.
    ///
    /// - Parameter newShare: The share of the event's actions that were never done before, 0…1.
    mutating func learn(newShare: Double) {
        new = new * Self.memory + newShare
        events = events * Self.memory + 1
    }

    /// Learns a prediction and its outcome.
    ///
    /// - Parameters:
    ///   - said: The predicted probability of the first candidate, 0…1.
    ///   - rightShare: The share of the event's actions that equal the first candidate, 0…1.
    ///   - newShare: The share of the event's actions that were never done before, 0…1.
    mutating func learn(said: Double, rightShare: Double, newShare: Double) {
        learn(newShare: newShare)
        let (knot, part) = Self.place(said)
        for knot in hits.indices {
            hits[knot] *= Self.memory
            tries[knot] *= Self.memory
        }
        hits[knot] += (1 - part) * rightShare
        tries[knot] += 1 - part
        hits[knot + 1] += part * rightShare
        tries[knot + 1] += part
    }

    /// Returns the confidence for a predicted probability, 0…1.
    ///
    /// - Parameter said: The predicted probability, clamped to 0…1.
    func chance(_ said: Double) -> Double {
        let said = min(max(said, 0), 1)
        let (knot, part) = Self.place(said)
        let hits = (1 - part) * hits[knot] + part * hits[knot + 1]
        let tries = (1 - part) * tries[knot] + part * tries[knot + 1]
        return (hits + Self.trust * said * (1 - new / events)) / (tries + Self.trust)
    }

    /// Returns the knot below and the distance to the next one, 0…1.
    private static func place(_ said: Double) -> (knot: Int, part: Double) {
        let scaled = min(max(said, 0), 1) * Double(steps)
        let knot = min(Int(clamping: scaled, .towardZero), steps - 1)
        return (knot, scaled - Double(knot))
    }
}
