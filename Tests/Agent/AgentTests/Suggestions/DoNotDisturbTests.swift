import AgentInterface
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Suggestions that Do Not Disturb holds back.
@Suite("Do Not Disturb and suggestions", .serialized, .timeLimit(.minutes(15)))
struct DoNotDisturbTests {
    private nonisolated(nonsending) func withHeldSuggestion(
        _ body: nonisolated(nonsending) (MediaScene) async throws -> Void
    ) async throws {
        try await withMediaScene(isInhibited: true, configure: { $0.disturbanceTime = .milliseconds(50) }) { scene in
            try await scene.withApp { _ in
                try await scene.putOn()
                let offered = try await scene.rig.waitForSuggestions("a suggestion on the bus") { $0.first }
                #expect(offered.state == "offered")
                try await queries(3, scene)
                #expect(scene.notifications.record.state.requests.isEmpty)
                try await body(scene)
            }
        }
    }

    /// Waits until Do Not Disturb was queried a number of further times.
    private func queries(_ count: Int, _ scene: MediaScene) async throws {
        let former = scene.notifications.record.state.inhibitionQueries
        try await withDeadline(.seconds(60), "questions about Do Not Disturb") {
            try await scene.notifications.record.wait { $0.inhibitionQueries >= former + count ? () : nil }
        }
    }

    private func isShown(_ scene: MediaScene) async throws {
        try await scene.rig.waitForSuggestions("the suggestion being shown") {
            $0.first?.state == "shown" ? () : nil
        }
    }

    @Test("Its end shows the suggestion once")
    func ends() async throws {
        try await withHeldSuggestion { scene in
            scene.notifications.setInhibited(false)
            let shown = try await scene.notifications.request(1)
            #expect(shown.summary.contains("Episode 1"))
            try await isShown(scene)
            let why = try await scene.rig.hunch("why-not").output()
            #expect(why.contains("something was suggested") && !why.contains("Do Not Disturb"), "\(why)")
            // It is no longer queried, and so not shown again.
            let queries = scene.notifications.record.state.inhibitionQueries
            try await scene.notifications.activate(shown.number, "not-now")
            try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
            #expect(scene.notifications.record.state.inhibitionQueries == queries)
            #expect(scene.notifications.record.state.requests.count == 1)
        }
    }

    @Test("No suggestion is shown when it ends after the headset left")
    func deviceGone() async throws {
        try await withHeldSuggestion { scene in
            try await scene.takeOff()
            try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
            scene.notifications.setInhibited(false)
            // The next one is the first that is shown.
            try await scene.putOn()
            _ = try await scene.notifications.request(1)
            try await isShown(scene)
            #expect(scene.notifications.record.state.requests.count == 1)
        }
    }

    @Test("No suggestion is shown when it ends while something plays")
    func playing() async throws {
        try await withHeldSuggestion { scene in
            try await withClient(of: scene.rig.bus) { client in
                let radio = try await RadioPlayer(on: client.connection)
                try await radio.play("Song")
                try await scene.rig.waitForSuggestions("the suggestion going") { $0.isEmpty ? () : nil }
                scene.notifications.setInhibited(false)
                #expect(scene.notifications.record.state.requests.isEmpty)
            }
        }
    }
}
