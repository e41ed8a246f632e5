/// Why a request for directions cannot be read or carried out.
public struct DirectionsError: Error, Sendable, CustomStringConvertible {
    /// What went wrong. Open: codes may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The word used in JSON output and on the bus.
        public let rawValue: String
        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The link is no request for directions.
        public static let notARequest = Code(rawValue: "notARequest")
        /// The link breaks the rules of its kind.
        public static let malformedLink = Code(rawValue: "malformedLink")
        /// A limit is passed.
        public static let tooLong = Code(rawValue: "tooLong")
        /// The app to be opened is not there or cannot be started.
        public static let launchFailed = Code(rawValue: "launchFailed")
    }

    /// What went wrong, for programs.
    public let code: Code
    /// What went wrong and what to do, for people: one sentence.
    public let message: String
    /// The error that caused this one.
    public let underlying: (any Error)?

    /// Makes an error.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The message.
    public var description: String { message }
}
