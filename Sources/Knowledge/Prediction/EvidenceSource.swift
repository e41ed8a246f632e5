/// A kind of evidence for an action.
public enum EvidenceSource: Hashable, Sendable {
    /// The action's overall frequency.
    case frequency
    /// The action's frequency after the last 1…4 actions (n-gram).
    case sequence(length: Int)
    /// The action's recency, decayed with a half-life of 2, 8, 40 or 250 actions.
    case recency(halfLife: Int)
    /// The action's decayed frequency after the last 1 or 2 actions.
    case recentSequence(length: Int)
    /// The action was the latest successor of the last 1…3 actions.
    case lastSuccessor(length: Int)
    /// The number of other actions done since: 0…5, 6 for 6 and 7, 8 for 8 to 11, 12 for 12 to 23.
    case rank(Int)
    /// The action followed when the last 2…40 actions occurred in this order before.
    case match(length: Int)
    /// The action's frequency after the trigger.
    case trigger
    /// The rate at which the user returns to actions of this recency.
    case returning
    /// The action's frequency at the start of a session, after half an hour without any action.
    case sessionStart
    /// The action's frequency at the start of a session whose previous session began like the latest one.
    case nextSessionStart
    /// The action's frequency at hours near this one.
    case hoursAbout
    /// The action's frequency with one value of the circumstances, by name.
    case circumstance(String)
    /// The action's frequency with two values of the circumstances together.
    case circumstances(String, String)
    /// The action's frequency with all circumstances together, including the trigger or its absence.
    case allCircumstances
}

/// The indices of the kinds of evidence in a learner's weights.
enum EvidenceSlot {
    static let frequency = 0
    static let sequence = 1  // … 4
    static let recency = 5  // … 8
    static let recentSequence = 9  // … 10
    static let lastSuccessor = 11  // … 13
    static let rank = 14  // … 22
    static let match = 23
    static let trigger = 24
    static let returning = 25
    static let sessionStart = 26
    static let nextSessionStart = 27
    static let hoursAbout = 28
    static let circumstance = 29  // … 36
    static let pair = 37  // … 64
    static let whole = 65
    static let count = 66

    /// The kinds of evidence that depend on the order of actions. They come first.
    static let ofOrder = frequency..<trigger

    static let recentSequenceCount = lastSuccessor - recentSequence
    static let lastSuccessorCount = rank - lastSuccessor
    static let maximumNames = 8
    /// The ranks by recency that share a weight.
    static let rankBuckets = [0..<1, 1..<2, 2..<3, 3..<4, 4..<5, 5..<6, 6..<8, 8..<12, 12..<24]

    /// Returns the slot for a pair of names, given their indices.
    static func pair(_ low: Int, _ high: Int) -> Int { pair + high * (high - 1) / 2 + low }

    /// The weights before anything is learned.
    static let initialWeights: [Double] = (0..<count).map { slot in
        switch slot {
        case frequency, sequence..<recency: 0.6
        case recency..<lastSuccessor: 0.1
        // The last action is often repeated.
        case rank: 0.3
        case lastSuccessor..<match: 0
        case match, hoursAbout: 0.2
        case trigger: 1.2
        case returning: 1
        case sessionStart, nextSessionStart, circumstance..<pair: 0.1
        case whole: 0.3
        default: 0.05
        }
    }
}
