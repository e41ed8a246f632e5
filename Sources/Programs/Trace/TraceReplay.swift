internal import History
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Learning
internal import Synchronization
internal import Triggers

/// Replays traces. The agent's own gate, players, ranking and board decide from a trace, on the trace's clock, with
/// an empty history. Nothing is watched, shown, started or stored.
public enum TraceReplay {
    /// The minimum time for which the replay continues after the last line, so that all pending decisions are made.
    public static let closing = Duration.seconds(10)

    /// Replays a trace.
    ///
    /// - Throws: `DBusError` if no thread can be created; `HistoryError`.
    public static func run(_ trace: Trace) async throws -> TraceReport {
        let loop = try EventLoop()
        try loop.start(name: "hunch-replay")
        defer { loop.stop() }
        let worker = try WorkerThread(name: "hunch-replay-store")
        defer { worker.stop() }

        let clock = ReplayClock(begin: trace.head.begin)
        let timing = trace.head.timing
        // In memory, so that nothing is left if the replay is killed.
        let history = HistoryKeeper(try HistoryStore.inMemory(), now: { clock.date }, on: worker)
        try await history.use { store, _ in try store.setEnabled(true) }
        let log = OutcomeLog()
        let media = ReplayedMedia(
            now: { clock.date }, timing: timing, loop: loop, history: history, clock: clock
        ) { log.add($0) }
        await media.habits.learn()
        for line in trace.lines {
            await media.advance(to: line.time)
            await media.take(line.entry)
        }
        await media.advance(to: clock.now + max(closing, trace.head.timing.rejoin + .seconds(1)))
        await history.close()
        return TraceReport(outcomes: log.outcomes, starts: await media.starts)
    }
}

/// The outcomes of a trace.
public struct TraceReport: Sendable {
    /// The outcomes in their order, without the summary.
    public let outcomes: [TraceOutcome]
    /// The number of times a device became ready.
    public let ready: Int
    /// The number of suggestions.
    public let offers: Int
    /// The number of repeated suggestions for a device since it became ready, except after interrupted playback or a
    /// withdrawn suggestion.
    public let duplicateOffers: Int
    /// The number of times an app was told to play.
    public let plays: Int
    /// The number of times an app was told to play without the user's action or setting.
    public let uninvitedPlays: Int

    /// - Parameter starts: the times at which playback began, in seconds.
    init(outcomes: [TraceOutcome], starts: [Double]) {
        self.outcomes = outcomes
        ready = outcomes.count { $0.event == "ready" }
        offers = outcomes.count { $0.event == "offered" }
        plays = outcomes.count { $0.event == "play" }
        uninvitedPlays = outcomes.count { $0.event == "play" && $0.details["by"] == .text("nobody") }
        duplicateOffers = Self.duplicateOffers(in: outcomes, starts)
    }

    private static func duplicateOffers(in outcomes: [TraceOutcome], _ starts: [Double]) -> Int {
        var offered: [TraceValue: (time: Double, suggestion: TraceValue?)] = [:]
        var withdrawn: Set<TraceValue> = []
        var duplicates = 0
        for outcome in outcomes {
            let suggestion = outcome.details["suggestion"]
            if case .object(let device)? = outcome.details["device"], let id = device["id"], let last = offered[id] {
                let isOver =
                    last.suggestion.map(withdrawn.contains) ?? false
                    || starts.contains { $0 >= last.time && $0 <= outcome.time }
                if outcome.event == "ready" || outcome.event == "returned" && isOver { offered[id] = nil }
            }
            if outcome.event == "withdrawn", let suggestion { withdrawn.insert(suggestion) }
            if outcome.event == "offered", let device = outcome.details["device"] {
                if offered.updateValue((outcome.time, suggestion), forKey: device) != nil { duplicates += 1 }
            }
        }
        return duplicates
    }

    /// The last line, with the counts of events.
    public var summary: TraceOutcome {
        TraceOutcome(
            outcomes.last.map { .clamping(seconds: $0.time) } ?? .zero, "summary",
            "\(ready) ready, \(offers) offered (\(duplicateOffers) twice), \(plays) played (\(uninvitedPlays) uninvited)",
            [
                "ready": .integer(Int64(ready)), "offers": .integer(Int64(offers)),
                "duplicateOffers": .integer(Int64(duplicateOffers)), "plays": .integer(Int64(plays)),
                "uninvitedPlays": .integer(Int64(uninvitedPlays)),
            ])
    }
}

/// The outcomes so far.
private final class OutcomeLog: Sendable {
    private let log = Mutex<[TraceOutcome]>([])

    func add(_ outcome: TraceOutcome) { log.withLock { $0.append(outcome) } }
    var outcomes: [TraceOutcome] { log.withLock { $0 } }
}
