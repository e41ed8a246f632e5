public import EventLoops
public import HunchDBus
internal import HunchModel

/// Reports the raw observations of all trigger sources, for recording a trace. It makes no decisions, starts neither
/// BlueZ nor an audio server, and requests the location only if asked to.
public struct TriggerRecorder: Sendable {
    private let loop: EventLoop
    private let environment: @Sendable (String) -> String?
    private let openSystemBus: @Sendable () async throws -> Connection

    /// Creates the recorder without opening anything.
    ///
    /// - Parameters:
    ///   - loop: a running loop, on which everything happens.
    ///   - environment: returns the value of an environment variable: `PULSE_SERVER`, and those that locate sockets.
    ///   - openSystemBus: opens a connection to the system bus, which the recorder closes.
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
    ///   - sessionBus: the session bus, for the user manager and the screen savers.
    ///   - application: the desktop entry that identifies this program to GeoClue's agent; `nil` to omit the location.
    ///   - tell: called for each observation. The calls for one source never overlap.
    public func run(
        sessionBus: Connection, locatingAs application: String? = nil,
        _ tell: @escaping @Sendable (TriggerObservation) async -> Void
    ) async {
        let system = SystemBusFollower(on: loop, environment: environment, openBus: openSystemBus)
        let blueZ = BlueZ(system) { if $0.isOfDevices { await tell(.blueZ($0)) } }
        let audio = AudioRoutes(on: loop, server: environment("PULSE_SERVER"), environment: environment)
        let screen = ScreenWatch(on: loop)
        await withTaskGroup(of: Void.self) { group in
            // Each task ends by cancellation. A source that fails reports nothing more.
            group.addTask { try? await blueZ.run { _ in } }
            group.addTask { try? await audio.run { await tell(.audio($0)) } }
            group.addTask { try? await screen.followSavers(sessionBus) { await tell(.session($0)) } }
            group.addTask { try? await AppLaunches().follow(sessionBus, observe: tell) { _ in } }
            group.addTask {
                try? await system.run { bus in
                    let hasAnswered = (try? await bus.names()) != nil
                    await follow(bus, screen, tell)
                    return ("it is no longer watched", hasAnswered)
                }
            }
            if let application {
                group.addTask {
                    try? await system.run { bus in
                        let hasAnswered = (try? await bus.names()) != nil
                        try? await Location(on: loop, application: application).follow(bus) {
                            await tell(.location($0))
                        }
                        return ("it is no longer watched", hasAnswered)
                    }
                }
            }
        }
    }

    private func follow(
        _ bus: Connection, _ screen: ScreenWatch, _ tell: @escaping @Sendable (TriggerObservation) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await screen.followSessions(bus) { await tell(.session($0)) } }
            group.addTask { try? await PowerSupply().follow(bus) { await tell(.power($0)) } }
            _ = await bus.closed()
            group.cancelAll()
        }
    }
}

extension BlueZObservation {
    /// Whether the observation concerns devices, so that a trace records it.
    var isOfDevices: Bool {
        switch self {
        case .event(.added(_, let interfaces)): interfaces[BluetoothTree.device] != nil
        case .event(.removed(_, let interfaces)): interfaces.contains(BluetoothTree.device)
        case .event(.changed(_, let interface, let changed, let invalidated)):
            interface == BluetoothTree.device
                && (changed.keys.contains(where: BluetoothTree.keys.contains)
                    || invalidated.contains(where: BluetoothTree.keys.contains))
        case .event, .unreachable: true
        }
    }
}
