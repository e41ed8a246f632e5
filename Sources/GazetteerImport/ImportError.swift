/// Why a file could not be imported.
public struct ImportError: Error, Sendable, CustomStringConvertible {
    /// What went wrong. Open: further formats may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word shown in JSON output, in camel case.
        public let rawValue: String
        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The word.
        public var description: String { rawValue }

        /// The file is not there or cannot be read.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The file is of no format that is understood.
        public static let unknownFormat = Code(rawValue: "unknownFormat")
        /// The file breaks the rules of its format.
        public static let malformed = Code(rawValue: "malformed")
        /// The file or a line of it is beyond the limit.
        public static let tooLong = Code(rawValue: "tooLong")
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
