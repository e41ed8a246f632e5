public import HunchDBus
internal import HunchModel

/// Watches what triggers are decided from, and tells each sign as it is seen. It decides and changes nothing, starts
/// neither BlueZ nor an audio server, and asks for no place unless that is wanted.
public struct TriggerRecorder: Sendable {
    private let loop: EventLoop
    private let environment: @Sendable (String) -> String?
    private let openSystemBus: @Sendable () async throws -> Connection

    /// Describes what is watched; nothing is opened.
    ///
    /// - Parameters:
    ///   - loop: a running loop, on which everything happens.
    ///   - environment: looks an environment variable up: `PULSE_SERVER`, and where the servers' sockets are.
    ///   - openSystemBus: opens a connection to the system bus, which is then closed by this.
    public init(
        loop: EventLoop, environment: @escaping @Sendable (String) -> String? = BusAddress.processEnvironment,
        openSystemBus: @escaping @Sendable () async throws -> Connection
    ) {
        self.loop = loop
        self.environment = environment
        self.openSystemBus = openSystemBus
    }

    /// Watches until the task is cancelled.
    ///
    /// - Parameters:
    ///   - sessionBus: where the user manager tells of launched apps, and screen savers of themselves.
    ///   - application: the desktop entry by which GeoClue's agent knows who asks for a place; `nil` for not asking.
    ///   - tell: called for one sign after the other of each source.
    public func run(
        sessionBus: Connection, locatingAs application: String? = nil,
        _ tell: @escaping @Sendable (TriggerSign) async -> Void
    ) async {
        let system = SystemBusFollower(on: loop, environment: environment, openBus: openSystemBus)
        let blueZ = BlueZ(system) { if $0.isOfDevices { await tell(.blueZ($0)) } }
        let audio = AudioRoutes(on: loop, server: environment("PULSE_SERVER"), environment: environment)
        let screen = ScreenWatch(on: loop)
        await withTaskGroup(of: Void.self) { group in
            // Each ends by being cancelled; one that cannot go on tells nothing more.
            group.addTask { try? await blueZ.run { _ in } }
            group.addTask { try? await audio.run { await tell(.audio(AudioSign(state: $0))) } }
            group.addTask { try? await screen.followSavers(sessionBus) { await tell(.session($0)) } }
            group.addTask { try? await AppLaunches().follow(sessionBus, sign: tell) { _ in } }
            group.addTask {
                try? await system.run { bus in
                    let hasAnswered = (try? await bus.names()) != nil
                    await follow(bus, screen, tell)
                    return ("it is no longer followed", hasAnswered)
                }
            }
            if let application {
                group.addTask {
                    try? await system.run { bus in
                        let hasAnswered = (try? await bus.names()) != nil
                        try? await Location(on: loop, application: application).follow(bus) {
                            await tell(.location($0))
                        }
                        return ("it is no longer followed", hasAnswered)
                    }
                }
            }
        }
    }

    private func follow(
        _ bus: Connection, _ screen: ScreenWatch, _ tell: @escaping @Sendable (TriggerSign) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await screen.followSessions(bus) { await tell(.session($0)) } }
            group.addTask { try? await PowerSupply().follow(bus) { await tell(.power($0)) } }
            _ = await bus.closed()
            group.cancelAll()
        }
    }
}
