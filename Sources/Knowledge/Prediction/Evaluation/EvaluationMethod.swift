/// A prediction method.
public enum EvaluationMethod: String, Hashable, Sendable, CaseIterable, Encodable, CodingKeyRepresentable {
    /// The learner that the agent runs.
    case hunch
    /// The most frequent actions; equals by recency.
    case mostFrequent = "mfu"
    /// The most recent actions.
    case mostRecent = "mru"
    /// The most frequent successors of the last action, then the most frequent actions.
    case markov = "markov1"
    /// The most frequent actions in exactly these circumstances, then the most frequent ones overall.
    case mostFrequentInContext = "contextMFU"

    /// The name in a table for people.
    public var name: String {
        switch self {
        case .hunch: "Hunch"
        case .mostFrequent: "Most frequent (MFU)"
        case .mostRecent: "Most recent (MRU)"
        case .markov: "After the last (Markov-1)"
        case .mostFrequentInContext: "Most frequent in context"
        }
    }
}
