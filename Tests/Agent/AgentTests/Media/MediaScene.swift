import Agent
import Services
import AgentInterface
import FoundationEssentials
import History
import EventLoops
import HunchDBus
import HunchKit
import HunchModel
import TestSupport

/// Everything that the media job watches: a mock of BlueZ, an audio server, a fake notification server, and a headset
/// that can be connected and disconnected.
struct MediaScene: Sendable {
    let rig: AgentRig
    let machine: HeadsetMachine
    let notifications: NotificationRecorder

    /// A stand-in for the system bus.
    var system: PrivateBus { machine.system }
    var bluez: MockBlueZ { machine.bluez }
    var audio: AudioServer { machine.audio }
    var headset: MockBluetoothDevice { machine.headset }

    static let podcasts: AppID = "org.example.Podcasts"

    /// Connects the headset, and makes it the output.
    func putOn() async throws { try await machine.putOn() }

    /// Disconnects the headset, and waits until the agent knows.
    func takeOff() async throws {
        try await machine.takeOff()
        try await waitForDevice("the headset being gone") { try $0.value("connected") == false }
    }

    /// Waits until the agent reports a state of the headset.
    nonisolated(nonsending) func waitForDevice(_ what: String, _ condition: (VariantMap) throws -> Bool) async throws {
        let address = headset.address
        try await eventually(what, because: "Devices has no signal") {
            try await rig.agent.devices().map(\.transfer).contains { try $0.value("id") == address && condition($0) }
                ? () : nil
        }
    }

    /// Installs an app that declares playable content.
    func declare(_ app: AppID = podcasts, name: String = "Podcasts") throws {
        try rig.home.declareContent(of: app, name: name)
    }

    /// Declares the app and runs it.
    nonisolated(nonsending) func withApp<Value>(
        _ app: AppID = podcasts, name: String = "Podcasts", mode: String = "normal",
        _ body: nonisolated(nonsending) (Daemon) async throws -> Value
    ) async throws -> Value {
        try declare(app, name: name)
        return try await withDaemon(
            builtProduct("playable-app"), [app.rawValue, mode], environment: rig.environment,
            ready: .busName(app.rawValue, on: rig.bus), body)
    }

    /// Waits for the hold whose text contains a word.
    func waitForHold(_ word: String) async throws {
        try await eventually("a hold with “\(word)”", because: "Status has no signal") {
            try await rig.agent.status().holds?.contains { $0.description.contains(word) } == true ? () : nil
        }
    }
}

extension Daemon {
    /// Returns the number of lines with this beginning.
    func count(of prefix: String) -> Int { output.split(separator: "\n").filter { $0.hasPrefix(prefix) }.count }
}

/// Runs an enabled agent with short time limits that watches the scene.
///
/// - Parameters:
///   - played: the apps in which the user played something before, on no device.
///   - isInhibited: whether Do Not Disturb is on; `nil` for a notification server without it.
///   - prepare: writes files for the audio server.
nonisolated(nonsending) func withMediaScene(
    isEnabled: Bool = true, played: [AppID] = [MediaScene.podcasts], isInhibited: Bool? = nil,
    prepare: (TemporaryHome) throws -> Void = { _ in },
    configure: (inout AgentConfiguration) -> Void = { _ in },
    _ body: nonisolated(nonsending) (MediaScene) async throws -> Void
) async throws {
    let loop = try EventLoop()
    try loop.start(name: "recorder")
    defer { loop.stop() }
    try await withTemporaryHome { home in
        try StoreFile(home: home).remember(plays: played)
        try prepare(home)
        try await HeadsetMachine.with(in: home) { machine in
            try await withPrivateBus { bus in
                let notifications = try await NotificationRecorder.start(
                    on: bus, loop: loop, name: isInhibited == nil ? "recorder" : "Plasma", inhibited: isInhibited)
                try await withAgentInside(
                    on: bus, in: home, also: machine.environment,
                    configure: {
                        $0.settleTime = .milliseconds(50)
                        $0.rejoinTime = .zero
                        // Long enough for an app on an overloaded machine.
                        $0.preparationTime = .seconds(5)
                        $0.beginningTime = .seconds(15)
                        configure(&$0)
                    }
                ) { rig in
                    if isEnabled { try await rig.watch() }
                    try await body(MediaScene(rig: rig, machine: machine, notifications: notifications))
                }
                await notifications.stop()
            }
        }
    }
}

extension AgentRig {
    /// Enables the agent, and waits for its first look at devices and players.
    nonisolated(nonsending) func watch() async throws {
        try await agent.enable()
        try await eventually("watching", because: "Status has no signal") {
            let status = try await agent.status().transfer
            return try AgentStatus(transfer: status).part("bluez")?.state == "watching"
                && AgentStatus(transfer: status).part("audio")?.state == "watching" ? () : nil
        }
    }
}

extension TemporaryHome {
    /// Installs an app that declares playable content.
    func declareContent(of app: AppID, name: String) throws {
        try directory.write(
            """
            [Desktop Entry]
            Type=Application
            Name=\(name)
            Exec=/nonexistent
            Implements=org.hunch.PlayableContent1;
            """, to: "data/applications/\(app).desktop")
    }
}
