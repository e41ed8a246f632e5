import AgentInterface
import FoundationEssentials
import Glibc
import EventLoops
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

/// An agent that is killed while it suggests something, and the next one.
@Suite("Killed agents", .serialized, .timeLimit(.minutes(15)))
struct KilledAgentTests {
    /// The fate of the suggestion before the next agent starts.
    enum Change: CaseIterable {
        case nothing, dismissed, played, paused, deviceLeft
    }

    private static let device = AudioDevice.ID(MockBluetoothDevice.headset().address)

    /// Runs an agent until it is killed.
    private nonisolated(nonsending) func withKilledAgent(
        _ scene: Scene, _ body: nonisolated(nonsending) (AgentRig) async throws -> Void
    ) async throws {
        try await withAgent(on: scene.bus, in: scene.home, also: scene.machine.environment) { rig, daemon in
            try await body(rig)
            daemon.signal(SIGKILL)
            try await daemon.waitForExit()
        }
    }

    private struct Scene: Sendable {
        let bus: PrivateBus
        let home: TemporaryHome
        let machine: HeadsetMachine
        let notifications: NotificationRecorder
        let app: Daemon
    }

    private nonisolated(nonsending) func withScene(
        _ body: nonisolated(nonsending) (Scene) async throws -> Void
    ) async throws {
        let loop = try EventLoop()
        try loop.start(name: "recorder")
        defer { loop.stop() }
        try await withTemporaryHome { home in
            try StoreFile(home: home).remember(plays: [MediaScene.podcasts])
            try home.declareContent(of: MediaScene.podcasts, name: "Podcasts")
            try await HeadsetMachine.with(in: home) { machine in
                try await withPrivateBus { bus in
                    let notifications = try await NotificationRecorder.start(on: bus, loop: loop)
                    try await withDaemon(
                        builtProduct("playable-app"), [MediaScene.podcasts.rawValue, "normal"],
                        environment: agentEnvironment(bus, home), ready: .busName(MediaScene.podcasts.rawValue, on: bus)
                    ) { app in
                        try await body(
                            Scene(bus: bus, home: home, machine: machine, notifications: notifications, app: app))
                    }
                    await notifications.stop()
                }
            }
        }
    }

    /// Waits until the suggestion's outcome is written down.
    private func waitForOutcomes(_ outcomes: [String], _ scene: Scene) async throws {
        try await eventually("\(outcomes)", because: "the store tells nobody") {
            try StoreFile(home: scene.home).outcomes() == outcomes ? () : nil
        }
    }

    @Test("Only an unanswered suggestion that is still valid is made again", arguments: Change.allCases)
    func media(change: Change) async throws {
        try await withScene { scene in
            try await withKilledAgent(scene) { rig in
                try await rig.watch()
                try await scene.machine.putOn()
                let shown = try await scene.notifications.request(1)
                try await waitForOutcomes(["shown"], scene)
                // Resuming is for devices that connect, not for agents that start.
                try await rig.agent.setDevicePolicy(DevicePolicyChange(resumes: true), of: Self.device)
                switch change {
                case .nothing, .played: break
                case .dismissed:
                    try await scene.notifications.activate(shown.number, "not-now")
                    try await waitForOutcomes(["shown", "dismissed"], scene)
                case .paused: try await rig.agent.pause(until: nil)
                case .deviceLeft: try await scene.machine.takeOff()
                }
            }
            try StoreFile(home: scene.home).use { store in
                let date = change == .played ? Date() : Date(timeIntervalSinceNow: -3_600)
                _ = try store.remember(
                    ResumePoint(
                        device: Self.device, application: MediaScene.podcasts, item: "show-1/episode-1",
                        info: NowPlayingInfo(title: "Episode 1", item: "show-1/episode-1"), pausedByDisconnect: false,
                        date: date),
                    now: Date())
            }
            try await withKilledAgent(scene) { rig in
                if change == .paused { try await rig.agent.resume() }
                // The first call comes while the agent starts. It waits for what the agent finds.
                let devices = try await rig.hunch("devices")
                let name = scene.machine.headset.name
                switch change {
                case .nothing: #expect(devices.standardOutput == "\(name)\theadset\tBluetooth\tready\n", "\(devices)")
                case .deviceLeft: #expect(devices.standardOutput.hasSuffix("\tnot connected\n"), "\(devices)")
                case .dismissed, .played, .paused:
                    #expect(devices.standardOutput.contains("\tready, but already connected"), "\(devices)")
                }
                let listed = try await rig.hunch("suggestions")
                #expect(listed.standardOutput.contains("Episode 1") == (change == .nothing), "\(listed)")
                #expect(!listed.standardError.contains("the audio server"), "\(listed)")
                try await rig.watch()
                if change == .nothing {
                    let again = try await scene.notifications.request(2)
                    #expect(again.summary.contains("Episode 1") && again.actions.contains("play"), "\(again)")
                    let told = ", \(name) was already connected when Hunch started: something was suggested.\n"
                    try await eventually("the result", because: "Status has no signal") {
                        try await rig.hunch("why-not").output().hasSuffix(told) ? () : nil
                    }
                    try await scene.notifications.activate(again.number, "not-now")
                    try await waitForOutcomes(["shown", "shown", "dismissed"], scene)
                    // The answer does not make it one of the devices that lead to nothing.
                    let answered = try await rig.hunch("why-not").output()
                    #expect(
                        answered.hasPrefix("Now, \(name): Once it connects again, "), "\(answered)")
                    #expect(try await rig.hunch("devices").output().hasSuffix("\tready\n"))
                } else {
                    // It is not offered at the start, but at the next trigger.
                    let candidates = try await rig.agent.simulate(SimulatedTrigger(device: Self.device))
                    #expect(!candidates.isEmpty)
                    #expect(try await rig.agent.suggestions().isEmpty)
                    #expect(scene.notifications.record.state.requests.count == 1)
                }
            }
            guard change == .nothing else { return }
            try await withKilledAgent(scene) { rig in
                try await rig.watch()
                _ = try await rig.agent.simulate(SimulatedTrigger(device: Self.device))
                #expect(try await rig.agent.suggestions().isEmpty)
                #expect(scene.notifications.record.state.requests.count == 2)
            }
            #expect(scene.app.count(of: "initiate") == 0 && scene.app.count(of: "prepare") > 0, "\(scene.app.output)")
        }
    }
}
