/// Why a gazetteer or another geocoder could not be asked, or not be changed.
public struct GeocoderError: Error, Sendable, CustomStringConvertible {
    /// What went wrong. Open: other geocoders may add codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word shown in JSON output and on the bus, in camel case.
        public let rawValue: String
        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The word.
        public var description: String { rawValue }

        /// The query has no letter or digit.
        public static let emptyQuery = Code(rawValue: "emptyQuery")
        /// The query is longer than its limit.
        public static let tooLong = Code(rawValue: "tooLong")
        /// There is no gazetteer yet.
        public static let noGazetteer = Code(rawValue: "noGazetteer")
        /// The gazetteer file was made by another version, or is no gazetteer.
        public static let incompatible = Code(rawValue: "incompatible")
        /// Another import is running.
        public static let busy = Code(rawValue: "busy")
        /// The file could not be read or written.
        public static let storage = Code(rawValue: "storage")
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
