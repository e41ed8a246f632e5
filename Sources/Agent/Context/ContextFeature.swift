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

    /// What is known of it at a time, at most 128 bytes; `nil` when nothing is. Nothing is while it is not followed.
    func value(at date: Date) -> String?

    /// What happened just before, as in `Context.trigger`; `nil` when nothing did.
    func trigger(at date: Date) -> String?

    /// Follows its source as long as a connection to the system bus lasts, and tells of the moments at which something
    /// may be offered.
    ///
    /// - Throws: when it cannot be followed; `CancellationError`.
    func follow(_ bus: Connection, _ tell: @escaping @Sendable (Occasion) -> Void) async throws

    /// Takes in what a trace tells in place of the source; does nothing with what is of another one.
    func take(_ sign: TriggerSign, _ tell: @Sendable (Occasion) -> Void) async
}

extension ContextFeature {
    /// Nothing.
    func value(at date: Date) -> String? { nil }

    /// Nothing.
    func take(_ sign: TriggerSign, _ tell: @Sendable (Occasion) -> Void) {}

    /// Nothing.
    func trigger(at date: Date) -> String? { nil }
}

/// Something happened at which something may be offered, other than to a device.
enum Occasion: Hashable, Sendable {
    /// The person came to the computer.
    case session(SessionEvent)
    /// The person is somewhere else, or it is now known where.
    case moved(from: Position?, to: Position)
    /// The person launched an app, by desktop identifier.
    case launched(String)

    /// The word in `Context.trigger`.
    var trigger: String {
        switch self {
        case .session(let event): event.rawValue
        case .moved: "arrive"
        case .launched: "launch"
        }
    }
}
