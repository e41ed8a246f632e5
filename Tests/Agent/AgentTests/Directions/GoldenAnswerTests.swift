import AgentInterface
import HunchModel
import FoundationEssentials
import HunchDBus
import HunchKit
import TestSupport
import Testing

/// The same request with the same history gives the same answer from the agent, from `hunch directions` and from the link
/// handler.
@Suite("Answers of agent, command and link handler", .timeLimit(.minutes(15))) struct GoldenAnswerTests {
    /// An answer in the terms that all three share.
    private struct Answer: Equatable, CustomStringConvertible {
        var isCertain: Bool
        var isAmbiguous: Bool
        var candidates: [String]
        /// Titles and apps, best first.
        var suggestions: [String]

        var description: String {
            "certain \(isCertain), ambiguous \(isAmbiguous), \(candidates), \(suggestions)"
        }
    }

    private struct Plan: Decodable {
        struct Suggestion: Decodable {
            var app: String
            var desktopID: String?
            var title: String
        }
        struct Candidate: Decodable { var name: String? }
        struct Trouble: Decodable { var code: String }
        var certain: Bool
        var candidates: [Candidate]
        var suggestions: [Suggestion]
        var error: Trouble?
    }

    private struct Opened: Decodable {
        var asked: Bool
        var app: String?
    }

    private func agentAnswer(_ rig: AgentRig, to link: String) async throws -> Answer {
        let answer = try await rig.suggest(["uri": .string(link)])
        let offered = try await rig.agent.suggestions()
        let suggestions = answer.suggestions.compactMap { path in offered.first { $0.id == path.lastElement } }
        let candidates = try answer.resolved.value("candidates", as: [VariantMap].self) ?? []
        return Answer(
            isCertain: try answer.resolved.require("certain"), isAmbiguous: try answer.resolved.require("ambiguous"),
            candidates: try candidates.compactMap { try $0.value("name") },
            suggestions: suggestions.map { "\($0.title) in \($0.application)" })
    }

    private func commandAnswer(_ rig: AgentRig, to text: String) async throws -> Answer {
        let result = try await rig.hunch("directions", text, "--json")
        let plan = try JSONDecoder().decode(Plan.self, from: Data(result.standardOutput.utf8))
        return Answer(
            isCertain: plan.certain, isAmbiguous: plan.error?.code == "ambiguous",
            candidates: plan.candidates.compactMap(\.name),
            // As many as the agent answers with.
            suggestions: plan.suggestions.prefix(12).map { "\($0.title) in \($0.desktopID ?? $0.app)" })
    }

    /// Returns the app that the handler opens where no agent runs.
    private func handlerApp(_ rig: AgentRig, link: String) async throws -> String? {
        var environment = rig.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
        let result = try await run(
            try builtProduct("hunch"), ["handler", "open", link, "--json"], environment: environment)
        guard result.status == .exited(0) else { return nil }
        return try JSONDecoder().decode(Opened.self, from: Data(result.standardOutput.utf8)).app
    }

    @Test(
        "Agent, command and link handler give the same answer",
        arguments: [
            "geo:48.8584,2.2945", "geo:0,0?q=Sydney", "geo:0,0?q=Paris", "geo:0,0?q=Paris%2C%20Texas",
            "geo:0,0?q=Atlantis", "geo:0,0?q=Harbour%20Street%205%2C%20Sydney", "geo:0,0?q=Australia",
            "geo:0,0?q=Sydny", "geo:0,0?q=Syd", "directions:?to.query=Sydney&from.query=Paris%2C%20Texas",
            "directions:?to.query=Sydney&from.query=Atlantis", "directions:?to.query=Paris&by=car",
            "directions:?to.name=Town%20Hall&to.city=Sydney", "geo:-33.9,151.2?q=Yank%20Sing",
        ])
    func agree(link: String) async throws {
        try await withAgentInside { rig in
            try rig.installMapApp(more: "UriSearch=geo:0,0?q={query}")
            try rig.installMapApp("org.example.Atlas")
            try await rig.importPlaces()
            let agent = try await agentAnswer(rig, to: link)
            #expect(try await commandAnswer(rig, to: link) == agent)
            let opened = try await handlerApp(rig, link: link)
            let best = agent.suggestions.first?.split(separator: " ").last.map(String.init)
            // Whether a browser opens a web service depends on the machine.
            let isWebService = best.map { !$0.hasPrefix("org.example.") } ?? false
            #expect(opened == best || isWebService && opened == nil, "\(agent)")
        }
    }

    @Test(
        "Only an unambiguous place is certain",
        arguments: [
            ("Sydney", true), ("Paris, Texas", true), ("Paris", false), ("Australia", false), ("Sydny", false),
            ("Syd", false), ("Harbour Street 5, Sydney", false), ("Atlantis", false),
        ])
    func certainty(text: String, isCertain: Bool) async throws {
        try await withAgentInside { rig in
            try await rig.importPlaces()
            #expect(
                try await agentAnswer(rig, to: "geo:0,0?q=\(text.replacing(" ", with: "%20"))").isCertain == isCertain)
        }
    }
}
