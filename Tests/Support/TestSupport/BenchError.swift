/// An error of the test bench itself.
public struct BenchError: Error, CustomStringConvertible, Equatable {
    /// One sentence saying what did not happen, with the child's last output where there is one.
    public let message: String

    /// An error that says `message`.
    public init(_ message: String) { self.message = message }

    /// The message.
    public var description: String { message }
}
