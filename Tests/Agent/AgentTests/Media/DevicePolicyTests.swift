import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services
@testable import Media
@testable import Triggers

/// Tests of the settings of a device.
@Suite("Device policies", .serialized, .timeLimit(.minutes(15)))
struct DevicePolicyTests {
    private func remember(_ scene: MediaScene, _ title: String = "Episode 1", item: String = "show-1/episode-1") throws
    {
        try StoreFile(home: scene.rig.home).use { store in
            _ = try store.remember(
                ResumePoint(
                    device: AudioDevice.ID(scene.headset.address), application: MediaScene.podcasts, item: item,
                    info: NowPlayingInfo(title: title), pausedByDisconnect: true, date: Date()), now: Date())
        }
    }

    private func device(_ scene: MediaScene) async throws -> VariantMap {
        let address = scene.headset.address
        return try #require(try await scene.rig.agent.devices().map(\.transfer).first { try $0.value("id") == address })
    }

    @Test("Playback resumes by itself only on devices that allow it")
    func resumes() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                try remember(scene)
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                #expect(app.count(of: "initiate") == 0)
                try await scene.takeOff()

                try await scene.rig.agent.setDevicePolicy(
                    DevicePolicyChange(resumes: true), of: AudioDevice.ID(scene.headset.address))
                #expect(try await device(scene).value("resume") == true)
                #expect(try await device(scene).value("pause") == false)
                try await scene.putOn()
                try await app.waitForLine(containing: "playing")
                #expect(scene.notifications.record.state.requests.count == 1)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                let told = ", after connecting \(scene.headset.name): playback was continued.\n"
                try await eventually("the result", because: "Status has no signal") {
                    try await scene.rig.hunch("why-not").output().hasSuffix(told) ? () : nil
                }
            }
        }
    }

    @Test("A pause of Hunch stops automatic resuming")
    func pausedAgent() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                try remember(scene)
                try await scene.rig.agent.setDevicePolicy(
                    DevicePolicyChange(resumes: true), of: AudioDevice.ID(scene.headset.address))
                try StoreFile(home: scene.rig.home).use { try $0.setPaused(until: Date(timeIntervalSinceNow: 3_600)) }
                try await scene.putOn()
                try await scene.waitForHold("paused")
                #expect(app.count(of: "initiate") == 0)
            }
        }
    }

    @Test("Playback that cannot resume by itself is suggested")
    func fallsBack() async throws {
        try await withMediaScene { scene in
            try await scene.withApp(mode: "error") { app in
                try remember(scene)
                try await scene.rig.agent.setDevicePolicy(
                    DevicePolicyChange(resumes: true), of: AudioDevice.ID(scene.headset.address))
                try await scene.putOn()
                try await scene.waitForHold("prepared nothing")
                #expect(app.count(of: "initiate") == 0)
            }
        }
    }

    @Test("“Never on this device” can be undone")
    func never() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                let shown = try await scene.notifications.request(1)
                #expect(shown.actions.contains("never"))
                try await scene.notifications.activate(shown.number, "never")
                let announced = try await scene.notifications.request(2)
                #expect(announced.summary == "No more suggestions on \(scene.headset.name)")
                #expect(try await device(scene).value("suggest") == false)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
                let asked = app.count(of: "prepare")
                try await scene.takeOff()
                try await scene.putOn()
                try await scene.waitForHold("suggestions are off")
                #expect(app.count(of: "prepare") == asked)
                try await scene.takeOff()

                try await scene.notifications.activate(announced.number, "undo")
                try await eventually("the policy", because: "Devices has no signal") {
                    try await device(scene).value("suggest") == true ? () : nil
                }
                try await scene.putOn()
                _ = try await scene.notifications.request(3)
            }
        }
    }

    @Test("A device keeps its name while Hunch is paused, and while it is off")
    func name() async throws {
        try await withMediaScene { scene in
            try remember(scene)
            try await scene.putOn()
            #expect(try await device(scene).value("name") == scene.headset.name)
            try await scene.rig.agent.pause(until: nil)
            try await eventually("nothing being watched", because: "Agent1 has no signal for it") {
                try await scene.rig.agent.status().part("bluez")?.state == "off" ? () : nil
            }
            #expect(try await device(scene).value("name") == scene.headset.name)
        }
    }

    @Test("An invalid device policy is refused and changes nothing")
    func refused() async throws {
        try await withMediaScene { scene in
            let address = scene.headset.address
            for policy in [["loud": .boolean(true)], ["resume": .string("on")]] as [VariantMap] {
                let refusal = try await scene.rig.refusal { rig in
                    let () = try await rig.agent.connection.call(
                        HunchNames.agent, HunchNames.root, HunchNames.media, "SetDevicePolicy", address, policy)
                }
                #expect([.invalidInput, .invalidArgs].contains(refusal?.name))
            }
            let long = String(repeating: "x", count: 10_000)
            let refusal = try await scene.rig.refusal {
                try await $0.agent.setDevicePolicy(DevicePolicyChange(resumes: true), of: AudioDevice.ID(long))
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
                odd.standardError.hasSuffix("use one of on, off; see “hunch device --help”\n"),
                "\(odd.standardError)")
        }
    }

    @Test("The machine's own speakers are not a device that connects")
    func speakers() async throws {
        try await withMediaScene { scene in
            try StoreFile(home: scene.rig.home).use { store in
                for device: AudioDevice.ID in [AudioDevice.speakers, "AA:BB"] {
                    let point = ResumePoint(
                        device: device, application: MediaScene.podcasts, item: nil,
                        info: NowPlayingInfo(title: "Episode 1"), pausedByDisconnect: false, date: Date())
                    let outcome = try store.remember(point, now: Date())
                    #expect(outcome.isRecorded)
                }
            }
            let names = try await scene.rig.agent.devices().map(\.id)
            #expect(names.contains("AA:BB") && !names.contains(AudioDevice.speakers))
        }
    }

    @Test("An unplugged device lists its policy and can be changed")
    func unplugged() async throws {
        try await withMediaScene { scene in
            let sink = "alsa_output.usb-Desk_headset-00.analog-stereo"
            try await scene.audio.addSink(
                sink,
                ["device.bus": "usb", "device.form_factor": "headset", "device.description": "Desk headset"])
            try await eventually("the device", because: "Devices has no signal") {
                try await scene.rig.agent.devices().map(\.transfer).contains { try $0.value("name") == "Desk headset" }
                    ? () : nil
            }
            _ = try await scene.rig.hunch("device", "Desk headset", "--suggest", "off").output()
            #expect(try await scene.rig.hunch("devices").output().contains("\tconnected; suggestions off\n"))

            try await scene.audio.removeSink(sink)
            try await eventually("the device being gone", because: "Devices has no signal") {
                let listed = try await scene.rig.hunch("devices").output()
                return listed.contains("Desk headset\theadset\tUSB\tnot connected; suggestions off\n") ? () : nil
            }
            let answer = try await scene.rig.hunch("device", "desk headset", "--suggest", "on", "--json").output()
            #expect(answer.contains(#""suggest":true"#))
            #expect(try await !scene.rig.hunch("devices").output().contains("Desk headset"))
        }
    }

    @Test("A remembered device can be set by its identifier")
    func remembered() async throws {
        try await withMediaScene { scene in
            try StoreFile(home: scene.rig.home).use { store in
                let point = ResumePoint(
                    device: "FF:EE", application: MediaScene.podcasts, item: "1", info: NowPlayingInfo(title: "One"),
                    pausedByDisconnect: false, date: Date())
                let outcome = try store.remember(point, now: Date())
                #expect(outcome.isRecorded)
            }
            // It has no name, so it is not listed.
            #expect(try await !scene.rig.hunch("devices").output().contains("FF:EE"))
            _ = try await scene.rig.hunch("device", "FF:EE", "--suggest", "off").output()
            let policies = try StoreFile(home: scene.rig.home).use { try $0.policies() }
            #expect(policies["FF:EE"]?.suggests == false)
        }
    }

    @Test("hunch simulate uses the connected device and its policy")
    func simulated() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try remember(scene)
                let none = try await scene.rig.hunch("simulate")
                #expect(none.status == .exited(1))
                #expect(none.standardError.hasPrefix("hunch: no device is connected; "), "\(none)")
                try await scene.putOn()
                _ = try await scene.notifications.request(1)
                let named = try await scene.rig.hunch("simulate", "--device", scene.headset.address).standardOutput
                #expect(named.contains("Episode 1"))
                #expect(try await scene.rig.hunch("simulate").standardOutput == named)
                #expect(try await scene.rig.hunch("simulate", "headphones").standardOutput == named)

                _ = try await scene.rig.hunch("device", scene.headset.address, "--suggest", "off").output()
                let off = try await scene.rig.hunch("simulate")
                #expect(off.status == .exited(1))
                #expect(off.standardError.hasPrefix("hunch: nothing would be suggested: suggestions are off for"))
            }
        }
    }

    @Test("The device in use precedes a connected one of the same kind")
    func meant() {
        func status(_ id: String, _ kind: AudioDevice.Kind, connected: Bool = false, ready: Bool = false)
            -> DeviceStatus
        {
            DeviceStatus(
                device: AudioDevice(id: AudioDevice.ID(id), name: id, kind: kind, transport: .usb),
                isConnected: connected,
                isDefault: ready, isReady: ready, hold: nil)
        }
        let away = [status("a", .headphones), status("b", .headset), status("c", .speaker)]
        #expect(SimulatedDevice.find(.headphones, among: away)?.id == "a")
        #expect(SimulatedDevice.find(.headset, among: away)?.id == "b")
        #expect(SimulatedDevice.find(.car, among: away) == nil && SimulatedDevice.find(nil, among: away) == nil)
        let connected = away + [status("d", .earbuds, connected: true), status("e", .speaker, connected: true)]
        #expect(SimulatedDevice.find(.headphones, among: connected)?.id == "d")
        #expect(SimulatedDevice.find(.headset, among: connected)?.id == "b")
        let ready = connected + [status("f", .hearingAid, connected: true, ready: true)]
        #expect(SimulatedDevice.find(.headphones, among: ready)?.id == "f")
        #expect(SimulatedDevice.find(nil, among: ready)?.id == "f")
    }
}
