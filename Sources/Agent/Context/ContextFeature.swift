internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Triggers

/// One thing that is known of a moment beside the time and the device. Each is one file, and is listed in
/// ``PresentContext``; the learner, the history, the export and `hunch status` take whatever is there.
///
/// It is told by signals and asks nothing twice: an agent at rest stays at rest.
protocol ContextFeature: Actor {
    /// Its name in `Context.further`: at most 32 bytes.
    nonisolated var name: String { get }

    /// Returns the value at a time, at most 128 bytes; `nil` if it is unknown or not followed.
    func value(at date: Date) -> String?

    /// Returns the recent trigger; `nil` if there is none.
    func happening(at date: Date) -> Happening?

    /// Follows its source as long as a connection to the system bus lasts, and tells of the moments at which something
    /// may be offered.
    ///
    /// - Throws: when it cannot be followed; `CancellationError`.
    func follow(_ bus: Connection, _ tell: @escaping @Sendable (Occasion) -> Void) async throws

    /// Applies an observation from a trace. Ignores those of other sources.
    func take(_ sign: TriggerSign, _ tell: @Sendable (Occasion) -> Void) async
}

extension ContextFeature {
    /// Nothing.
    func value(at date: Date) -> String? { nil }

    /// Nothing.
    func take(_ sign: TriggerSign, _ tell: @Sendable (Occasion) -> Void) {}

    /// Nothing.
    func happening(at date: Date) -> Happening? { nil }
}

/// Something that happened, and gives what is done after it its place in the day.
struct Happening: Sendable {
    /// The time in seconds for which an action counts as following the trigger.
    private static let time = 300.0

    let trigger: Trigger
    let date: Date

    /// Whether it was just before. A clock that was put back says nothing of how long ago it was.
    func isRecent(at now: Date) -> Bool {
        let age = now.timeIntervalSince(date)
        return age >= 0 && age < Self.time
    }
}

/// Something happened at which something may be offered, other than to a device.
enum Occasion: Hashable, Sendable {
    /// The person came to the computer, and how: who unlocks a machine that just woke up came to one that was asleep.
    case session(SessionEvent, cameBy: SessionEvent)
    /// The person is somewhere else, or it is now known where.
    case moved(from: Position?, to: Position)
    /// The person launched an app, by desktop identifier.
    case launched(String)
    /// The person arrived at a place where they stay, or left it.
    case stay(Trigger)

    /// The word for what happened.
    var word: String {
        if case .session(let event, _) = self { event.rawValue } else { trigger.description }
    }

    /// The trigger of what is suggested then.
    var trigger: Trigger {
        switch self {
        case .session(_, let event): .session(event)
        case .moved: .move
        case .launched: .launch
        case .stay(let trigger): trigger
        }
    }
}
