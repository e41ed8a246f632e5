import AgentInterface
import FoundationEssentials
import History
import HunchDBus
import HunchKit
import HunchModel
import TestSupport
import Testing

@testable import Agent
@testable import Services

/// Hostile texts of players, apps and links, in every output for people and programs.
@Suite("Hostile strings", .serialized, .timeLimit(.minutes(15))) struct HostileStringTests {
    /// Line ends, both forms of terminal escape sequences, changes of direction, separators, markup, and the end of a JSON string.
    static let nasty =
        "Bad\u{1}\r\n\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}gniS\u{7F}\u{2066}\u{2028}\u{200F}<b>&\u{10FFFF}\",\"type\":\"end"

    private func isHazardous(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// An app with a display name and a remembered item that are both hostile.
    private func plant(_ home: TemporaryHome) throws {
        let store = try Planted.store(in: home)
        let context = Context(
            trigger: Trigger("device:\(Self.nasty)"), device: AudioDevice.ID(Self.nasty), hour: 9, weekday: 2)
        try store.record(
            Donation(
                application: AppID(Self.nasty), kind: Donation.Kind(rawValue: "kind \(Self.nasty)"),
                parameters: [Self.nasty: Self.nasty], date: Planted.now, context: context, identifier: Self.nasty,
                group: Self.nasty), now: Planted.now)
        try store.record(
            Engagement(
                suggestion: "s1", application: AppID(Self.nasty), kind: .media, outcome: .shown, date: Planted.now,
                context: context), now: Planted.now)
        try store.remember(
            ResumePoint(
                device: AudioDevice.ID(Self.nasty), application: AppID(Self.nasty), item: Self.nasty,
                info: NowPlayingInfo(title: Self.nasty, artists: [Self.nasty], album: Self.nasty),
                pausedByDisconnect: false, date: Planted.now), now: Planted.now)
        try store.mute(MutedPair(trigger: .other(Self.nasty), application: AppID(Self.nasty), date: Planted.now))
        try store.exclude(AppID(Self.nasty + "2"))
        try store.close()
    }

    @Test("An export has one object a line with the strings intact")
    func export() async throws {
        struct Line: Decodable {
            var type: String
            var app: String?
            var parameters: [String: String]?
        }
        try await withPrivacyAgent(prepare: plant) { rig in
            let text = try await rig.hunch("export").output()
            #expect(!text.unicodeScalars.contains(where: isHazardous))
            let lines = try text.split(separator: "\n").map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8))
            }
            #expect(lines.filter { $0.type == "end" }.count == 1 && lines.last?.type == "end")
            let donation = try #require(lines.first { $0.type == "donation" && $0.app == Self.nasty })
            #expect(donation.parameters == [Self.nasty: Self.nasty])
        }
    }

    @Test("Output has no control or direction characters")
    func commandLine() async throws {
        try await withPrivacyAgent(prepare: plant) { rig in
            for arguments in [
                ["simulate", "--device", Self.nasty], ["simulate", "--device", Self.nasty, "--json"],
                ["exclude", "--list"], ["exclude", "--list", "--json"], ["status"], ["status", "--json"],
                ["exclude", "--undo", Self.nasty], ["forget", "--place", Self.nasty],
                ["forget", "--app", Self.nasty, "--json"],
            ] {
                let result = try await run(builtProduct("hunch"), arguments, environment: rig.environment)
                let printed = result.standardOutput + result.standardError
                #expect(!printed.isEmpty)
                #expect(
                    !printed.unicodeScalars.contains { isHazardous($0) && $0 != "\t" },
                    "\(arguments): \(printed.debugDescription)")
                #expect(result.standardError.split(separator: "\n").count <= 1)
            }
            // All rows with the text are forgotten. The exclusion stays.
            #expect(try StoreFile(home: rig.home).counts()["donation"] == 7)
        }
    }

    @Test("Ten megabytes of text are refused in one short line")
    func long() async throws {
        let long = String(repeating: "x", count: 10 << 20)
        try await withPrivacyAgent(prepare: { _ = try Planted.store(in: $0) }) { rig in
            let calls: [@Sendable (AgentRig) async throws -> Void] = [
                { _ = try await $0.agent.exclude(AppID(long)) },
                { try await $0.agent.setCategory(long, isRecorded: true) },
                { _ = try await $0.agent.forget(.application(AppID(long))) },
                { _ = try await $0.agent.forget(.place(long)) },
                { _ = try await $0.forget(keys: [long: .boolean(true)]) },
                { _ = try await $0.agent.simulate(SimulatedTrigger(device: AudioDevice.ID(long))).map(\.transfer) },
                { try await $0.agent.accept(long) },
            ]
            for (number, call) in calls.enumerated() {
                let refusal = try #require(try await rig.refusal(call), "call \(number)")
                #expect(refusal.message.utf8.count < 1_000, "call \(number)")
            }
            // Ending an exclusion that does not exist is not an error.
            #expect(try await rig.agent.include(AppID(long)) == false)
            #expect(try StoreFile(home: rig.home).counts()["donation"] == 7)
        }
    }

    @Test("A hostile title is shown safely everywhere")
    func suggestion() async throws {
        let commands = try ["/proc/self/exe", builtProduct("hunch")]
        try await withMediaScene(
            configure: {
                $0.commands = commands
                $0.preparationTime = .seconds(20)
            }
        ) { scene in
            try await scene.withApp(name: "\u{202E}Evil\u{9B}31m") { _ in
                try await scene.putOn()
                try await expectHarmless(scene)
            }
        }
    }

    @Test("A hostile announced title is shown safely")
    func announced() async throws {
        try await withMediaScene(played: [], configure: { $0.identify = { _ in Callers.unsandboxed } }) { scene in
            try scene.declare(name: "Evil")
            let item = Announcement(
                item: "show \(Self.nasty)", title: Self.nasty + String(repeating: "W\u{301}", count: 200))
            try await scene.rig.agent.setUpcoming([item])
            try await scene.putOn()
            try await expectHarmless(scene)
        }
    }

    /// Checks the first notification, the suggestion on the bus, and its printed form.
    private func expectHarmless(_ scene: MediaScene) async throws {
        // Combining marks affect only their letter, and languages need them.
        func turnsText(_ scalar: Unicode.Scalar) -> Bool {
            isHazardous(scalar) && !["\u{200E}", "\u{200F}", "\u{61C}"].contains(scalar)
        }
        let shown = try await scene.notifications.request(1)
        for text in [shown.summary, shown.body] + shown.actions {
            #expect(!text.unicodeScalars.contains(where: turnsText), "\(text.debugDescription)")
        }
        let offered = try #require(try await scene.rig.agent.suggestions().first)
        let explained = try await scene.rig.agent.explain(offered.id)
        for text in [
            offered.title, offered.subtitle, offered.applicationName, offered.source,
            explained.source,
        ] + explained.explanation.texts {
            #expect(!text.unicodeScalars.contains(where: turnsText), "\(text.debugDescription)")
        }
        for arguments in [["suggestions"], ["suggestions", "--json"]] {
            let result = try await run(builtProduct("hunch"), arguments, environment: scene.rig.environment)
            #expect(result.standardOutput.contains("Evil"))
            #expect(!result.standardOutput.unicodeScalars.contains { isHazardous($0) && $0 != "\t" })
        }
    }
}
