import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import History
import TestSupport
import Synchronization
import Testing

@testable import Agent
@testable import Services
@testable import Apps

/// Tests of pausing when a device disconnects.
@Suite("Pausing on disconnect", .serialized, .timeLimit(.minutes(15)))
struct PausingTests {
    /// A stand-in for the settings metadata of WirePlumber 0.5.
    private static let settings = """
        context.objects = [ { factory = metadata args = { metadata.name = sm-settings } } ]
        """

    /// A clock that advances by a millisecond each time it is read, so that successive events are close on it, however
    /// busy the machine is.
    private static func slowClock() -> @Sendable () -> Date {
        let begin = Date()
        let looks = Mutex(0)
        return {
            begin
                + looks.withLock {
                    $0 += 1
                    return Double($0) / 1_000
                }
        }
    }

    /// This clock, and enough time for PipeWire on a busy machine.
    @Sendable private static func beCalm(_ configuration: inout AgentConfiguration) {
        configuration.now = slowClock()
        configuration.settingTime = .seconds(30)
    }

    /// A scene in which PipeWire has the settings.
    private nonisolated(nonsending) func withSettings(
        _ body: nonisolated(nonsending) (MediaScene) async throws -> Void
    ) async throws {
        try await withMediaScene(
            played: [],
            prepare: { home in
                try home.directory.write(Self.settings, to: "run/.config/pipewire/pipewire.conf.d/settings.conf")
            }, configure: Self.beCalm, body)
    }

    private func set(_ value: String, _ audio: AudioServer) async throws {
        let answer = try await run(
            "pw-metadata", ["-n", "sm-settings", "0", "linking.pause-playback", value, "Spa:String:JSON"],
            environment: audio.environment)
        #expect(answer.status == .exited(0) && answer.standardOutput.contains("set property"))
    }

    /// Plays on the headset, and disconnects it.
    private func playAndGo(_ title: String, _ radio: RadioPlayer, _ scene: MediaScene) async throws {
        try await scene.putOn()
        try await scene.waitForDevice("the headset being ready") { try $0.value("ready") == true }
        try await radio.play(title)
        _ = try await remembered(title, byDisconnect: false, scene)
        try await scene.takeOff()
    }

    /// Waits for the resume point of a title on a device.
    ///
    /// - Parameter byDisconnect: whether it has to have been paused by the disconnect; `nil` if that does not matter.
    private func remembered(
        _ title: String, byDisconnect: Bool? = nil, _ scene: MediaScene, on device: String? = nil
    ) async throws -> ResumePoint {
        let device = device ?? scene.headset.address
        let what =
            "“\(title)” being remembered (paused by the disconnect: \(byDisconnect?.description ?? "be it or not"))"
        return try await eventually(what, because: "the store tells nobody") {
            try StoreFile(home: scene.rig.home).use { try $0.resumePoints(device: AudioDevice.ID(device)) }.first {
                $0.info.title == title && byDisconnect ?? $0.pausedByDisconnect == $0.pausedByDisconnect
            }
        }
    }

    @Test(
        "Hunch pauses unless WirePlumber does, and remembers the item"
    )
    func coexistence() async throws {
        try await withSettings { scene in
            let address = scene.headset.address
            try await scene.rig.agent.setDevicePolicy(DevicePolicyChange(pauses: true), of: AudioDevice.ID(address))
            try await withClient(of: scene.rig.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                // A version without that setting.
                try await playAndGo("One", radio, scene)
                _ = try await remembered("One", byDisconnect: true, scene)
                #expect(await radio.pauses == 1)

                try await set("true", scene.audio)
                try await playAndGo("Two", radio, scene)
                // In place of WirePlumber.
                try await radio.pause()
                _ = try await remembered("Two", byDisconnect: true, scene)
                #expect(await radio.pauses == 1)
                let told = try await scene.rig.hunch("device", address).output()
                #expect(told.contains("on, by WirePlumber, so Hunch does not"), "\(told)")
                let fields = try await scene.rig.hunch("device", address, "--json").output()
                #expect(fields.contains(#""pausedBy":"WirePlumber""#))
                #expect(try await scene.rig.agent.status().part("pausing")?.state == "WirePlumber")

                try await set("false", scene.audio)
                try await scene.waitForDevice("Hunch's turn") { $0["pausedBy"] == nil }
                #expect(try await scene.rig.agent.status().part("pausing") == nil)
                try await playAndGo("Three", radio, scene)
                _ = try await remembered("Three", byDisconnect: true, scene)
                #expect(await radio.pauses == 2)
            }
        }
    }

    @Test("Playback that moves to a device is remembered and paused")
    func moved() async throws {
        try await withMediaScene(played: [], configure: Self.beCalm) { scene in
            try await scene.rig.agent.setDevicePolicy(
                DevicePolicyChange(pauses: true), of: AudioDevice.ID(scene.headset.address))
            try await withClient(of: scene.rig.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                try await radio.play("One")
                try await eventually("the player being seen", because: "Players has no signal") {
                    try await scene.rig.hunch("players").output().contains("it plays") ? () : nil
                }
                try await scene.putOn()
                _ = try await remembered("One", byDisconnect: false, scene)
                try await scene.takeOff()
                _ = try await remembered("One", byDisconnect: true, scene)
                #expect(await radio.pauses == 1)
            }
        }
    }

    @Test("Playback paused by a dropped link is suggested once")
    func dropped() async throws {
        try await withMediaScene(
            played: [],
            configure: {
                Self.beCalm(&$0)
                $0.rejoinTime = .seconds(60)
            }
        ) { scene in
            try await scene.rig.agent.setDevicePolicy(
                DevicePolicyChange(pauses: true), of: AudioDevice.ID(scene.headset.address))
            try await withClient(of: scene.rig.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                try await playAndGo("One", radio, scene)
                _ = try await remembered("One", byDisconnect: true, scene)
                try await scene.putOn()
                #expect(try await scene.notifications.request(1).summary.contains("One"))
                let offered = try await scene.rig.agent.suggestions().map(\.id)
                try await scene.takeOff()
                try await scene.putOn()
                try await scene.waitForDevice("the headset being ready again") { try $0.value("ready") == true }
                #expect(try await scene.rig.agent.suggestions().map(\.id) == offered)
                #expect(scene.notifications.record.state.requests.count == 1)
            }
        }
    }

    @Test("hunch doctor reports when WirePlumber pauses instead")
    func doctor() async throws {
        try await withTemporaryHome { home in
            try home.directory.write(Self.settings, to: "run/.config/pipewire/pipewire.conf.d/settings.conf")
            try await HeadsetMachine.with(in: home) { machine in
                try await withPrivateBus { bus in
                    try await withAgent(on: bus, in: home, also: machine.environment) { rig, _ in
                        try await rig.watch()
                        try await rig.agent.setDevicePolicy(
                            DevicePolicyChange(pauses: true), of: AudioDevice.ID(machine.headset.address))
                        let line =
                            "✓ pausing: WirePlumber pauses playback when a device disconnects, so Hunch does not\n"
                        for isOn in [true, false] {
                            try await set("\(isOn)", machine.audio)
                            // Doctor may find other things missing here, so its exit code is not 0.
                            let told = try await rig.hunch("doctor").standardOutput
                            #expect(told.contains(line) == isOn, "\(told)")
                        }
                    }
                }
            }
        }
    }

    @Test("Unplugging from a socket leaves pausing to WirePlumber")
    func socket() async throws {
        try await withSettings { scene in
            try await withJackCard(on: scene.audio) { card in
                let socket = JackCard.socket
                func plug(_ isIn: Bool) async throws {
                    card.plugOrPull()
                    try await eventually("the plug being \(isIn ? "in" : "out")", because: "Devices has no signal") {
                        try await scene.rig.agent.devices().map(\.transfer).contains {
                            try $0.value("id") == socket && $0.value("ready") == true
                        } == isIn ? () : nil
                    }
                }
                try await scene.rig.agent.setDevicePolicy(DevicePolicyChange(pauses: true), of: AudioDevice.ID(socket))
                try await withClient(of: scene.rig.bus) { client in
                    let radio = try await RadioPlayer(on: client.connection)
                    try await plug(true)
                    try await radio.play("One")
                    _ = try await remembered("One", scene, on: socket)
                    try await plug(false)
                    try await eventually("the pause", because: "the player tells nobody") {
                        await radio.pauses == 1 ? () : nil
                    }

                    try await set("true", scene.audio)
                    try await plug(true)
                    let told = try await scene.rig.hunch("device", socket).output()
                    #expect(
                        told.contains("on, but left to WirePlumber, which acts only where an output goes"), "\(told)")
                    try await radio.play("Two")
                    _ = try await remembered("Two", scene, on: socket)
                    try await plug(false)
                    // The effects of a disconnect come before its resume points are marked.
                    try await radio.pause()
                    _ = try await remembered("Two", byDisconnect: true, scene, on: socket)
                    #expect(await radio.pauses == 1)
                }
            }
        }
    }

    @Test(
        "Only the enabled setting means that WirePlumber pauses",
        arguments: [
            (
                "Found \"sm-settings\" metadata 35\nupdate: id:0 key:'linking.pause-playback' value:'true' type:'Spa:String:JSON'\n",
                true
            ),
            ("update: id:0 key:'linking.pause-playback' value:'false' type:'Spa:String:JSON'\n", false),
            ("update: id:0 key:'linking.pause-playback.x' value:'true' type:'Spa:String:JSON'\n", false),
            ("update: id:7 key:'linking.pause-playback' value:'true' type:'Spa:String:JSON'\n", false),
            ("update: id:0 key:'x' value:'key:'linking.pause-playback' value:'true' ' type:''\n", false),
            ("Found \"sm-settings\" metadata 35\n", false), ("can't connect: Host is down\n", false), ("", false),
        ])
    func words(told: String, isPausing: Bool) {
        #expect(WirePlumber.isPausing(told) == isPausing)
    }

    @Test("A program's output and run time are limited")
    func programs() throws {
        let environment = ["PATH": "/usr/bin:/bin"]
        func read(_ command: String..., limit: Int = 1_000, within patience: Duration = .seconds(30)) throws -> String {
            try ProgramOutput.read(command, environment: environment, limit: limit, within: patience)
        }
        #expect(try read("printf", "%s", "tël") == "tël")
        #expect(try read("env") == "PATH=/usr/bin:/bin\n")
        #expect(try read("no-such-program-anywhere") == "")
        #expect(try read("yes", limit: 10) == "y\ny\ny\ny\ny\n")
        #expect(try read("printf", "\\377") == "\u{FFFD}")
        let begun = ContinuousClock.now
        #expect(try read("sh", "-c", "echo begun; exec sleep 600", within: .milliseconds(500)).count <= 6)
        #expect(begun.duration(to: .now) < .seconds(300))
    }
}
