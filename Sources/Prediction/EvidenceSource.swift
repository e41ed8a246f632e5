/// A kind of evidence for an action.
public enum EvidenceSource: Hashable, Sendable {
    /// How often it is done at all.
    case frequency
    /// That it follows on the last 1…4 actions.
    case sequence(length: Int)
    /// That it was done lately, with a half-life of 2, 8, 40 or 250 actions.
    case recency(halfLife: Int)
    /// That it lately follows on the last 1 or 2 actions.
    case recentSequence(length: Int)
    /// That it came the last time after the last 1…3 actions.
    case lastSuccessor(length: Int)
    /// How many other actions were done since: 0 … 5, 6 for 6 and 7, 8 for 8 to 11, 12 for 12 to 23.
    case rank(Int)
    /// The action followed when the last 2…40 actions were done in this order before.
    case match(length: Int)
    /// That it follows on the trigger.
    case trigger
    /// The person often returns to actions that are as recent.
    case returning
    /// Sessions begin with the action: those after half an hour without any.
    case sessionStart
    /// A session began with the action when the session before began as the latest one did.
    case nextSessionStart
    /// The action is done at hours near this one.
    case hoursAbout
    /// That it goes with a value of the circumstances, by name.
    case circumstance(String)
    /// That it goes with two values of the circumstances together.
    case circumstances(String, String)
    /// That it goes with all circumstances together, and with a trigger or none.
    case allCircumstances
}

/// The places of the kinds of evidence in a learner's weights.
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

    /// The kinds of evidence that speak of the order of actions come first.
    static let ofOrder = frequency..<trigger

    static let recentSequenceCount = lastSuccessor - recentSequence
    static let lastSuccessorCount = rank - lastSuccessor
    static let maximumNames = 8
    /// The ranks that share a weight.
    static let rankBuckets = [0..<1, 1..<2, 2..<3, 3..<4, 4..<5, 5..<6, 6..<8, 8..<12, 12..<24]

    /// The place of two names, by their own places.
    static func pair(_ low: Int, _ high: Int) -> Int { pair + high * (high - 1) / 2 + low }

    /// The weights before anything was learned.
    static let initialWeights: [Double] = (0..<count).map { slot in
        switch slot {
        case frequency, sequence..<recency: 0.6
        case recency..<lastSuccessor: 0.1
        // What was done last is often done again.
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
