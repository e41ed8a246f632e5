import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import TestSupport
import Testing

@testable import Agent

/// Who may say for the person what is to be done, and look at what is offered and what plays.
@Suite("Callers of Agent1, Suggestion1 and Media1", .timeLimit(.minutes(3))) struct DecisionTests {
    private typealias Call = @Sendable (AgentRig, Suggestion) async throws -> Void
    private typealias Suggestion = OfferedSuggestion

    private static let decisions: [String: Call] = [
        "Enable": { rig, _ in try await rig.agent.enable() },
        "Disable": { rig, _ in try await rig.agent.disable() },
        "Accept": { rig, offered in try await rig.agent.accept(offered.id) },
        "Dismiss": { rig, offered in try await rig.agent.dismiss(offered.id) },
    ]
    private static let looks: [String: Call] = [
        "Players": { rig, _ in _ = try await rig.agent.players() },
        "Devices": { rig, _ in _ = try await rig.agent.devices() },
        "Simulate": { rig, _ in _ = try await rig.agent.simulate(["kind": .string("car")]) },
    ]
    private static let explanation: [String: Call] = [
        "Explain": { rig, offered in _ = try await rig.agent.explain(offered.id) }
    ]

    /// What is allowed may fail for other reasons.
    private func expect(
        _ calls: [String: Call], denied: Bool, _ rig: AgentRig, _ offered: Suggestion
    ) async throws {
        for (name, call) in calls.sorted(by: { $0.key > $1.key }) {
            let refusal = try await rig.refusal { try await call($0, offered) }
            #expect((refusal?.name == .accessDenied) == denied, "\(name): \(String(describing: refusal))")
            #expect(!denied || refusal?.message.contains("use “hunch” instead") == true)
        }
    }

    /// Runs an agent that offers a way in `org.example.Maps`.
    private func run(
        _ caller: CallerIdentity?, _ body: nonisolated(nonsending) (AgentRig, Suggestion) async throws -> Void
    ) async throws {
        try await withDonationAgent(caller) { rig in
            try rig.installMapApp()
            _ = try await rig.agent.suggestDirections(["uri": .string("geo:48.85,2.35")])
            let offered = try await rig.agent.suggestions()
            try await body(rig, try #require(offered.first { $0.application == "org.example.Maps" }))
        }
    }

    @Test("an app in a sandbox decides nothing and sees nothing, whatever name it owns")
    func sandboxed() async throws {
        for caller in [Callers.sandboxed, Callers.nameless, Callers.unknown] {
            try await run(caller) { rig, offered in
                #expect(try await rig.agent.connection.requestName("org.example.Maps") == .owner)
                let all = Self.decisions.merging(Self.looks) { $1 }.merging(Self.explanation) { $1 }
                try await expect(all, denied: true, rig, offered)
                let status = try await rig.agent.status()
                #expect(try status.value("enabled") == true)
                #expect(try await rig.agent.suggestions().contains { $0.id == offered.id })
            }
        }
    }

    @Test("an app in a sandbox may ask why it is suggested itself, and decides nothing")
    func itself() async throws {
        var caller = Callers.sandboxed
        caller.application = "org.example.Maps"
        try await run(caller) { rig, offered in
            try await expect(Self.explanation, denied: false, rig, offered)
            try await expect(Self.decisions, denied: true, rig, offered)
            try await expect(Self.looks, denied: true, rig, offered)
        }
    }

    @Test("the person and an app outside sandboxes may", arguments: [true, false])
    func allowed(isPerson: Bool) async throws {
        try await run(isPerson ? nil : Callers.unsandboxed) { rig, offered in
            for calls in [Self.explanation, Self.looks, Self.decisions] {
                try await expect(calls, denied: false, rig, offered)
            }
        }
    }
}
