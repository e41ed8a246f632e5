/// What is wrong with a line of a trace.
public struct TraceError: Error, Hashable, Sendable {
    /// One sentence without a full stop, which does not tell the line.
    public let message: String

    /// Says what is wrong.
    public init(_ message: String) { self.message = message }
}
