internal import Triggers

/// A parsed trace: the observations of all sources, line by line.
public struct Trace: Sendable {
    /// The maximum length of a line, in bytes of UTF-8.
    public static let lineLimit = 1 << 20
    /// The maximum number of lines.
    public static let limit = 1_000_000

    private(set) var head = TraceHead()
    private(set) var lines: [TraceLine] = []
    private var number = 0
    /// The unknown sources, each with its first line. Their observations are ignored.
    public private(set) var unknownSources: [String: Int] = [:]

    /// Creates an empty trace.
    public init() {}

    /// The number of non-empty lines.
    public var count: Int { lines.count }

    /// Adds the next line. Ignores an empty one.
    ///
    /// - Throws: ``TraceFault`` if it is not a line of a trace, or earlier than the previous line. Then nothing is
    ///   added.
    public mutating func add(_ text: String) throws(TraceFault) {
        number += 1
        if text.utf8.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
        do throws(TraceError) {
            guard text.utf8.count <= Self.lineLimit else {
                throw TraceError("it is longer than \(Self.lineLimit) bytes")
            }
            guard lines.count < Self.limit else { throw TraceError("a trace has at most \(Self.limit) lines") }
            try take(try TraceLine(text))
        } catch {
            throw TraceFault(line: number, error)
        }
    }

    private mutating func take(_ line: TraceLine) throws(TraceError) {
        if let last = lines.last, line.time < last.time {
            throw TraceError("“t” is less than on the line before; a trace goes forward in time")
        }
        switch line.entry {
        case .head(let head):
            guard lines.isEmpty else { throw TraceError("“trace” is only for the first line") }
            self.head = head
        case .unknown(let source):
            if unknownSources.count < 32, unknownSources[source] == nil { unknownSources[source] = number }
            // Only its time counts.
            lines.append(line)
        default: lines.append(line)
        }
    }
}
