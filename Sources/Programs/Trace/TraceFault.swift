internal import Triggers

/// The error of an invalid line of a trace.
public struct TraceFault: Error, Hashable, Sendable {
    /// The number of the line, from 1.
    public let line: Int
    /// One sentence without a full stop and without the line number.
    public let message: String

    init(line: Int, _ error: TraceError) {
        self.line = line
        message = error.message
    }
}
