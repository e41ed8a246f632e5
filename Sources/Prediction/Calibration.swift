internal import HunchModel

/// How often the learner was right when it was as sure as it is now.
///
/// The probabilities of candidates know nothing of what was never done, and the best of several alike looks better than it
/// is. So what was said is compared with what happened: counts at eleven knots of what was said, each event parted between
/// the two nearest, lately done ones counting for more. Where little was said before, what is said counts as far as anything
/// is expected to have been done before.
struct Calibration: Sendable {
    /// The steps from 0 to 1.
    private static let steps = 10
    /// What is left of an event after the next one: some two hundred count.
    private static let memory = 0.995
    /// How many events what is said counts for.
    private static let trust = 6.0
    /// New and known actions before any was seen: at first most are new.
    private static let firstNew = 3.0
    private static let firstKnown = 1.0

    private var hits = Array(repeating: 0.0, count: steps + 1)
    private var tries = Array(repeating: 0.0, count: steps + 1)
    private var new = firstNew
    private var events = firstNew + firstKnown

    /// In memory.
    var byteCount: Int { Storage.bytes(of: hits) + Storage.bytes(of: tries) }

    /// Takes in a moment at which nothing could be said.
    ///
    /// - Parameter newShare: how much of what was done had never been done before, 0…1.
    mutating func learn(newShare: Double) {
        new = new * Self.memory + newShare
        events = events * Self.memory + 1
    }

    /// Takes in what was said at a moment, and what was done.
    ///
    /// - Parameters:
    ///   - said: how likely the first was said to be, 0…1.
    ///   - rightShare: how much of what was done was the first, 0…1.
    ///   - newShare: how much of it had never been done before, 0…1.
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

    /// How likely something is the one that is said to be, 0…1.
    ///
    /// - Parameter said: that; what is below 0 counts as 0, what is above 1 as 1.
    func chance(_ said: Double) -> Double {
        let said = min(max(said, 0), 1)
        let (knot, part) = Self.place(said)
        let hits = (1 - part) * hits[knot] + part * hits[knot + 1]
        let tries = (1 - part) * tries[knot] + part * tries[knot + 1]
        return (hits + Self.trust * said * (1 - new / events)) / (tries + Self.trust)
    }

    /// The knot below, and how far it is to the next one, 0…1.
    private static func place(_ said: Double) -> (knot: Int, part: Double) {
        let scaled = min(max(said, 0), 1) * Double(steps)
        let knot = min(Int(clamping: scaled, .towardZero), steps - 1)
        return (knot, scaled - Double(knot))
    }
}
