/// Why a donation or a declared kind is not acceptable.
public struct KindError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of trouble. Open: later versions may add further ones.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word, in camel case.
        public let rawValue: String
        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The kind is neither a standard one nor declared by the app.
        public static let unknownKind = Code(rawValue: "unknownKind")
        /// The kind has no parameter of that name.
        public static let unknownParameter = Code(rawValue: "unknownParameter")
        /// A value is too long, or not of the parameter's type.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// No supported combination of parameters is complete.
        public static let incomplete = Code(rawValue: "incomplete")
        /// A time or a counter stands where values are to tell one action from another: none would be like another.
        public static let timestamp = Code(rawValue: "timestamp")
        /// The declaration of a kind is malformed.
        public static let invalidDeclaration = Code(rawValue: "invalidDeclaration")
    }

    /// The kind of trouble.
    public let code: Code
    /// One sentence: what is wrong and what to do.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
