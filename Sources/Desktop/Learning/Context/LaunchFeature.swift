internal import FoundationEssentials
internal import EventLoops
internal import HunchDBus
internal import Triggers

/// Reports the apps that the user launches as triggers. The launched app is not recorded in contexts.
actor LaunchFeature: ContextFeature {
    nonisolated let name = "launch"
    let loop: EventLoop
    private let sessionBus: Connection?

    /// - Parameter sessionBus: the bus of the user manager's signals; `nil` in a replay.
    init(loop: EventLoop, sessionBus: Connection?) {
        self.loop = loop
        self.sessionBus = sessionBus
    }

    func follow(_ bus: Connection, _ tell: @escaping @Sendable (ContextReport) -> Void) async throws {
        guard let sessionBus else { return }
        try await AppLaunches().follow(sessionBus) { tell(.trigger(.launched($0))) }
    }
}
