import AgentInterface
import FoundationEssentials
import Glibc
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// The table in the documentation of what calls answer in states of Hunch and of the caller.
@Suite("Answers by state", .timeLimit(.minutes(15))) struct StateTableTests {
    /// A call of an app. Returns the code in its answer; `nil` if it did what it is for.
    private typealias Call = @Sendable (HunchAgent) async throws -> String?

    private static let calls: [(name: String, make: Call)] = [
        (
            "Donations1.Donate",
            {
                let page = Donation(
                    application: "", kind: .openItem, parameters: ["uri": "https://guide.example/1"], date: Date())
                let result = try await $0.donate([page])[0]
                return result.isAccepted ? nil : result.code
            }
        ),
        (
            "Donations1.SetUpcoming",
            {
                try await $0.setUpcoming([Announcement(item: "1", title: "One")]); return nil
            }
        ),
        (
            "Donations1.SetRelevant",
            {
                try await $0.setRelevant([Announcement(item: "1", title: "One")]); return nil
            }
        ),
        (
            "Activities1.BecomeCurrent",
            {
                let page: VariantMap = ["type": .string("org.example.page"), "title": .string("Page")]
                let path: ObjectPath = try await $0.connection.call(
                    HunchNames.agent, HunchNames.root, HunchNames.activities, "BecomeCurrent", page)
                let current: VariantMap = try await $0.connection.call(
                    HunchNames.agent, HunchNames.root, HunchNames.activities, "Current")
                let () = try await $0.connection.call(HunchNames.agent, path, HunchNames.activity, "Invalidate")
                return current.isEmpty ? "kept nothing" : nil
            }
        ),
        (
            "Index1.Change",
            {
                let item = SearchableItem(id: "1", attributes: ["title": .text("One")])
                try await SearchableIndex("notes", on: $0).add([item])
                return nil
            }
        ),
        (
            "Index1.Search",
            {
                _ = try await $0.find(HunchAgent.Search("one")); return nil
            }
        ),
        (
            "Directions1.Parse",
            {
                _ = try await $0.parseDirections("geo:48.85,2.35"); return nil
            }
        ),
        (
            "Directions1.Suggest",
            {
                let place = MapItem(coordinate: try Coordinate(latitude: 48.85, longitude: 2.35))
                return try await $0.suggestDirections(DirectionsQuery(destination: place)).suggestions.isEmpty
                    ? "none" : nil
            }
        ),
        ("Directions1.RecentPlaces", { try await $0.recentPlaces(mayAsk: false).access.rawValue }),
        (
            "Agent1.Likely",
            {
                _ = try await $0.likelySuggestions(); return nil
            }
        ),
        (
            "Media1.Simulate",
            {
                _ = try await $0.simulate(SimulatedTrigger(trigger: "unlock")); return nil
            }
        ),
    ]

    private enum State: String, CaseIterable {
        case on, off, paused, excluded, unidentified, locked
    }

    /// Returns the answers of all calls in a state.
    private func answers(in state: State) async throws -> [String: String] {
        let app = Watched<BusName?>(nil)
        var answers: [String: String] = [:]
        try await withMediaScene(isEnabled: state != .off) { _ in
        } configure: {
            $0.identify = { call in
                guard call.sender == app.state else { return try await call.caller() }
                return state == .unidentified
                    ? CallerIdentity(name: call.sender, confinement: .unsandboxed)
                    : CallerIdentity(
                        name: call.sender, application: "org.example.Guide", confinement: .unsandboxed)
            }
        } _: { scene in
            try scene.rig.installMapApp()
            try await withMockLogind(on: scene.system) { logind in
                let session = try await logind.addSession("1", of: getuid(), began: 42)
                switch state {
                case .paused: try await scene.rig.agent.pause()
                case .excluded: _ = try await scene.rig.agent.exclude("org.example.Guide")
                case .locked:
                    try await logind.setLocked(true, session)
                    try await eventually("the locked screen", because: "Status has no signal") {
                        try await scene.rig.agent.status().transfer.value("screen") == "hidden" ? () : nil
                    }
                case .on, .off, .unidentified: break
                }
                try await withClient(of: scene.rig.bus) { client in
                    let name = await client.connection.uniqueName
                    app.update { $0 = name }
                    for (name, make) in Self.calls {
                        do { answers[name] = try await make(client) ?? "answers" } catch let error as DBusError {
                            answers[name] = error.name.rawValue.split(separator: ".").last.map(String.init)
                        }
                    }
                }
            }
        }
        return answers
    }

    @Test("Calls answer as the table says", arguments: State.allCases)
    private func table(state: State) async throws {
        let text = try Guide.text("Documentation/DBus.md")
        let rows = text.split(separator: "\n").map { line in
            line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ").filter { $0 != "`" } }
        }
        let head = try #require(rows.firstIndex { $0.first == "call" && $0.contains("paused") })
        let column = try #require(rows[head].firstIndex(of: state.rawValue))
        var expected: [String: String] = [:]
        for row in rows[(head + 2)...].prefix(while: { $0.count == rows[head].count }) {
            expected[row[0]] = row[column]
        }
        let answers = try await answers(in: state)
        #expect(Set(answers.keys) == Set(expected.keys))
        for (call, answer) in answers { #expect(answer == expected[call], "\(call)") }
    }
}
