import AgentInterface
import FoundationEssentials
import EventLoops
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

@Suite("App launch as a trigger", .serialized, .timeLimit(.minutes(15)))
struct LaunchedAppTests {
    /// A fake user manager, which only lists units and reports their jobs.
    private final class Manager: Sendable {
        static let path: ObjectPath = "/org/freedesktop/systemd1"
        static let interface: InterfaceName = "org.freedesktop.systemd1.Manager"
        /// The number of requests for the list of units. A caller listens after its request.
        let questions = Watched(0)
        private let server: ObjectServer

        init(on bus: Connection) async throws {
            server = await ObjectServer(on: bus)
            let questions = questions
            try await server.export(
                Self.path,
                [
                    ExportedInterface(
                        Self.interface,
                        [
                            .method("Subscribe") { _ in },
                            .method("ListUnitsByPatterns", arguments: ["states", "patterns"], results: ["units"]) {
                                (_, _: [String], _: [String]) -> [VariantMap] in
                                questions.update { $0 += 1 }
                                // A value of the wrong type counts as absent.
                                return []
                            },
                        ])
                ])
            _ = try await bus.requestName("org.freedesktop.systemd1")
        }

        func launch(_ unit: String) async throws {
            let path: ObjectPath = "/org/freedesktop/systemd1/unit/app"
            try await server.emit(Self.path, Self.interface, "UnitNew", unit, path)
        }
    }

    @Test(
        "A launch announcement is suggested only for its own app")
    func launched() async throws {
        try await withMediaScene(played: [], configure: AnnouncementTests.asApp) { scene in
            try await scene.withApp { app in
                var wanted = Announcement(item: "show-2/episode-6", title: "Episode 6")
                wanted.trigger = .launch
                try await scene.rig.agent.setRelevant([wanted])
                let manager = try await Manager(on: scene.rig.agent.connection)
                _ = try await withDeadline(.seconds(60), "the agent's question") {
                    try await manager.questions.wait { $0 > 0 ? true : nil }
                }
                try await manager.launch("app-gnome-org.example.Other-1.scope")
                try await manager.launch("app-gnome-\(MediaScene.podcasts)-2.scope")
                let shown = try await scene.notifications.request(1)
                #expect(shown.summary.contains("Episode 6"))
                let offered = try #require(try await scene.rig.agent.suggestions().first)
                #expect(offered.application == MediaScene.podcasts)
                try await app.waitForLine(containing: "prepare [show-2/episode-6]")
                #expect(app.output.split(separator: "\n").count { $0.contains("prepare [show-2/episode-6]") } == 1)
            }
        }
    }
}
