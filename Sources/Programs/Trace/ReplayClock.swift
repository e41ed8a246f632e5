internal import FoundationEssentials
internal import HunchModel
internal import Synchronization

/// The clock of a replayed trace. It stands still until it is set.
final class ReplayClock: Sendable {
    private let state: Mutex<(begin: Date, now: Duration)>

    init(begin: Date) { state = Mutex((begin, .zero)) }

    /// The time since the start of the trace.
    var now: Duration {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = max($0.now, newValue) } }
    }

    /// The time of day.
    var date: Date { state.withLock { $0.begin.addingTimeInterval($0.now / .seconds(1)) } }

    /// Returns the time of a date since the start.
    func time(of date: Date) -> Duration {
        .clamping(seconds: date.timeIntervalSince(state.withLock { $0.begin }))
    }
}
