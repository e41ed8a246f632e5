import AgentInterface
import FoundationEssentials
import EventLoops
import HunchDBus
import HunchKit
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// The now-playing card with real media players, and the effects of its buttons.
@Suite("Now-playing card", .serialized, .timeLimit(.minutes(15)))
struct CardTests {
    private static let name: BusName = "org.mpris.MediaPlayer2.hunch"

    private func card(_ scene: MediaScene) -> Proxy {
        Proxy(scene.rig.agent.connection, Self.name, "/org/mpris/MediaPlayer2")
    }

    private func ask(
        _ scene: MediaScene, _ member: MemberName, _ interface: InterfaceName = "org.mpris.MediaPlayer2.Player"
    ) async throws {
        let _: Void = try await card(scene).call(interface, member)
    }

    private func waitUntilGone(_ scene: MediaScene) async throws {
        let connection = scene.rig.agent.connection
        try await withDeadline(.seconds(60), "the card going") {
            for await owner in try await connection.owners(of: Self.name) where owner == nil { return }
        }
    }

    @Test("Pressing Play starts the suggestion and closes the card")
    func press() async throws {
        try await withMediaScene(configure: { $0.keyTime = .zero }) { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                try await scene.rig.bus.waitForOwner(of: Self.name.text)
                let metadata: VariantMap = try await card(scene).property("org.mpris.MediaPlayer2.Player", "Metadata")
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                let title: String = try metadata.require("xesam:title")
                #expect(offered.title.contains(title))
                #expect(app.count(of: "playing") == 0)
                try await ask(scene, "PlayPause")
                try await app.waitForLine(containing: "playing")
                try await waitUntilGone(scene)
                #expect(app.count(of: "initiate") == 1)
            }
        }
    }

    @Test("Play sent by a connecting headset starts nothing")
    func automaticPlay() async throws {
        try await withMediaScene(configure: { $0.keyTime = .seconds(3_600) }) { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                try await scene.rig.bus.waitForOwner(of: Self.name.text)
                try await ask(scene, "Play")
                try await ask(scene, "PlayPause")
                // The suggestion is unchanged.
                let offered = try await scene.rig.waitForSuggestions("the offer as it was") {
                    $0.first { $0.state == "shown" }
                }
                #expect(app.count(of: "initiate") == 0)
                try await scene.rig.agent.accept(offered.id)
                try await app.waitForLine(containing: "playing")
                #expect(app.count(of: "playing") == 1)
            }
        }
    }

    @Test("Owning a shell's bus name does not count as its click")
    func pretendedShell() async throws {
        try await withMediaScene(configure: { $0.keyTime = .seconds(3_600) }) { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                try await scene.rig.bus.waitForOwner(of: Self.name.text)
                for shell: BusName in ["org.gnome.Shell", "org.kde.plasmashell"] {
                    #expect(try await scene.rig.agent.connection.requestName(shell) == .owner)
                }
                for member: MemberName in ["PlayPause", "Play"] { try await ask(scene, member) }
                let offered = try await scene.rig.waitForSuggestions("the offer as it was") {
                    $0.first { $0.state == "shown" }
                }
                #expect(app.count(of: "initiate") == 0)
                // The button of the notification counts.
                try await scene.rig.agent.accept(offered.id)
                try await app.waitForLine(containing: "playing")
                #expect(app.count(of: "playing") == 1)
            }
        }
    }

    @Test("Only playerctl outside a sandbox can use the card")
    func sandboxed() async throws {
        try await withMediaScene(configure: { $0.keyTime = .zero }) { scene in
            try await scene.withApp { app in
                try await scene.putOn()
                try await scene.rig.bus.waitForOwner(of: Self.name.text)
                func playerctl(_ word: String, _ address: String) async throws -> CommandResult {
                    let environment = scene.rig.environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
                    return try await run("playerctl", ["-p", "hunch", word], environment: environment)
                }
                try await withBusProxy(to: scene.rig.bus, ["--talk=\(Self.name)"]) { address in
                    let metadata = try await playerctl("metadata", address)
                    #expect(!metadata.standardOutput.contains("xesam:title"), "\(metadata)")
                    let pressed = try await playerctl("play", address)
                    #expect(pressed.status != .exited(0), "\(pressed)")
                }
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                #expect(offered.state == "shown" && app.count(of: "initiate") == 0)
                let metadata = try await playerctl("metadata", scene.rig.bus.address)
                #expect(metadata.standardOutput.contains("xesam:title"), "\(metadata)")
                #expect(try await playerctl("play", scene.rig.bus.address).status == .exited(0))
                try await app.waitForLine(containing: "playing")
            }
        }
    }

    @Test("Pause during preparation withdraws the suggestion")
    func cancelled() async throws {
        try await withMediaScene(configure: {
            $0.keyTime = .zero
            $0.preparationTime = .seconds(20)
        }) { scene in
            try await scene.withApp(mode: "hangOnPlay") { app in
                try await scene.putOn()
                try await scene.rig.bus.waitForOwner(of: Self.name.text)
                try await ask(scene, "Play")
                try await app.waitForLine(containing: "initiate")
                try await ask(scene, "Pause")
                try await waitUntilGone(scene)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
            }
        }
    }

    @Test("playerctld prefers a paused or starting player to the card")
    func proxy() async throws {
        try await withMediaScene { scene in
            let proxy = Command(
                "playerctld", [], environment: scene.rig.environment,
                ready: .busName("org.mpris.MediaPlayer2.playerctld", on: scene.rig.bus))
            try await withDaemon(proxy) { _ in
                try await scene.withApp { app in
                    func playerctl(_ word: String) async throws -> String {
                        try await run("playerctl", ["-p", "playerctld", word], environment: scene.rig.environment)
                            .standardOutput
                    }
                    try await scene.putOn()
                    try await scene.rig.bus.waitForOwner(of: Self.name.text)
                    try await withClient(of: scene.rig.bus) { client in
                        let radio = try await RadioPlayer(on: client.connection)
                        try await radio.play("News")
                        try await waitUntilGone(scene)
                        try await eventually("the proxy showing the player", because: "playerctl asks once") {
                            try await playerctl("status") == "Playing\n" ? () : nil
                        }
                        _ = try await playerctl("play-pause")
                        try await eventually("the player being paused", because: "Players has no signal") {
                            try await scene.rig.agent.players().map(\.transfer).contains {
                                $0["status"] == .string("Paused")
                            }
                                ? () : nil
                        }
                        try await scene.takeOff()
                        try await scene.putOn()
                        _ = try await scene.notifications.request(2)
                        #expect(try await client.connection.owner(of: Self.name) == nil)
                        _ = try await playerctl("play-pause")
                        try await eventually("the player playing", because: "Players has no signal") {
                            try await scene.rig.agent.players().map(\.transfer).contains {
                                $0["status"] == .string("Playing")
                            }
                                ? () : nil
                        }
                    }
                    #expect(app.count(of: "initiate") == 0)
                }
            }
        }
    }

    @Test("Quit dismisses the suggestion")
    func dismissed() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try await scene.putOn()
                try await scene.rig.bus.waitForOwner(of: Self.name.text)
                try await ask(scene, "Quit", "org.mpris.MediaPlayer2")
                try await waitUntilGone(scene)
                #expect(try await scene.rig.agent.suggestions().isEmpty)
            }
        }
    }
}
