/// An error in a line of a trace.
public struct TraceError: Error, Hashable, Sendable {
    /// The error as a sentence without a full stop and without the line number.
    public let message: String

    /// Creates an error with a message.
    public init(_ message: String) { self.message = message }
}
