import AgentInterface
import FoundationEssentials
import Glibc
import EventLoops
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of suggestions on a locked screen.
@Suite("Suggestions on a locked screen", .serialized, .timeLimit(.minutes(15)))
struct LockScreenTests {
    private static let card: BusName = "org.mpris.MediaPlayer2.hunch"

    /// A scene with a session of the user that the agent follows.
    private func withSession(
        isLocked: Bool,
        _ body: nonisolated(nonsending) (MediaScene, MockLogind, _ session: ObjectPath) async throws -> Void
    ) async throws {
        try await withMediaScene { scene in
            try await withMockLogind(on: scene.system) { logind in
                let session = try await logind.addSession("1", of: getuid(), began: 42)
                try await lock(isLocked, session, logind, scene)
                try await scene.withApp { _ in try await body(scene, logind, session) }
            }
        }
    }

    /// Locks or unlocks, and waits until the agent knows.
    private func lock(
        _ isLocked: Bool, _ session: ObjectPath, _ logind: MockLogind, _ scene: MediaScene
    ) async throws {
        try await logind.setLocked(isLocked, session)
        try await eventually("the screen being known", because: "Status has no signal") {
            try await scene.rig.agent.status().transfer.value("screen") == (isLocked ? "hidden" : "seen") ? () : nil
        }
    }

    private func cardTitle(_ scene: MediaScene) async throws -> String {
        try await scene.rig.bus.waitForOwner(of: Self.card.text)
        let card = Proxy(scene.rig.agent.connection, Self.card, "/org/mpris/MediaPlayer2")
        let metadata: VariantMap = try await card.property("org.mpris.MediaPlayer2.Player", "Metadata")
        return try metadata.require("xesam:title")
    }

    private func outcomes(_ scene: MediaScene) throws -> [String] { try StoreFile(home: scene.rig.home).outcomes() }

    @Test("A suggestion hides its title until the screen is unlocked")
    func locked() async throws {
        try await withSession(isLocked: true) { scene, logind, session in
            try await scene.putOn()
            let hidden = try await scene.notifications.request(1)
            #expect(hidden.summary == "Something to play" && hidden.body.isEmpty)
            #expect(hidden.icon == "org.hunch.Hunch")
            #expect(hidden.actions.contains("Play"))
            #expect(try await cardTitle(scene) == "Something to play")
            // Permitted callers still see it on the bus.
            let offered = try #require(try await scene.rig.agent.suggestions().first)
            #expect(offered.title.contains("Episode 1") && offered.state == "offered")
            #expect(try outcomes(scene).isEmpty)

            try await lock(false, session, logind, scene)
            let shown = try await scene.notifications.request(2)
            #expect(shown.summary.contains("Episode 1") && shown.replaces == hidden.number)
            #expect(try await cardTitle(scene) == "Episode 1")
            try await scene.rig.waitForSuggestions("it being shown") { $0.first?.state == "shown" ? () : nil }
            #expect(try outcomes(scene) == ["shown"])
        }
    }

    @Test("Locking hides titles, and a closed notification stays closed")
    func lockedMeanwhile() async throws {
        try await withSession(isLocked: false) { scene, logind, session in
            try await scene.putOn()
            let shown = try await scene.notifications.request(1)
            #expect(shown.summary.contains("Episode 1"))
            #expect(try await cardTitle(scene) == "Episode 1")
            try await scene.rig.waitForSuggestions("it being shown") { $0.first?.state == "shown" ? () : nil }
            try await lock(true, session, logind, scene)
            let hidden = try await scene.notifications.request(2)
            #expect(hidden.summary == "Something to play" && hidden.replaces == shown.number)
            #expect(try await cardTitle(scene) == "Something to play")

            try await lock(false, session, logind, scene)
            let whole = try await scene.notifications.request(3)
            #expect(whole.summary.contains("Episode 1"))
            // Its notification has timed out.
            try await scene.notifications.tellClosed(whole.number, reason: 1)
            // The lock is reported on another bus. A reply on this bus comes after its earlier signals.
            for _ in 0..<20 { _ = try await scene.rig.agent.suggestions() }
            try await lock(true, session, logind, scene)
            #expect(try await cardTitle(scene) == "Something to play")
            #expect(scene.notifications.record.state.requests.count == 3)
            #expect(try outcomes(scene) == ["shown"])
        }
    }

    @Test("A suggestion that ended while locked is not shown")
    func over() async throws {
        try await withSession(isLocked: true) { scene, logind, session in
            try await scene.putOn()
            let hidden = try await scene.notifications.request(1)
            try await scene.takeOff()
            try await scene.notifications.waitForClosing(of: hidden.number)
            try await lock(false, session, logind, scene)
            try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
            #expect(scene.notifications.record.state.requests.count == 1)
            #expect(try outcomes(scene).isEmpty)
        }
    }

    @Test("hunch lockscreen shows titles without counting as shown")
    func switchedOn() async throws {
        try await withSession(isLocked: true) { scene, logind, session in
            #expect(try await scene.rig.hunch("lockscreen", "--json").output() == "{\"titles\":false}\n")
            try await scene.putOn()
            _ = try await scene.notifications.request(1)
            #expect(try await scene.rig.hunch("lockscreen", "--titles", "on").output().contains("on"))
            let titled = try await scene.notifications.request(2)
            #expect(titled.summary.contains("Episode 1"))
            #expect(try await cardTitle(scene) == "Episode 1")
            #expect(try outcomes(scene).isEmpty)
            #expect(try await scene.rig.agent.suggestions().first?.state == "offered")
            try await scene.rig.agent.set(.lockScreenTitles, isOn: false)
            #expect(try await scene.notifications.request(3).summary == "Something to play")
        }
    }

    @Test("Pressing Play on the lock screen starts playback")
    func pressed() async throws {
        try await withSession(isLocked: true) { scene, _, _ in
            try await scene.putOn()
            let hidden = try await scene.notifications.request(1)
            try await scene.notifications.activate(hidden.number, "play")
            try await eventually("the play being written down", because: "the store has no signals") {
                try outcomes(scene) == ["shown", "accepted"] ? () : nil
            }
        }
    }

    @Test(
        "A screen saver hides titles until it ends",
        arguments: ["xfce", "freedesktop"])
    func screenSaver(_ desktop: String) async throws {
        try await withMediaScene { scene in
            func wait(for screen: String) async throws {
                try await eventually("the screen being \(screen)", because: "Status has no signal") {
                    try await scene.rig.agent.status().transfer.value("screen") == screen ? () : nil
                }
            }
            try await withClient(of: scene.rig.bus) { client in
                // It is already running and covers the screen.
                let saver = try await ScreenSaver(on: client.connection, desktop, isActive: true)
                try await wait(for: "hidden")
                let before: [String: String] = try await scene.rig.agent.status().transfer.value("context") ?? [:]
                #expect(before["session"] == nil)
                try await saver.set(isActive: false)
                try await wait(for: "seen")
                try await eventually("the person having come back", because: "Status has no signal") {
                    let context: [String: String] = try await scene.rig.agent.status().transfer.value("context") ?? [:]
                    return context["session"] == "unlock" ? () : nil
                }
                try await saver.set(isActive: true)
                try await wait(for: "hidden")
                try await scene.withApp { _ in
                    try await scene.putOn()
                    let hidden = try await scene.notifications.request(1)
                    #expect(hidden.summary == "Something to play" && hidden.body.isEmpty)
                    try await saver.set(isActive: false)
                    let shown = try await scene.notifications.request(2)
                    #expect(shown.summary.contains("Episode 1") && shown.replaces == hidden.number)
                }
                try await saver.set(isActive: true)
                try await wait(for: "hidden")
            }
            // It has crashed, so nothing covers the screen.
            try await wait(for: "seen")
        }
    }
}

/// A fake screen saver.
private actor ScreenSaver {
    private nonisolated let connection: Connection
    private let server: ObjectServer
    private let path: ObjectPath
    private let interface: InterfaceName
    private var isActive: Bool

    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

    init(on connection: Connection, _ desktop: String, isActive: Bool) async throws {
        self.connection = connection
        self.isActive = isActive
        path = try ObjectPath("/org/\(desktop)/ScreenSaver")
        interface = try InterfaceName("org.\(desktop).ScreenSaver")
        server = await ObjectServer(on: connection)
        let served = ExportedInterface(
            interface,
            [.method("GetActive", results: ["active"]) { [weak self] _ -> Bool in await self?.isActive ?? false }])
        try await server.export(path, [served])
        _ = try await connection.requestName(BusName(interface.text))
    }

    func set(isActive: Bool) async throws {
        self.isActive = isActive
        try await connection.emit(path, interface, "ActiveChanged", body: [.boolean(isActive)])
    }
}
