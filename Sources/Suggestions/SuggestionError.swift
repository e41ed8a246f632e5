/// Why something cannot happen to a suggestion.
public struct SuggestionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of trouble. Open: later versions may add further ones.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word, in camel case.
        public let rawValue: String
        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is no such suggestion, or it is over.
        public static let unknownSuggestion = Code(rawValue: "unknownSuggestion")
        /// The suggestion is in a state in which that cannot happen to it.
        public static let illegalTransition = Code(rawValue: "illegalTransition")
        /// The suggestion's time has not passed yet.
        public static let notYetExpired = Code(rawValue: "notYetExpired")
    }

    /// The kind of trouble.
    public let code: Code
    /// One sentence: what is wrong.
    public let message: String

    /// Makes an error.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
