public import HunchDBus
public import HunchModel

/// The explanation of a suggestion, as `org.hunch.Suggestion1.Explain` reports it.
public struct SuggestionExplanation: Hashable, Sendable {
    /// The reasons.
    public var explanation: Explanation
    /// The source of the suggestion, in words.
    public var source: String
    /// The estimated probability that the user wants it, 0…1.
    public var score: Double

    /// Creates an explanation.
    public init(_ explanation: Explanation, source: String, score: Double) {
        self.explanation = explanation
        self.source = source
        self.score = score
    }

    /// Reads an explanation. Unknown keys are ignored.
    ///
    /// - Throws: ``DBusError`` `…InvalidArgs` for a value of the wrong type.
    public init(transfer map: VariantMap) throws(DBusError) {
        explanation = try Explanation(transfer: map)
        source = try map.value("source") ?? ""
        score = try map.value("score") ?? 0
    }

    /// The explanation with its keys.
    ///
    /// - Parameter shown: the function that makes a text safe to display.
    public func transfer(_ shown: (String) -> String) -> VariantMap {
        var map = explanation.transfer(shown)
        map["source"] = .string(shown(source))
        map["score"] = .double(score)
        return map
    }
}
