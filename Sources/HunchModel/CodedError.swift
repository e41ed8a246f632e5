/// A failure that crosses modules: a code for programs and a sentence for people.
///
/// Each part has its own under a name of its own, such as `PlaceError`, which differ by what they are about:
///
///     public enum Weather {}
///     public typealias WeatherError = CodedError<Weather>
///     extension WeatherError.Code {
///         public static var rain: Self { Self(rawValue: "rain") }
///     }
///     throw WeatherError(.rain, "it rains; take an umbrella")
public struct CodedError<Subject>: Error, CustomStringConvertible {
    /// The code of a failure. The set is open: a `switch` needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The word in JSON output and on the bus, in camel case.
        public let rawValue: String
        /// Makes a code from its word.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The word.
        public var description: String { rawValue }
    }

    /// The code for programs.
    public let code: Code
    /// One sentence for people, without a full stop, that says what went wrong and what to do.
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

/// Errors with the same code and message are equal, whatever their cause.
extension CodedError: Hashable {
    /// Compares code and message.
    public static func == (left: CodedError, right: CodedError) -> Bool {
        left.code == right.code && left.message == right.message
    }

    /// Hashes code and message.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }
}
