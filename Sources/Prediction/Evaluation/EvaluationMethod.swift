/// A way to guess what is wanted.
public enum EvaluationMethod: String, Hashable, Sendable, CaseIterable, Encodable, CodingKeyRepresentable {
    /// The learner that the agent runs.
    case hunch
    /// What was done most often; equals by recency.
    case mostFrequent = "mfu"
    /// What was done last.
    case mostRecent = "mru"
    /// What most often followed on the last action; then the most frequent.
    case markov = "markov1"
    /// What was most often done in exactly these circumstances; then the most frequent.
    case mostFrequentInContext = "contextMFU"
}
