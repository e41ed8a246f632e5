internal import Triggers

/// A line of a trace that cannot be read.
public struct TraceFault: Error, Hashable, Sendable {
    /// The number of the line, from 1.
    public let line: Int
    /// One sentence without a full stop, which does not tell the line.
    public let message: String

    init(line: Int, _ error: TraceError) {
        self.line = line
        message = error.message
    }
}
