import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Tests of why a suggestion is made, and of who sees what a program requested.
@Suite("Origin of suggestions", .timeLimit(.minutes(15))) struct OriginTests {
    /// Runs an agent with two clients that are apps outside sandboxes.
    private func withTwoApps(
        _ body: nonisolated(nonsending) (AgentRig, HunchAgent, HunchAgent) async throws -> Void
    ) async throws {
        let apps = Watched<[BusName: String]>([:])
        try await withTemporaryHome { home in
            try await withPrivateBus { bus in
                try await withAgentInside(
                    on: bus, in: home,
                    configure: {
                        $0.identify = { call in
                            guard let application = apps.state[call.sender] else { return try await call.caller() }
                            return CallerIdentity(
                                name: call.sender, application: application, confinement: .unsandboxed)
                        }
                    }
                ) { rig in
                    try await rig.agent.enable()
                    try rig.installMapApp()
                    try await withClient(of: bus) { first in
                        try await withClient(of: bus) { second in
                            for (client, name) in [(first, "org.example.First"), (second, "org.example.Second")] {
                                let connection = try #require(await client.connection.uniqueName)
                                apps.update { $0[connection] = name }
                            }
                            try await body(rig, first, second)
                        }
                    }
                }
            }
        }
    }

    @Test("What an app requests is seen by it and by hunch, and ends when the app leaves the bus")
    func requested() async throws {
        try await withTwoApps { rig, first, second in
            let answer = try await first.suggestDirections(
                DirectionsQuery(destination: MapItem(coordinate: try Coordinate(latitude: 48.85, longitude: 2.35))))
            let identifiers = Set(answer.suggestions.map(\.lastElement))
            let id = try #require(identifiers.first)
            let (own, requester) = (try await first.suggestions(), await first.connection.uniqueName)
            #expect(Set(own.map(\.id)) == identifiers)
            #expect(own.allSatisfy { $0.origin == .requested && $0.trigger == nil && $0.requester == requester })
            #expect(try await second.suggestions().isEmpty)
            let refusal = await #expect(throws: DBusError.self) { try await second.explain(id) }
            #expect(refusal?.name == .accessDenied)
            #expect(try await Set(rig.agent.suggestions().map(\.id)) == identifiers)
            await first.connection.close()
            try await rig.waitForSuggestions("the request ending with its app") { $0.isEmpty ? () : nil }
        }
    }

    @Test("What is likely is told to the app that asked, in place of its last answer")
    func likely() async throws {
        try await withTwoApps { rig, first, second in
            try rig.installApp("org.example.First", "MimeType=x-scheme-handler/https;")
            for day in 1...3 {
                let page = Donation(
                    application: "", kind: .openItem,
                    parameters: ["uri": "https://radio.example/page", "title": "Page"],
                    date: Date(timeIntervalSinceNow: -86_400 * Double(day)))
                #expect(try await first.donate([page]) == [.accepted])
            }
            let likely = try await first.likelySuggestions()
            #expect(likely.map(\.origin) == [.likely] && likely[0].application == "org.example.First")
            #expect(try await second.suggestions().isEmpty)
            let newer = try await first.likelySuggestions()
            #expect(try await first.suggestions().map(\.id) == newer.map(\.id))
            // Both at once.
            let others = try await second.likelySuggestions()
            #expect(try await second.suggestions().map(\.id) == others.map(\.id))
            #expect(try await rig.agent.suggestions().count == 2)
        }
    }

    @Test("A suggestion at a device is spontaneous, and names its trigger")
    func spontaneous() async throws {
        try await withMediaScene { scene in
            try await scene.withApp { _ in
                try await scene.putOn()
                let offered = try await scene.rig.waitForSuggestions("the suggestion") { $0.first }
                #expect(offered.origin == .spontaneous && offered.requester == nil)
                #expect(offered.trigger == .device(AudioDevice.ID(scene.headset.address)))
            }
        }
    }
}
