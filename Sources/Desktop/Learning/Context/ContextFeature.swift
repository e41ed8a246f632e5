internal import AgentInterface
package import FoundationEssentials
internal import EventLoops
internal import HunchDBus
package import HunchModel
internal import Triggers

/// A part of the context besides time and device, such as the power source. Each is one file, listed in
/// ``CurrentContext``. The learner, the history, the export and `hunch status` use whatever is listed.
///
/// Features are driven by signals and never poll, so that an idle agent stays idle.
protocol ContextFeature: LoopActor {
    /// The key in `Context.further`, at most 32 bytes.
    nonisolated var name: String { get }

    /// Returns the value at a time, at most 128 bytes; `nil` if it is unknown or not followed.
    func value(at date: Date) -> String?

    /// Returns the recent trigger; `nil` if there is none.
    func recentTrigger(at date: Date) -> DatedTrigger?

    /// Its row in `hunch status` and `hunch doctor`; `nil` for none.
    var report: PartReport? { get }

    /// Follows its source as long as a connection to the system bus lasts, and reports what happens.
    ///
    /// - Throws: if the source cannot be followed; `CancellationError`.
    func follow(_ bus: Connection, _ tell: @escaping @Sendable (ContextReport) -> Void) async throws

    /// Applies an observation from a trace. Ignores those of other sources.
    func take(_ observation: TriggerObservation, _ tell: @Sendable (PersonEvent) -> Void) async
}

extension ContextFeature {
    /// Returns `nil`.
    func value(at date: Date) -> String? { nil }

    /// Ignores the observation.
    func take(_ observation: TriggerObservation, _ tell: @Sendable (PersonEvent) -> Void) {}

    /// Returns `nil`.
    func recentTrigger(at date: Date) -> DatedTrigger? { nil }

    /// Nothing.
    var report: PartReport? { nil }
}

/// A report of a feature that follows its source.
enum ContextReport: Sendable {
    /// Something may be suggested now.
    case trigger(PersonEvent)
    /// The user begins or ceases to see the screen.
    case screen(isSeen: Bool)
    /// The user's position is no longer known.
    case positionLost
}

/// A trigger with its date. Actions soon after it are recorded as following it.
package struct DatedTrigger: Sendable {
    /// The time in seconds for which an action counts as following the trigger.
    private static let time = 300.0

    package let trigger: Trigger
    package let date: Date

    /// Whether it happened shortly before a date. Always `false` if the clock was set back.
    package func isRecent(at now: Date) -> Bool {
        let age = now.timeIntervalSince(date)
        return age >= 0 && age < Self.time
    }
}

/// A trigger other than a device, with its details.
package enum PersonEvent: Hashable, Sendable {
    /// The user came to the computer. `cameBy` records the cause: unlocking a machine that just woke up counts as
    /// resuming.
    case session(SessionEvent, cameBy: SessionEvent)
    /// The user's position changed or became known.
    case moved(from: Position?, to: Position)
    /// The user launched an app, by desktop identifier.
    case launched(AppID)
    /// A trigger without further details, such as an arrival at a place.
    case plain(Trigger)

    /// Creates the event of a trigger whose text says all of it; `nil` for others.
    package init?(_ trigger: Trigger) {
        guard trigger.isPlain else { return nil }
        if case .session(let event) = trigger { self = .session(event, cameBy: event) } else { self = .plain(trigger) }
    }

    /// The name of the trigger, for logs.
    package var word: String {
        if case .session(let event, _) = self { event.rawValue } else { trigger.description }
    }

    /// The trigger of suggestions made then.
    package var trigger: Trigger {
        switch self {
        case .session(_, let event): .session(event)
        case .moved: .move
        case .launched: .launch
        case .plain(let trigger): trigger
        }
    }
}
