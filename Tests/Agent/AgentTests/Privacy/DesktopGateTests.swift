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
@testable import Learning

/// Tests of every kind of recording with the desktop's privacy settings: nothing is recorded
/// before they are known or if they forbid it, and everything on a desktop without such settings.
@Suite("Desktop privacy gate", .serialized, .timeLimit(.minutes(15))) struct DesktopGateTests {
    /// The actions in the scene: donated by a command, shown by an app, and played.
    private static let words = ["GateSong", "GatePage", "GateRadio"]

    /// An enabled agent that records a play at once, and waits for the portal without limit.
    private func withScene(
        on bus: PrivateBus, in home: TemporaryHome,
        _ body: nonisolated(nonsending) (ActivityScene, RadioPlayer) async throws -> Void
    ) async throws {
        try prepareEnabled(home)
        try await withActivityAgent(
            on: bus, in: home, now: { Date() },
            configure: {
                $0.privacySettingsTime = .seconds(600)
                $0.playTime = { _ in .milliseconds(1) }
                // Only the place of the activity is recorded.
                $0.openedTime = 3_600
            }
        ) { scene in
            try await withClient(of: bus) { client in
                try await body(scene, RadioPlayer(on: client.connection))
            }
        }
    }

    /// Plays something, and waits until the agent sees it.
    private func play(_ title: String, _ radio: RadioPlayer, _ scene: ActivityScene) async throws {
        try await radio.play(title)
        try await eventually("\(title) being seen", because: "Players has no signal") {
            try await scene.rig.agent.players().map(\.transfer).contains { $0["title"] == .string(title) } ? () : nil
        }
    }

    /// The reason why nothing is recorded; empty if recording is on.
    private func withheld(_ scene: ActivityScene) async throws -> String { try await scene.rig.privacy("Withheld") }

    private func donate(_ scene: ActivityScene) async throws -> [String] {
        try await scene.rig.codes([
            Item.play("GateSong", more: ["app": .string("org.example.Songs")])
        ])
    }

    private func show(_ scene: ActivityScene) async throws {
        try await scene.withApp { app in
            _ = try await app.becomeCurrent(try ActivityApp.restaurant("GatePage"))
        }
    }

    /// Accepts a suggestion, which opens directions.
    private func go(_ scene: ActivityScene) async throws {
        let asked = try await scene.rig.suggest(["uri": .string("geo:48.8584,2.2945")])
        let offered = try await scene.rig.agent.suggestions()
        let paths = asked.suggestions.map(\.lastElement)
        let maps = offered.first { $0.application == ActivityScene.maps && paths.contains($0.id) }
        try await scene.rig.agent.accept(try #require(maps).id)
    }

    private func expectNothingWritten(_ scene: ActivityScene, _ when: Comment) throws {
        let home = scene.rig.home
        let counts = try StoreFile(home: home).counts().filter { $0.value > 0 }
        #expect(counts.isEmpty, when)
        #expect(try scene.seenPlaces().isEmpty, when)
        // Neither in the file nor in its log.
        #expect(try Planted.found(Self.words, in: home).isEmpty, when)
    }

    private func waitForAll(_ scene: ActivityScene) async throws {
        try await eventually("everything being written", because: "rows tell nobody") {
            let kinds = try scene.rig.donations().map(\.kind)
            let titles = try scene.rig.donations().compactMap { $0.parameters["title"] ?? $0.parameters["item"] }
            return kinds.contains(.getDirections) && titles.contains("GateRadio") && kinds.count == 3 ? () : nil
        }
        #expect(try await scene.waitForSeenPlaces(1).map(\.place.name) == ["GatePage"])
    }

    @Test("Recording waits for the portal's answer")
    func before() async throws {
        try await withPortalLoop { loop in
            try await withTemporaryHome { home in
                try await withPrivateBus { bus in
                    let portal = try await SettingsPortal(
                        on: bus, loop: loop, ["remember-recent-files": .boolean(true)], answers: false)
                    try await withScene(on: bus, in: home) { scene, radio in
                        try await portal.questions.wait { $0 > 0 ? () : nil }
                        #expect(try await withheld(scene) == RecordingVeto.settingsUnknown.rawValue)
                        try await play("GateRadio", radio, scene)
                        async let donated = donate(scene)
                        async let shown: Void = show(scene)
                        async let gone: Void = go(scene)
                        // The app opens without waiting for the record of it.
                        _ = try await scene.rig.started(ActivityScene.maps)
                        for _ in 0..<20 { _ = try await scene.rig.agent.status().transfer }
                        try expectNothingWritten(scene, "the portal has not answered")
                        portal.answers.update { $0 = true }
                        #expect(try await donated == [""])
                        try await shown
                        try await gone
                        try await waitForAll(scene)
                    }
                    await portal.connection.close()
                }
            }
        }
    }

    @Test("Nothing is recorded until the desktop allows it", arguments: ["GNOME", "KDE"])
    func forbidden(desktop: String) async throws {
        let file = "config/kactivitymanagerd-pluginsrc"
        func settings(_ number: Int) -> String {
            "[Plugin-org.kde.ActivityManager.Resources.Scoring]\nwhat-to-remember=\(number)\n"
        }
        try await withPortalLoop { loop in
            try await withTemporaryHome { home in
                let isGNOME = desktop == "GNOME"
                if !isGNOME { try home.directory.write(settings(2), to: file) }
                try await withPrivateBus { bus in
                    let portal = try await SettingsPortal(
                        on: bus, loop: loop, ["remember-recent-files": .boolean(!isGNOME)])
                    try await withScene(on: bus, in: home) { scene, radio in
                        // The first call waits for the settings.
                        #expect(try await donate(scene) == ["withheld"])
                        #expect(try await withheld(scene).hasPrefix(desktop.lowercased()))
                        try await play("GateRadio", radio, scene)
                        try await show(scene)
                        try await go(scene)
                        try expectNothingWritten(scene, "\(desktop) says no")

                        if isGNOME {
                            try await portal.set("remember-recent-files", true)
                        } else {
                            try home.directory.write(settings(0), to: file)
                            try await scene.rig.agent.connection.emit(
                                "/kactivitymanagerd_pluginsrc", "org.kde.kconfig.notify", "ConfigChanged",
                                body: [[String: [[UInt8]]]().dbusValue])
                        }
                        try await eventually("the desktop saying yes", because: "the other tests follow its signal") {
                            try await withheld(scene).isEmpty ? () : nil
                        }
                        // Actions are recorded from now on. Earlier ones were not.
                        try await play("LaterRadio", radio, scene)
                        try await eventually("the later play being written", because: "rows tell nobody") {
                            let titles = try scene.rig.donations().map { $0.parameters["title"] }
                            return titles == ["LaterRadio"] ? () : nil
                        }
                        #expect(try Planted.found(Self.words, in: home).isEmpty)
                    }
                    await portal.connection.close()
                }
            }
        }
    }

    @Test("Recording starts without a portal")
    func absent() async throws {
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                try await withScene(on: bus, in: home) { scene, radio in
                    #expect(try await donate(scene) == [""])
                    try await play("GateRadio", radio, scene)
                    try await show(scene)
                    try await go(scene)
                    try await waitForAll(scene)
                }
            }
        }
    }
}
