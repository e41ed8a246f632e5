internal import FoundationEssentials
internal import HunchDBus
internal import Triggers

/// Apps that the person launches. It tells of moments alone: which app was launched is kept with nothing.
actor LaunchFeature: ContextFeature {
    nonisolated let name = "launch"
    private let loop: EventLoop
    private let sessionBus: Connection?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter sessionBus: where the user manager tells; `nil` when only a trace does.
    init(loop: EventLoop, sessionBus: Connection?) {
        self.loop = loop
        self.sessionBus = sessionBus
    }

    func follow(_ bus: Connection, _ tell: @escaping @Sendable (Occasion) -> Void) async throws {
        guard let sessionBus else { return }
        try await AppLaunches().follow(sessionBus) { tell(.launched($0)) }
    }
}
