/// Why an input is not a place that can be used here and now.
public struct PlaceError: Error, Sendable, CustomStringConvertible {
    /// What went wrong. Open: later rules may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word shown in JSON output and on the bus, in camel case.
        public let rawValue: String
        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The word.
        public var description: String { rawValue }

        /// The input is empty or names nothing.
        public static let notAPlace = Code(rawValue: "notAPlace")
        /// The input is a link whose target only its publisher's server knows.
        public static let needsNetwork = Code(rawValue: "needsNetwork")
        /// The numbers given are not a position on Earth.
        public static let badCoordinate = Code(rawValue: "badCoordinate")
        /// The position is given in another reference system than WGS 84.
        public static let unsupportedDatum = Code(rawValue: "unsupportedDatum")
        /// The input is longer than the limit for its kind.
        public static let tooLong = Code(rawValue: "tooLong")
        /// A link breaks the grammar of its kind, or its percent-encoding is broken.
        public static let malformedLink = Code(rawValue: "malformedLink")
        /// The input is a link of a kind that no rule understands.
        public static let unsupportedLink = Code(rawValue: "unsupportedLink")
    }

    /// What went wrong, for programs.
    public let code: Code
    /// What went wrong and what to do, for people: one sentence without a full stop.
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
