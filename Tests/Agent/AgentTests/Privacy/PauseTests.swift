import AgentInterface
import HunchModel
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import TestSupport
import Testing

@testable import Agent
@testable import Services

@Suite("Pausing Hunch", .serialized, .timeLimit(.minutes(15))) struct PauseTests {
    /// A clock that a test sets.
    private final class Clock: Sendable {
        let now = Watched(Planted.now)
        var reader: @Sendable () -> Date { { [now] in now.state } }
        func advance(by seconds: Double) { now.update { $0 = $0.addingTimeInterval(seconds) } }
    }

    private func withScene(_ body: nonisolated(nonsending) (MediaScene) async throws -> Void) async throws {
        let commands = try ["/proc/self/exe", builtProduct("hunch")]
        // On a busy machine, a responsive app may be slow.
        try await withMediaScene(
            configure: {
                $0.commands = commands
                $0.preparationTime = .seconds(20)
            }, body)
    }

    @Test("A pause withdraws suggestions and stops recording")
    func everything() async throws {
        try await withScene { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                try await eventually("it being written down", because: "the store tells nobody") {
                    try StoreFile(home: scene.rig.home).outcomes() == ["shown"] ? () : nil
                }
                let before = try StoreFile(home: scene.rig.home).counts()
                #expect(try await scene.rig.hunch("pause").output().contains("until you run"))
                try await scene.notifications.waitForClosing(of: shown.number)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                #expect(try await scene.rig.agent.status().transfer.value("paused") == true)
                let simulated = try await scene.rig.agent.simulate(
                    SimulatedTrigger(device: AudioDevice.ID(scene.headset.address))
                )
                #expect(!simulated.isEmpty)
                for candidate in simulated {
                    #expect(candidate.hold?.description == "Hunch is paused")
                }
                try await scene.bluez.disconnect(scene.headset.address)
                try await scene.bluez.connect(scene.headset.address)
                let after = try StoreFile(home: scene.rig.home).counts()
                #expect(before == after)
                #expect(app.count(of: "prepare") == 1)
                #expect(scene.notifications.record.state.requests.count == 1)
                #expect(try await scene.rig.hunch("unpause").status == .exited(0))
                try await eventually("watching", because: "Status has no signal") {
                    try await scene.rig.agent.status().part("bluez")?.state == "watching" ? () : nil
                }
            }
        }
    }

    @Test("Forgetting an app withdraws its suggestion at once")
    func withdrawing() async throws {
        try await withScene { scene in
            try await scene.withApp { _ in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                let other = try await scene.rig.hunch("forget", "--app", "org.example.Other", "--json")
                #expect(other.status == .exited(1), "\(other)")
                #expect(try await scene.rig.agent.suggestions().count == 1)
                let result = try await scene.rig.hunch(
                    "forget", "--app", MediaScene.podcasts.rawValue + ".desktop", "--json")
                #expect(result.standardOutput.contains(#""engagements":2"#), "\(result)")
                try await scene.notifications.waitForClosing(of: shown.number)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                #expect(
                    try Planted.found(["Podcasts", "Episode"], in: scene.rig.home).values.allSatisfy { files in
                        files.allSatisfy { $0.hasSuffix(".desktop") }
                    })
            }
        }
    }

    @Test("An excluded app is neither asked nor suggested")
    func exclusion() async throws {
        try await withScene { scene in
            try await scene.withApp { app in
                #expect(try await scene.rig.hunch("exclude", MediaScene.podcasts.rawValue).status == .exited(0))
                try await scene.putOn()
                try await scene.waitForHold("is excluded")
                #expect(app.count(of: "prepare") == 0)
                #expect(scene.notifications.record.state.requests.isEmpty)
                #expect(try await scene.rig.hunch("exclude", "--list").output() == MediaScene.podcasts.rawValue + "\n")
                #expect(
                    try await scene.rig.hunch("exclude", "--undo", MediaScene.podcasts.rawValue).status == .exited(0))
                #expect(
                    try await scene.rig.hunch("exclude", "--undo", MediaScene.podcasts.rawValue).status == .exited(1))
                #expect(try await scene.rig.hunch("exclude", "--list").status == .exited(1))
                try await scene.takeOff()
                try await scene.putOn()
                do {
                    _ = try await scene.notifications.request(1)
                } catch {
                    let (status, devices) = (
                        try await scene.rig.agent.status().transfer, try await scene.rig.agent.devices().map(\.transfer)
                    )
                    Issue.record("\(status), \(devices), \(app.output)")
                    throw error
                }
            }
        }
    }

    @Test("A pause survives a restart, is reported and ends by itself")
    func restart() async throws {
        let clock = Clock()
        let end = Planted.now.addingTimeInterval(600)
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                try await withPrivacyAgent(on: bus, in: home, now: clock.reader) { rig in
                    try await rig.agent.enable()
                    let cache = PropertyCache(rig.root, HunchNames.privacy)
                    var snapshots = try await cache.snapshots().makeAsyncIterator()
                    #expect(try await snapshots.next()??.value("Paused") == false)
                    try await rig.agent.pause(until: end)
                    let told = await snapshots.next()
                    #expect(try told??.value("Paused") == true)
                    #expect(try told??.value("PausedUntil") == HunchAgent.microseconds(end))
                }
                // Most of the pause passed while no agent ran.
                clock.advance(by: 599.9)
                try await withPrivacyAgent(on: bus, in: home, now: clock.reader) { rig in
                    #expect(try await rig.privacy("Paused") == true)
                    let status = try await rig.agent.status().transfer
                    #expect(
                        try AgentStatus(transfer: status).part("bluez")?.state == "off"
                            && status.value("paused") == true)
                    clock.advance(by: 1)
                    let cache = PropertyCache(rig.root, HunchNames.privacy)
                    for await properties in try await cache.snapshots() {
                        if try properties?.value("Paused") == false { break }
                    }
                    try await eventually("watching", because: "Status has no signal") {
                        try await rig.agent.status().part("bluez")?.state != "off" ? () : nil
                    }
                    #expect(try await rig.privacy("PausedUntil") == UInt64(0))
                }
            }
        }
    }

    @Test("Clients are told when Hunch is switched on and off")
    func switching() async throws {
        try await withAgent { rig, _ in
            let cache = PropertyCache(rig.root, HunchNames.agentInterface)
            var snapshots = try await cache.snapshots().makeAsyncIterator()
            #expect(try await snapshots.next()??.value("Enabled") == false)
            for isOn in [true, false] {
                if isOn { try await rig.agent.enable() } else { try await rig.agent.disable() }
                #expect(try await snapshots.next()??.value("Enabled") == isOn)
            }
        }
    }

    @Test("Enabling during a pause does not end it")
    func enabling() async throws {
        try await withAgent { rig, _ in
            #expect(try await rig.hunch("pause", "--json").output() == "{\"paused\":true}\n")
            try await rig.turn(on: true)
            let status = try await rig.agent.status().transfer
            #expect(try status.value("enabled") == true && status.value("paused") == true)
            #expect(try AgentStatus(transfer: status).part("bluez")?.state == "off")
            #expect(try status.value("paused-until", as: UInt64.self) == nil)
            let text = try await rig.hunch("status").output()
            #expect(text.contains("paused\tuntil “hunch unpause”"))
            #expect(try await rig.hunch("doctor").standardOutput.contains("running, but paused"))
            #expect(try await rig.hunch("unpause", "--json").output() == "{\"paused\":false}\n")
            #expect(try await rig.agent.status().part("bluez")?.state != "off")
        }
    }
}
