internal import FoundationEssentials
internal import EventLoops
internal import HunchDBus
internal import Triggers

/// The power source: `battery` or `mains`.
actor PowerFeature: ContextFeature {
    nonisolated let name = "power"
    let loop: EventLoop
    private var source: PowerSource?

    init(loop: EventLoop) { self.loop = loop }

    func value(at date: Date) -> String? { source?.rawValue }

    func follow(_ bus: Connection, _ tell: @escaping @Sendable (ContextReport) -> Void) async throws {
        defer { source = nil }
        try await PowerSupply().follow(bus) { await self.take($0) }
    }

    func take(_ observation: TriggerObservation, _ tell: @Sendable (PersonEvent) -> Void) {
        if case .power(let source) = observation { take(source) }
    }

    private func take(_ source: PowerSource?) { self.source = source }
}
