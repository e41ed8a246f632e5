import AgentInterface
import Foundation
import HunchDBus
import HunchKit
import HunchModel
import SeededRandom
import TestSupport
import Testing

/// Tests of explanations with the weight of each piece of evidence, from the model to the output.
@Suite("Explanations", .timeLimit(.minutes(15))) struct ExplanationTests {
    private struct Fields: Decodable {
        struct Evidence: Decodable {
            var text: String
            var weight: Double?
            var count: Int?
            var total: Int?
        }

        var reasons: [String]
        var evidence: [Evidence]
        var remainder: Double?
        var margin: Double?

        var sum: Double { evidence.reduce(remainder ?? 0) { $0 + ($1.weight ?? 0) } }
    }

    private func decode(_ text: String) throws -> Fields {
        try JSONDecoder().decode(Fields.self, from: Data(text.utf8))
    }

    @Test("An explanation survives encoding and decoding", arguments: 0..<20)
    func roundTrip(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let reasons = (0..<Int.random(in: 0..<6, using: &random)).map { index in
            Explanation.Reason(
                "reason \(index)", weight: Bool.random(using: &random) ? .random(in: -9...9, using: &random) : nil,
                share: Bool.random(using: &random) ? Explanation.Share(count: index, total: index + 1) : nil)
        }
        let explanation = Explanation(
            reasons, remainder: Bool.random(using: &random) ? .random(in: -9...9, using: &random) : nil)
        let transfer = explanation.transfer { $0 }
        #expect(try Explanation(transfer: transfer) == explanation)
        #expect(try transfer.value("margin") == explanation.margin)
        #expect(try transfer.value("reasons") == explanation.texts)
        let harmless = try Explanation(transfer: explanation.transfer { _ in "x" })
        #expect(harmless.texts.allSatisfy { $0 == "x" } && harmless.margin == explanation.margin)
    }

    @Test("Incomplete explanations are read; wrong types are refused")
    func malformed() throws {
        #expect(try Explanation(transfer: [:]) == [])
        #expect(try Explanation(transfer: ["evidence": [VariantMap()].dbusValue]).texts == [""])
        let lone: VariantMap = ["text": .string("t"), "count": .uint32(3)]
        #expect(try Explanation(transfer: ["evidence": [lone].dbusValue]) == ["t"])
        let wrong: [VariantMap] = [
            ["evidence": .string("x")], ["remainder": .string("x")],
            ["evidence": [["weight": .string("x")] as VariantMap].dbusValue],
            ["evidence": [["text": .double(1)] as VariantMap].dbusValue],
        ]
        for map in wrong { #expect(throws: DBusError.self) { try Explanation(transfer: map) } }
    }

    @Test("Margins of two decisions add up, and rules have no margin")
    func sum() {
        let place = Explanation([Explanation.Reason("often", weight: 2)], remainder: -0.5)
        let app = Explanation([Explanation.Reason("lately", weight: 1), "it is installed"], remainder: 0.25)
        #expect((place + app).margin == 2.75)
        #expect((place + app).texts == ["often", "lately", "it is installed"])
        let rule: Explanation = ["you looked at it"]
        #expect(rule.margin == nil && (rule + rule).margin == nil)
        #expect((rule + app).margin == 1.25 && (app + rule).margin == 1.25)
    }

    @Test("Bus and commands give the weights of learned reasons")
    func told() async throws {
        try await withDonationAgent(now: { Date() }) { rig in
            try rig.installMapApp("org.example.Maps")
            try rig.installMapApp("org.example.Zed")
            let link: VariantMap = ["uri": .string("geo:48.8584,2.2945")]
            func identifier(of application: AppID) async throws -> String {
                let paths = try await rig.suggest(link).suggestions.map(\.lastElement)
                let offered = try await rig.agent.suggestions().filter { $0.application == application }
                guard let identifier = offered.map(\.id).first(where: paths.contains) else {
                    throw BenchError("\(application) is not suggested")
                }
                return identifier
            }
            // Nothing is learned yet, so there are sentences without weights.
            let new = try await identifier(of: "org.example.Maps")
            let rules = try decode(try await rig.hunch("explain", new, "--json").output())
            #expect(rules.reasons == rules.evidence.map(\.text) && rules.reasons.contains("it is installed"))
            #expect(rules.margin == nil && rules.remainder == nil && rules.evidence.allSatisfy { $0.weight == nil })
            let told = try await rig.hunch("explain", new).output().split(separator: "\n").map(String.init)
            let first = try #require(rules.reasons.first)
            #expect(told.first?.hasSuffix(": \(first).") == true, "\(told)")
            #expect(Array(told.dropFirst()) == rules.reasons.dropFirst().map { "• " + $0 })

            try await rig.agent.accept(try await identifier(of: "org.example.Zed"))
            _ = try await rig.started("org.example.Zed")
            try await rig.agent.accept(new)
            _ = try await rig.started("org.example.Maps")
            try await rig.agent.accept(try await identifier(of: "org.example.Zed"))

            let status = try await rig.agent.status()
            #expect(status.answers == 3 && status.suggestions == 0)
            let recorded = try await rig.hunch("status").output()
            #expect(recorded.contains("3 actions, 0 suggestions, 3 answers to requests"), "\(recorded)")

            let ahead = try await identifier(of: "org.example.Zed")
            let learned = try decode(try await rig.hunch("explain", ahead, "--json").output())
            let margin = try #require(learned.margin)
            #expect(margin > 0 && abs(learned.sum - margin) < 1e-9, "\(learned)")
            let counted = try #require(learned.evidence.first { $0.total == 3 }, "\(learned)")
            #expect(counted.count == 2 && counted.text.hasPrefix("you used this app 2 of the last 3 times"))
            #expect((counted.weight ?? 0) > 0)
            #expect(learned.evidence.last?.text == "it is installed" && learned.evidence.last?.weight == nil)
            let behind = try decode(
                try await rig.hunch("explain", try await identifier(of: "org.example.Maps"), "--json").output())
            #expect(abs((behind.margin ?? 0) + margin) < 1e-9, "as far behind as the other is ahead: \(behind)")

            try await expectLines(rig, ahead, learned)
            let bus = try await rig.agent.explain(ahead).explanation
            #expect(bus.texts == learned.reasons && bus.margin == margin)
            struct Plan: Decodable { var suggestions: [Fields] }
            let plan = try JSONDecoder().decode(
                Plan.self,
                from: Data(try await rig.hunch("directions", "geo:48.8584,2.2945", "--json").output().utf8))
            #expect(plan.suggestions.contains { $0.reasons == learned.reasons && $0.margin == margin })
        }
    }

    @Test("hunch simulate gives the weights of place and app")
    func simulated() async throws {
        try await withTriggerScene { scene in
            try scene.rig.installMapApp()
            try await scene.teach(days: 6, TriggerScene.weather, "openItem", ["item": "berlin"], at: "resume")
            try await scene.teach(days: 2, TriggerScene.weather, "openItem", ["item": "berlin"])
            try await scene.teach(
                days: 4, "org.example.Maps", "getDirections",
                ["latitude": "52.5", "longitude": "13.4", "name": "Pool", "mode": "car"])
            let told = try await scene.rig.hunch("simulate", "unlock", "--json").output().split(separator: "\n")
                .map { try decode(String($0)) }
            #expect(told.count == 2)
            for fields in told {
                #expect(abs(fields.sum - (fields.margin ?? .nan)) < 1e-9, "\(fields)")
                #expect(fields.evidence.map(\.text) == fields.reasons)
            }
            let method = try #require(told.first?.evidence)
            #expect(method.first?.text == "4 of 6 times after unlocking" && method.first?.count == 4, "\(method)")
            #expect(method.first?.total == 6 && (method.first?.weight ?? 0) > 0)
            #expect(
                method.contains { $0.text.hasPrefix("you used this app 4 of the last 4 times") },
                "why this app: \(method)")
            await scene.come()
            let identifier = try #require(try await scene.offered().first).id
            try await expectLines(
                scene.rig, identifier, try decode(try await scene.rig.hunch("explain", identifier, "--json").output()))
        }
    }

    /// A sentence, a line for each reason, one for all other reasons and one for the sum. The shown weights add up to the hundredth.
    private func expectLines(_ rig: AgentRig, _ identifier: String, _ fields: Fields) async throws {
        let short = try await rig.hunch("explain", identifier).output().split(separator: "\n").map(String.init)
        #expect(short.count == fields.reasons.count && !short.contains { $0.contains("everything else") }, "\(short)")
        let long = try await rig.hunch("explain", identifier, "-v").output().split(separator: "\n").map(String.init)
        #expect(long.first == short.first)
        let lines = Array(long.dropFirst())
        #expect(lines.count == fields.reasons.count + 2, "\(lines)")
        var hundredths: [Int] = []
        for (line, text) in zip(lines, fields.reasons + ["everything else", "in all: so far ahead"]) {
            let (column, words) = (line.prefix(5), line.dropFirst(7))
            #expect(words.hasPrefix(text), "\(line)")
            if let weight = Double(column) { hundredths.append(Int((weight * 100).rounded())) }
        }
        #expect(hundredths.dropLast().reduce(0, +) == hundredths.last, "\(lines)")
        let weights = fields.evidence.compactMap(\.weight)
        #expect(hundredths.count == weights.count + 2, "a rule has no weight, nor what is ahead of nothing: \(lines)")
        #expect(!weights.isEmpty && weights.count < fields.evidence.count)
    }
}
