import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent

/// What the person wants of a device: nothing by itself unless it is switched on.
@Suite("Device policies", .serialized, .timeLimit(.minutes(3)))
struct DevicePolicyTests {
    private func remember(_ scene: MediaScene, _ title: String = "Episode 1", item: String = "show-1/episode-1") throws
    {
        try StoreFile(home: scene.rig.home).use { store in
            _ = try store.remember(
                ResumePoint(
                    device: scene.headset.address, application: MediaScene.podcasts, item: item,
                    info: NowPlayingInfo(title: title), pausedByDisconnect: true, date: Date()), now: Date())
        }
    }

    private func device(_ scene: MediaScene) async throws -> VariantMap {
        let address = scene.headset.address
        return try #require(try await scene.rig.agent.devices().first { try $0.value("id") == address })
    }

    @Test("nothing goes on by itself where it was not switched on; where it was, it does, and nothing is offered")
    func resumes() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                try remember(scene)
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                #expect(app.count(of: "initiate") == 0)
                try await scene.takeOff()

                try await scene.rig.agent.setDevicePolicy(["resume": .boolean(true)], of: scene.headset.address)
                #expect(try await device(scene).value("resume") == true)
                #expect(try await device(scene).value("pause") == false)
                try await scene.putOn()
                try await app.waitForLine(containing: "playing")
                #expect(scene.notifications.record.state.requests.count == 1)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
            }
        }
    }

    @Test("while Hunch is paused nothing goes on by itself")
    func pausedAgent() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                try remember(scene)
                try await scene.rig.agent.setDevicePolicy(["resume": .boolean(true)], of: scene.headset.address)
                try StoreFile(home: scene.rig.home).use { try $0.setPaused(until: Date(timeIntervalSinceNow: 3_600)) }
                try await scene.putOn()
                try await scene.waitForHold("paused")
                #expect(app.count(of: "initiate") == 0)
            }
        }
    }

    @Test("what cannot go on is offered")
    func fallsBack() async throws {
        try await withMediaScene { scene in
            try await scene.withApp(mode: "error") { app in
                try remember(scene)
                try await scene.rig.agent.setDevicePolicy(["resume": .boolean(true)], of: scene.headset.address)
                try await scene.putOn()
                try await scene.waitForHold("prepared nothing")
                #expect(app.count(of: "initiate") == 0)
            }
        }
    }

    @Test("“Never on this device” switches suggestions off there, and they can be switched on again")
    func never() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                #expect(shown.actions.contains("never"))
                try await scene.notifications.activate(shown.number, "never")
                try await eventually("the policy", because: "Devices has no signal") {
                    try await device(scene).value("suggest") == false ? () : nil
                }
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                let asked = app.count(of: "prepare")
                try await scene.takeOff()
                try await scene.putOn()
                try await scene.waitForHold("nothing is to be suggested")
                #expect(app.count(of: "prepare") == asked)
                try await scene.takeOff()

                let answer = try await scene.rig.hunch("device", scene.headset.address, "--suggest", "on", "--json")
                #expect(try answer.output().contains("\"suggest\":true"))
                try await scene.putOn()
                _ = try await scene.notifications.request(2)
            }
        }
    }

    @Test("what is no switch is refused, and nothing changes")
    func refused() async throws {
        try await withMediaScene { scene in
            let address = scene.headset.address
            for policy in [["loud": .boolean(true)], ["resume": .string("on")]] as [VariantMap] {
                let refusal = try await scene.rig.refusal { try await $0.agent.setDevicePolicy(policy, of: address) }
                #expect([.invalidInput, .invalidArgs].contains(refusal?.name))
            }
            let long = String(repeating: "x", count: 10_000)
            let refusal = try await scene.rig.refusal {
                try await $0.agent.setDevicePolicy(["resume": .boolean(true)], of: long)
            }
            #expect(refusal != nil)
            #expect(try await device(scene).value("resume") == false)
            let unknown = try await scene.rig.hunch("device", "no such thing")
            #expect(unknown.status == .exited(1))
            #expect(
                unknown.standardError
                    == "hunch: no device “no such thing” is known; “hunch devices” lists those that are\n")
            let odd = try await scene.rig.hunch("device", address, "--resume", "maybe")
            #expect(odd.status == .exited(2))
            #expect(
                odd.standardError.hasSuffix("one of 'on' and 'off'; see “hunch device --help”\n"),
                "\(odd.standardError)")
        }
    }
}
