import Agent
import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport

/// A desk with everything that the media flow watches: BlueZ, an audio server, a notification server, and a headset
/// that can be put on and taken off.
struct MediaScene: Sendable {
    let rig: AgentRig
    /// What stands for the system's bus.
    let system: PrivateBus
    let bluez: MockBlueZ
    let audio: AudioServer
    let notifications: NotificationRecorder
    let headset = MockBluetoothDevice.headset()

    static let podcasts = "org.example.Podcasts"
    private static let sink = "bluez_output.00_11_22_33_44_55.1"

    /// Connects the headset, and makes it the output.
    func putOn() async throws {
        try await bluez.connect(headset.address)
        try await audio.addSink(
            Self.sink,
            [
                "api.bluez5.address": headset.address, "device.form_factor": "headset", "device.bus": "bluetooth",
                "device.description": "WH",
            ])
    }

    /// Disconnects the headset; the audio server notices as well.
    func takeOff() async throws {
        try await bluez.disconnect(headset.address)
        try await audio.removeSink(Self.sink)
        try await waitForDevice("the headset being gone") { try $0.value("connected") == false }
    }

    /// Waits until the agent sees the headset as wanted.
    nonisolated(nonsending) func waitForDevice(_ what: String, _ condition: (VariantMap) throws -> Bool) async throws {
        let address = headset.address
        try await eventually(what, because: "Devices has no signal") {
            try await rig.agent.devices().contains { try $0.value("id") == address && condition($0) } ? () : nil
        }
    }

    /// Installs an app that declares playable content.
    func declare(_ app: String = podcasts, name: String = "Podcasts") throws {
        try rig.home.directory.write(
            """
            [Desktop Entry]
            Type=Application
            Name=\(name)
            Exec=/nonexistent
            Implements=org.hunch.PlayableContent1;
            """, to: "data/applications/\(app).desktop")
    }

    /// Declares the app and runs it.
    nonisolated(nonsending) func withApp<Value>(
        _ app: String = podcasts, name: String = "Podcasts", mode: String = "normal",
        _ body: nonisolated(nonsending) (Daemon) async throws -> Value
    ) async throws -> Value {
        try declare(app, name: name)
        return try await withDaemon(
            builtProduct("playable-app"), [app, mode], environment: rig.environment,
            ready: .busName(app, on: rig.bus), body)
    }

    /// Waits for the hold whose text contains a word.
    func waitForHold(_ word: String) async throws {
        try await eventually("a hold with “\(word)”", because: "Status has no signal") {
            let holds: [String] = try await rig.agent.status().value("holds") ?? []
            return holds.contains { $0.contains(word) } ? () : nil
        }
    }
}

extension Daemon {
    /// How many of its lines begin so.
    func count(of prefix: String) -> Int { output.split(separator: "\n").filter { $0.hasPrefix(prefix) }.count }
}

/// Runs an enabled agent, with short times, that watches all that a scene has.
///
/// - Parameter played: the apps that the person played something in before, though on no device that comes and goes.
nonisolated(nonsending) func withMediaScene(
    isEnabled: Bool = true, played: [String] = [MediaScene.podcasts],
    configure: (inout AgentConfiguration) -> Void = { _ in },
    _ body: nonisolated(nonsending) (MediaScene) async throws -> Void
) async throws {
    let loop = try EventLoop()
    try loop.start(name: "recorder")
    defer { loop.stop() }
    try await withTemporaryHome { home in
        try StoreFile(home: home).remember(plays: played)
        try await withPrivateBus(.system) { system in
            try await withMockBlueZ(on: system) { bluez in
                try await bluez.add(.headset())
                try await withPipeWire(in: home.runtime) { audio in
                    try await withPrivateBus { bus in
                        let notifications = try await NotificationRecorder.start(on: bus, loop: loop)
                        try await withAgentInside(
                            on: bus, in: home,
                            also: system.environment.merging(["PULSE_SERVER": audio.address]) { $1 },
                            configure: {
                                $0.settleTime = .milliseconds(50)
                                $0.rejoinTime = .zero
                                $0.preparationTime = .milliseconds(400)
                                configure(&$0)
                            }
                        ) { rig in
                            let scene = MediaScene(
                                rig: rig, system: system, bluez: bluez, audio: audio, notifications: notifications)
                            if isEnabled {
                                try await rig.agent.enable()
                                try await eventually("watching", because: "Status has no signal") {
                                    let status = try await rig.agent.status()
                                    return try status.value("bluez") == "watching"
                                        && status.value("audio") == "watching" ? () : nil
                                }
                            }
                            try await body(scene)
                        }
                        await notifications.stop()
                    }
                }
            }
        }
    }
}
