import Agent
import AgentInterface
import EventLoops
import FoundationEssentials
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Services

/// Programs that register as apps in development.
@Suite("Developer mode", .timeLimit(.minutes(15))) struct DeveloperModeTests {
    private static let guide: AppID = "org.example.Guide"

    /// Runs an agent that does not know which app one of the connections belongs to.
    private func withDeveloper(
        _ confinement: CallerIdentity.Confinement = .unsandboxed,
        _ body: nonisolated(nonsending) (AgentRig, HunchAgent) async throws -> Void
    ) async throws {
        let unidentified = Watched<BusName?>(nil)
        try await withTemporaryHome { home in
            try prepareEnabled(home)
            try await withPrivateBus { bus in
                try await withAgentInside(
                    on: bus, in: home,
                    configure: { configuration in
                        let identify = configuration.identify
                        configuration.identify = { call in
                            guard call.sender == unidentified.state else { return try await identify(call) }
                            return CallerIdentity(name: call.sender, confinement: confinement)
                        }
                    }
                ) { rig in
                    let program = try await HunchAgent(
                        on: rig.agent.connection.loop, address: BusAddress(bus.address))
                    let name = await program.connection.uniqueName
                    unidentified.update { $0 = name }
                    try await body(rig, program)
                    await program.connection.close()
                }
            }
        }
    }

    @Test("A registered program takes part, and everything of it is forgotten with the mode")
    func whole() async throws {
        try await withDeveloper { rig, program in
            let off = await #expect(throws: DBusError.self) { try await program.register(as: Self.guide) }
            #expect(off?.name == .accessDenied && off?.message.contains("hunch developer on") == true)

            try await rig.agent.set(.developerMode, isOn: true)
            let wrong = await #expect(throws: DBusError.self) { try await program.register(as: "guide 2") }
            #expect(wrong?.name == .invalidInput)
            #expect(try await program.register(as: Self.guide) == "dev:org.example.Guide")
            try await SearchableIndex("pages", on: program).add([
                SearchableItem(id: "1", attributes: ["title": .text("Zwetschgenkuchen")])
            ])
            _ = try await program.donate([
                Donation(
                    application: "", kind: .openItem,
                    parameters: ["uri": "https://guide.example/zwetschgen", "title": "Kuchen"], date: Date())
            ])
            #expect(try await program.find(.init("zwetschgenkuchen")).count == 1)
            #expect(try rig.donations().map(\.application) == ["dev:org.example.Guide"])

            try await rig.agent.set(.developerMode, isOn: false)
            #expect(try rig.donations().isEmpty)
            #expect(try await rig.agent.find(.init("zwetschgenkuchen")).isEmpty)
            let after = await #expect(throws: DBusError.self) { try await program.find(.init("zwetschgenkuchen")) }
            #expect(after?.name == .accessDenied)
        }
    }

    @Test("An import that switches the mode off ends it")
    func imported() async throws {
        try await withDeveloper { rig, program in
            let path = rig.home.directory.file("before.jsonl")
            _ = try await rig.hunch("export", path).output()
            try await rig.agent.set(.developerMode, isOn: true)
            try await program.register(as: Self.guide)
            _ = try await program.donate([
                Donation(
                    application: "", kind: .openItem,
                    parameters: ["uri": "https://guide.example/zwetschgen", "title": "Kuchen"], date: Date())
            ])
            #expect(try rig.donations().count == 1)
            _ = try await rig.hunch("donate", path).output()
            #expect(try rig.donations().isEmpty)
        }
    }

    @Test("An app in a sandbox is not known by what it says")
    func sandboxed() async throws {
        try await withDeveloper(.sandboxed) { rig, program in
            try await rig.agent.set(.developerMode, isOn: true)
            let refusal = await #expect(throws: DBusError.self) { try await program.register(as: Self.guide) }
            #expect(refusal?.name == .accessDenied)
        }
    }
}
