/// The reasons for a suggestion: the evidence that mattered, in words, and its weights.
///
/// Where something was learned, the weights of the reasons and the remainder add up to the margin:
///
///     +1.83  4 of 4 times after connecting WH-1000XM4
///     +0.41  often done lately
///     -0.15  everything else: the remainder
///     +2.09  in all: the margin
public struct Explanation: Hashable, Sendable {
    /// A piece of evidence, or a rule that was not learned. Counted evidence without a weight holds for the compared
    /// candidate too, or there was nothing to compare with.
    public struct Reason: Hashable, Sendable {
        /// The text for a person: "4 of 4 times after connecting WH-1000XM4".
        public var text: String
        /// The part of the ``Explanation/margin``; `nil` for rules, such as that an app is installed.
        public var weight: Double?
        /// The counts of the evidence; `nil` if it was not counted.
        public var share: Share?

        /// Makes a reason.
        public init(_ text: String, weight: Double? = nil, share: Share? = nil) {
            self.text = text
            self.weight = weight
            self.share = share
        }
    }

    /// The counts of a piece of evidence.
    public struct Share: Hashable, Sendable {
        /// The number of times that the action was done in this context, 0…``total``.
        public var count: Int
        /// The number of times that this context was seen.
        public var total: Int

        /// Makes a share.
        public init(count: Int, total: Int) {
            self.count = count
            self.total = total
        }
    }

    /// The reasons that mattered: rules first, then the trigger, then by weight.
    public var reasons: [Reason]
    /// The sum of the weights of all other evidence; `nil` if nothing was learned, or nothing else was ever done.
    public var remainder: Double?

    /// Makes an explanation.
    public init(_ reasons: [Reason], remainder: Double? = nil) {
        self.reasons = reasons
        self.remainder = remainder
    }

    /// The lead over the next likeliest candidate in natural log-odds (ln 2, about 0.69, is twice as likely). Below
    /// 0, the distance behind the likeliest. `nil` if the remainder is.
    public var margin: Double? { remainder.map { reasons.reduce($0) { $0 + ($1.weight ?? 0) } } }

    /// The texts of the reasons.
    public var texts: [String] { reasons.map(\.text) }

    /// Combines the explanations of two decisions, such as the destination and the app. Their margins add up, as
    /// log-odds do.
    public static func + (first: Explanation, second: Explanation) -> Explanation {
        let remainders = [first.remainder, second.remainder].compactMap(\.self)
        return Explanation(
            first.reasons + second.reasons, remainder: remainders.isEmpty ? nil : remainders.reduce(0, +))
    }
}

extension Explanation: ExpressibleByArrayLiteral {
    /// Creates an explanation from rules, strongest first.
    public init(arrayLiteral elements: Reason...) { self.init(elements) }
}

extension Explanation.Reason: ExpressibleByStringInterpolation {
    /// Creates a rule.
    public init(stringLiteral text: String) { self.init(text) }
}
