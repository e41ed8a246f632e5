/// Why something is offered: the few pieces of evidence that mattered, in words, and what each of them weighed.
///
/// Where something was learned, the weights of the reasons and the remainder add up to the margin:
///
///     +1.83  4 of 4 times after connecting WH-1000XM4
///     +0.41  often done lately
///     -0.15  everything else: the remainder
///     +2.09  in all: the margin
public struct Explanation: Hashable, Sendable {
    /// A piece of evidence, or a rule that nothing was learned for. A piece of evidence that was counted and has no weight
    /// is true of what it is compared with as well, or there was nothing to compare it with.
    public struct Reason: Hashable, Sendable {
        /// For a person: "4 of 4 times after connecting WH-1000XM4".
        public var text: String
        /// What it adds to the ``Explanation/margin``; `nil` for what adds nothing, as that an app is installed.
        public var weight: Double?
        /// How often it was so; `nil` for what was not counted.
        public var share: Share?

        /// Makes a reason.
        public init(_ text: String, weight: Double? = nil, share: Share? = nil) {
            self.text = text
            self.weight = weight
            self.share = share
        }
    }

    /// What a piece of evidence was counted from.
    public struct Share: Hashable, Sendable {
        /// How often the thing was done in the circumstances, 0…``total``.
        public var count: Int
        /// How often the circumstances were seen.
        public var total: Int

        /// Makes a share.
        public init(count: Int, total: Int) {
            self.count = count
            self.total = total
        }
    }

    /// What mattered: rules of its own first, then what happened just before, then the weightiest first.
    public var reasons: [Reason]
    /// What all evidence weighs together that is not among the reasons, for and against; `nil` when nothing was learned, and
    /// where nothing else was ever done.
    public var remainder: Double?

    /// Makes an explanation.
    public init(_ reasons: [Reason], remainder: Double? = nil) {
        self.reasons = reasons
        self.remainder = remainder
    }

    /// How far it is ahead of the next likeliest in natural log-odds (ln 2, some 0.69, is twice as likely), or when that is
    /// below 0, how far behind the likeliest; `nil` as the remainder is.
    public var margin: Double? { remainder.map { reasons.reduce($0) { $0 + ($1.weight ?? 0) } } }

    /// The sentences alone.
    public var texts: [String] { reasons.map(\.text) }

    /// Why two things that were decided after each other, as where to go and with which app, go together: their margins add
    /// up, since log-odds do.
    public static func + (first: Explanation, second: Explanation) -> Explanation {
        let remainders = [first.remainder, second.remainder].compactMap(\.self)
        return Explanation(
            first.reasons + second.reasons, remainder: remainders.isEmpty ? nil : remainders.reduce(0, +))
    }
}

extension Explanation: ExpressibleByArrayLiteral {
    /// Rules that nothing was learned for, strongest first.
    public init(arrayLiteral elements: Reason...) { self.init(elements) }
}

extension Explanation.Reason: ExpressibleByStringInterpolation {
    /// A rule that nothing was learned for.
    public init(stringLiteral text: String) { self.init(text) }
}
