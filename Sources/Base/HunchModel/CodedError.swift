/// An error that crosses modules: a code for programs and a message for people.
///
/// Each module declares its own error type with its own `Subject`:
///
///     public enum Weather {}
///     public typealias WeatherError = CodedError<Weather>
///     extension WeatherError.Code {
///         public static var rain: Self { Self(rawValue: "rain") }
///     }
///     throw WeatherError(.rain, "it rains; take an umbrella")
public struct CodedError<Subject>: Error, CustomStringConvertible {
    /// The kind of error. Later versions may add codes, so a `switch` needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code in JSON output and on the bus, in camel case.
        public let rawValue: String
        /// Creates a code from its raw value.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The raw value.
        public var description: String { rawValue }
    }

    /// The kind of error, for programs.
    public let code: Code
    /// The problem and its remedy, for people: one sentence without a full stop.
    public let message: String
    /// The error that caused this one.
    public let underlying: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The message.
    public var description: String { message }
}

/// Errors are equal if code and message are equal. The underlying error does not count.
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
