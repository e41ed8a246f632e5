import AgentInterface
import FoundationEssentials
import HunchDBus
import HunchKit
import TestSupport
import Testing

/// Texts whose single character has megabytes, through every input of the agent.
@Suite("Huge texts", .timeLimit(.minutes(15))) struct HugeTextTests {
    private static let marks = "e" + String(repeating: "\u{301}", count: 2_000_000)

    @Test("A player with megabytes in its name is listed by a short one")
    func identity() async throws {
        try await withAgent { rig, _ in
            try await rig.turn(on: true)
            try await withClient(of: rig.bus) { client in
                let server = await ObjectServer(on: client.connection)
                let root = ExportedInterface("org.mpris.MediaPlayer2", [.property("Identity") { Self.marks }])
                let player = ExportedInterface(
                    "org.mpris.MediaPlayer2.Player", [.property("PlaybackStatus") { "Playing" }])
                try await server.export("/org/mpris/MediaPlayer2", [root, player])
                _ = try await client.connection.requestName("org.mpris.MediaPlayer2.huge")
                let listed = try await eventually("the player", because: "Players has no signal") {
                    try await rig.agent.players().map(\.transfer).first
                }
                let name = try #require(try listed.value("identity", as: String.self))
                #expect((1...512).contains(name.utf8.count))
                #expect(try await rig.agent.status().transfer["enabled"] == .boolean(true))
            }
        }
    }

    @Test("Errors that quote megabytes stay short")
    func quoted() async throws {
        try await withAgent { rig, _ in
            let marks = Self.marks
            let calls: [@Sendable (AgentRig) async throws -> Void] = [
                { try await $0.agent.setCategory(marks, isRecorded: true) },
                { _ = try await $0.suggest(["uri": .string("geo:" + marks)]) },
                { _ = try await $0.suggest(["uri": .string("geo:1,2"), "modes": [marks].dbusValue]) },
                { _ = try await $0.suggest(["uri": .string("geo:1,2"), "ask": .string(marks)]) },
                { _ = try await $0.agent.simulate(SimulatedTrigger(kind: marks)).map(\.transfer) },
                { _ = try await $0.forget(keys: [marks: .boolean(true)]) },
            ]
            for (number, call) in calls.enumerated() {
                let refusal = try #require(try await rig.refusal(call), "call \(number)")
                #expect(refusal.message.utf8.count < 2_000, "call \(number)")
            }
            #expect(try await rig.agent.status().transfer["enabled"] != nil)
        }
    }
}
