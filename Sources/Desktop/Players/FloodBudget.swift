internal import EventLoops
internal import HunchDBus

/// A limit on the messages of one player per second. A player that exceeds it is ignored for a while.
///
/// A message costs one unit, plus one for every 4 KiB of its values. Each consecutive violation makes the pause longer.
struct FloodBudget {
    static let unitsPerSecond = 200
    static let shortestPause = Duration.seconds(1)
    static let longestPause = Duration.seconds(30)

    private var windowStart: MonotonicInstant
    private var spent = 0
    private var floods = 0

    init(now: MonotonicInstant) { windowStart = now }

    /// Counts one message. Returns whether the budget still suffices.
    mutating func spend(_ units: Int, at now: MonotonicInstant) -> Bool {
        if windowStart.duration(to: now) >= .seconds(1) {
            // A full second within the budget resets the pause.
            floods = 0
            spent = 0
            windowStart = now
        }
        let (sum, overflow) = spent.addingReportingOverflow(units)
        spent = overflow ? .max : sum
        return spent <= Self.unitsPerSecond
    }

    /// Returns the length of the pause that starts now. Counting restarts when it ends.
    mutating func pause(from now: MonotonicInstant) -> Duration {
        let pause = min(Self.longestPause, Self.shortestPause * (1 << min(floods, 5)))
        floods += 1
        spent = 0
        windowStart = now.advanced(by: pause)
        return pause
    }

    static func units(_ message: Message) -> Int {
        1 + message.body.reduce(0) { $0 + size($1) } / 4_096
    }

    private static func size(_ value: Value) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .array(_, let items), .structure(let items): items.reduce(0) { $0 + size($1) }
        case .dictionary(_, _, let entries): entries.reduce(0) { $0 + size($1.key) + size($1.value) }
        case .variant(let inner): size(inner)
        default: 8
        }
    }
}
