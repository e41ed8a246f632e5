import EventLoops
import FoundationEssentials
import HunchDBus
import HunchModel
import TestSupport

@testable import Agent
@testable import Services

/// The world of a random day. Agents come and go in it.
struct RandomWorld: Sendable {
    let home: TemporaryHome
    let machine: HeadsetMachine
    let bus: PrivateBus
    let geoclue: FakeGeoClue
    let notifications: NotificationRecorder
    let app: Daemon
    let clock = Watched(CalendarScene.start)

    /// Runs an agent until `body` ends.
    nonisolated(nonsending) func withAgent(
        _ body: nonisolated(nonsending) (AgentRig) async throws -> Void
    ) async throws {
        try await withAgentInside(
            on: bus, in: home, also: machine.environment,
            configure: {
                $0.now = { [clock] in clock.state }
                $0.settleTime = .milliseconds(50)
                $0.rejoinTime = .zero
                $0.preparationTime = .seconds(5)
            }, body)
    }

    /// The notifications that stand, by number.
    var standing: [UInt32: String] {
        let record = notifications.record.state
        var standing: [UInt32: String] = [:]
        for request in record.requests { standing[request.number] = request.summary }
        return standing.filter { !record.closed.contains($0.key) }
    }

    /// Makes a world in which the user listened to podcasts on each of the last days.
    static nonisolated(nonsending) func with(
        _ body: nonisolated(nonsending) (RandomWorld) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start(name: "world")
        defer { loop.stop() }
        try await withTemporaryHome { home in
            try StoreFile(home: home).remember(plays: [MediaScene.podcasts], before: CalendarScene.start)
            try home.declareContent(of: MediaScene.podcasts, name: "Podcasts")
            try home.directory.write(
                "[D-BUS Service]\nName=org.hunch.CalendarReader1\nExec=\(builtProduct("hunch-calendar"))\n",
                to: "services/org.hunch.CalendarReader1.service")
            try home.directory.write(
                "[Default Applications]\nx-scheme-handler/https=\(CalendarScene.browser).desktop\n",
                to: "config/mimeapps.list")
            try await HeadsetMachine.with(in: home) { machine in
                let geoclue = try await FakeGeoClue.start(on: machine.system, loop: loop)
                try await withPrivateBus(
                    serviceDirectories: [home.directory.file("services")], environment: home.environment
                ) { bus in
                    let notifications = try await NotificationRecorder.start(on: bus, loop: loop)
                    try await withDaemon(
                        builtProduct("playable-app"), [MediaScene.podcasts.rawValue, "normal"],
                        environment: agentEnvironment(bus, home), ready: .busName(MediaScene.podcasts.rawValue, on: bus)
                    ) { app in
                        try await body(
                            RandomWorld(
                                home: home, machine: machine, bus: bus, geoclue: geoclue, notifications: notifications,
                                app: app))
                    }
                    await notifications.stop()
                }
                await geoclue.stop()
            }
        }
    }
}
