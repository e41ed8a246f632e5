/// Why a log cannot be replayed.
public struct EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of faults. Open: further ones may come.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word, in camel case.
        public let rawValue: String
        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// More people than ``Evaluator/maximumUsers``.
        public static let tooManyUsers = Code(rawValue: "tooManyUsers")
        /// More actions than ``Evaluator/maximumActions``.
        public static let tooManyActions = Code(rawValue: "tooManyActions")
    }

    /// The kind of fault.
    public let code: Code
    /// One sentence: what is wrong and what to do.
    public let message: String
    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
