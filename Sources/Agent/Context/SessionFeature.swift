internal import FoundationEssentials
internal import HunchDBus
internal import HunchModel
internal import Triggers

/// How the person came to the computer, for the first minutes after it: `login`, `unlock` or `resume`.
actor SessionFeature: ContextFeature {
    /// How long what a person does is what one does on coming to the computer, in seconds.
    static let time = 300.0

    nonisolated let name = "session"
    private let loop: EventLoop
    private let now: @Sendable () -> Date
    private var last: (event: SessionEvent, date: Date)?
    private var tellScreen: @Sendable (_ isSeen: Bool) async -> Void = { _ in }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, now: @escaping @Sendable () -> Date) {
        self.loop = loop
        self.now = now
    }

    func value(at date: Date) -> String? { trigger(at: date) }

    func trigger(at date: Date) -> String? {
        guard let last else { return nil }
        // A clock that was put back says nothing of how long ago it was.
        let age = date.timeIntervalSince(last.date)
        return age >= 0 && age < Self.time ? last.event.rawValue : nil
    }

    /// Says who is told whether the person sees the screen.
    func setScreen(_ tell: @escaping @Sendable (_ isSeen: Bool) async -> Void) { tellScreen = tell }

    func follow(_ bus: Connection, _ tell: @escaping @Sendable (Occasion) -> Void) async throws {
        defer { last = nil }
        try await Session().follow(bus, screen: tellScreen) { event in
            await self.take(event)
            tell(.session(event))
        }
    }

    func take(_ sign: TriggerSign, _ tell: @Sendable (Occasion) -> Void) {
        guard case .session(let event) = sign else { return }
        take(event)
        tell(.session(event))
    }

    /// Who unlocks a machine that just woke up came to one that was asleep.
    private func take(_ event: SessionEvent) {
        let date = now()
        let before = event == .unlocked ? trigger(at: date).flatMap(SessionEvent.init) : nil
        last = (before ?? event, date)
    }
}
