import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// The signals that nobody has to poll for.
@Suite("Signals of changes", .timeLimit(.minutes(15))) struct ChangeSignalTests {
    /// Counts what a sequence has, while its connection lasts.
    private func count(_ changes: AgentChanges, on connection: Connection) -> Watched<Int> {
        let count = Watched(0)
        Task(executorPreference: connection.loop) {
            for await _ in changes { count.update { $0 += 1 } }
        }
        return count
    }

    @Test("Who may see the current activity learns that it changed, and nobody else does")
    func current() async throws {
        try await withActivityAgent { scene in
            try await scene.withApp("org.example.Widget") { widget in
                try await scene.withApp("org.example.Curious", .sandboxed) { curious in
                    _ = try await scene.rig.agent.setReader("org.example.Widget", isAllowed: true)
                    let told = count(try await widget.agent.currentActivityChanges(), on: widget.connection)
                    let others = count(try await curious.agent.currentActivityChanges(), on: curious.connection)
                    for reader in [widget, curious] { #expect(try await reader.agent.currentActivity() == nil) }
                    try await scene.withApp { app in
                        let page = try await app.becomeCurrent(ActivityApp.activity("Page"))
                        try await told.wait { $0 == 1 ? () : nil }
                        #expect(try await widget.agent.currentActivity()?.activity.title == "Page")
                        try await app.tell(page, "Resign")
                        try await told.wait { $0 == 2 ? () : nil }
                    }
                    // Its own activity, it may see.
                    _ = try await curious.becomeCurrent(ActivityApp.activity("Mine"))
                    try await others.wait { $0 == 1 ? () : nil }
                }
            }
        }
    }

    @Test("A stream has what is suggested now, and after each change")
    func suggestions() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                let agent = scene.rig.agent
                let changes = try await agent.suggestionChanges()
                let lists = Watched<[[String]]>([])
                Task(executorPreference: agent.connection.loop) {
                    for await list in changes { lists.update { $0.append(list.map(\.title)) } }
                }
                try await lists.wait { $0 == [[]] ? () : nil }
                // What a program requests is not in it.
                _ = try await agent.likelySuggestions()
                try await scene.putOn()
                let shown = try await lists.wait { $0.first { !$0.isEmpty } }
                #expect(shown == ["Resume “Episode 1”"])
                let offer = try await agent.suggestions().first { !$0.isRequested }
                try await agent.dismiss(try #require(offer).id)
                try await lists.wait { $0.last == [] ? () : nil }
            }
        }
    }

    @Test("A caller of Likely learns once that something else is likely")
    func likely() async throws {
        try await withTriggerScene { scene in
            try scene.rig.installApp(TriggerScene.weather, "MimeType=x-scheme-handler/weather;")
            let agent = scene.rig.agent
            let told = count(try await agent.likelyChanges(), on: agent.connection)
            #expect(try await agent.likelySuggestions().isEmpty)
            let forecast = ["uri": "weather:berlin", "title": "Berlin"]
            try await scene.teach(TriggerScene.weather, "openItem", forecast)
            // What happens makes the agent look.
            await scene.come(.sessionStarted)
            try await told.wait { $0 == 1 ? () : nil }
            #expect(try await agent.likelySuggestions().map(\.application) == [TriggerScene.weather])
            _ = try await agent.forget(.everything)
            try await told.wait { $0 == 2 ? () : nil }
            // Also if it was refused, since Hunch was paused.
            try await agent.pause(until: nil)
            await #expect(throws: DBusError.self) { try await agent.likelySuggestions() }
            try await agent.resume()
            try await scene.teach(TriggerScene.weather, "openItem", forecast)
            await scene.come(.sessionStarted)
            try await told.wait { $0 == 3 ? () : nil }
            // Not called again, so not told again.
            try await scene.teach(TriggerScene.weather, "openItem", forecast)
            await scene.come(.sessionStarted)
            #expect(told.state == 3)
        }
    }
}
