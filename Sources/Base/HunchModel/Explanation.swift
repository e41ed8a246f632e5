/// The reasons for a suggestion: the most important evidence in words, with the weight of each piece.
///
/// If evidence was learned, the weights of the reasons and the remainder add up to the margin:
///
///     +1.83  4 of 4 times after connecting WH-1000XM4
///     +0.41  done lately
///     -0.15  everything else: the remainder
///     +2.09  in all: the margin
public struct Explanation: Hashable, Sendable {
    /// A piece of evidence, or a fixed rule that needs no evidence. Counted evidence has no weight if it speaks for the
    /// next candidate just as much, or if there is no other candidate.
    public struct Reason: Hashable, Sendable {
        /// The sentence for a user, in their language: "4 of 4 times after connecting WH-1000XM4".
        public var text: String
        /// The contribution to the ``Explanation/margin``; `nil` if there is none, such as for "the app is installed".
        public var weight: Double?
        /// The counts behind the evidence; `nil` if nothing was counted.
        public var share: Share?

        /// Creates a reason.
        public init(_ text: String, weight: Double? = nil, share: Share? = nil) {
            self.text = text
            self.weight = weight
            self.share = share
        }
    }

    /// The counts behind a piece of evidence.
    public struct Share: Hashable, Sendable {
        /// The number of times that the user did the action in the context, 0…``total``.
        public var count: Int
        /// The number of times that the context occurred.
        public var total: Int

        /// Creates a share.
        public init(count: Int, total: Int) {
            self.count = count
            self.total = total
        }
    }

    /// The reasons: fixed rules first, then the evidence by decreasing weight, then reasons without weight.
    public var reasons: [Reason]
    /// The total weight of all evidence that is not among the reasons, for and against. `nil` if nothing was learned or
    /// no other action was ever recorded.
    public var remainder: Double?

    /// Creates an explanation.
    public init(_ reasons: [Reason], remainder: Double? = nil) {
        self.reasons = reasons
        self.remainder = remainder
    }

    /// The lead over the next candidate in natural log-odds: ln 2, about 0.69, means twice as likely. If negative, the
    /// distance to the most likely candidate. `nil` if the remainder is `nil`.
    public var margin: Double? { remainder.map { reasons.reduce($0) { $0 + ($1.weight ?? 0) } } }

    /// The sentences of the reasons.
    public var texts: [String] { reasons.map(\.text) }

    /// Combines the explanations of two decisions made one after the other, such as the destination and the routing
    /// app. The margins add up, since they are log-odds.
    public static func + (first: Explanation, second: Explanation) -> Explanation {
        let remainders = [first.remainder, second.remainder].compactMap(\.self)
        return Explanation(
            first.reasons + second.reasons, remainder: remainders.isEmpty ? nil : remainders.reduce(0, +))
    }
}

extension Explanation: ExpressibleByArrayLiteral {
    /// Creates an explanation from fixed rules, strongest first.
    public init(arrayLiteral elements: Reason...) { self.init(elements) }
}

extension Explanation.Reason: ExpressibleByStringInterpolation {
    /// Creates a reason for a fixed rule.
    public init(stringLiteral text: String) { self.init(text) }
}
