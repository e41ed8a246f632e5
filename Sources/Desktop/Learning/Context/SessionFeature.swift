internal import FoundationEssentials
internal import EventLoops
internal import HunchDBus
internal import HunchModel
internal import Triggers

/// The trigger by which the user came to the computer, for the first minutes after it: `login`, `unlock` or
/// `resume`.
actor SessionFeature: ContextFeature {
    nonisolated let name = "session"
    let loop: EventLoop
    private let now: @Sendable () -> Date
    private var last: DatedTrigger?
    private let screen: ScreenWatch

    init(loop: EventLoop, now: @escaping @Sendable () -> Date) {
        self.loop = loop
        self.now = now
        screen = ScreenWatch(on: loop)
    }

    func value(at date: Date) -> String? { recentTrigger(at: date)?.trigger.description }

    func recentTrigger(at date: Date) -> DatedTrigger? { last.flatMap { $0.isRecent(at: date) ? $0 : nil } }

    func follow(_ bus: Connection, _ tell: @escaping @Sendable (ContextReport) -> Void) async throws {
        defer { last = nil }
        try await screen.followSessions(bus) {
            tell(.screen(isSeen: $0))
        } _: { event in
            tell(.trigger(.session(event, cameBy: await self.take(event))))
        }
    }

    /// Follows the screen savers, which report on the session bus.
    func followSavers(_ bus: Connection, _ tell: @escaping @Sendable (ContextReport) -> Void) async throws {
        try await screen.followSavers(bus) {
            tell(.screen(isSeen: $0))
        } _: { event in
            tell(.trigger(.session(event, cameBy: await self.take(event))))
        }
    }

    func take(_ observation: TriggerObservation, _ tell: @Sendable (PersonEvent) -> Void) {
        guard case .session(let event) = observation else { return }
        tell(.session(event, cameBy: take(event)))
    }

    /// - Returns: how the user came to the computer.
    private func take(_ event: SessionEvent) -> SessionEvent {
        let date = now()
        var cameBy = event
        if event == .unlocked, case .session(let before) = recentTrigger(at: date)?.trigger { cameBy = before }
        last = DatedTrigger(trigger: .session(cameBy), date: date)
        return cameBy
    }
}
