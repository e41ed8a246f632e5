import FoundationEssentials
import Glibc
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Prediction

/// Tests that each kind of evidence is a term of the score with its own words.
@Suite struct ExplanationTermsTests {
    /// Days of sessions at usual hours, most of which repeat a part of an earlier one.
    private func events(_ seed: Int) -> [Event] {
        var random = SplitMix64(seed: UInt64(seed))
        let parts = (0..<4).map { _ in (0..<14).map { _ in "x\(Int.random(in: 0..<30, using: &random))" } }
        var events: [Event] = []
        for day in 0..<30 {
            for hour in [8, 13, 21] {
                let isPart = Int.random(in: 0..<4, using: &random) > 0
                let part = parts[(hour + Int.random(in: 0..<2, using: &random)) % 4]
                let names = isPart ? part : (0..<5).map { _ in "x\(Int.random(in: 0..<30, using: &random))" }
                for (index, name) in names.enumerated() {
                    events.append(
                        Event(
                            action: .named(name),
                            circumstances: Circumstances(
                                trigger: Int.random(in: 0..<20, using: &random) == 0 ? .session(.unlocked) : nil,
                                values: ["hour": "\(hour)"]),
                            date: start.addingTimeInterval(Double((day * 24 + hour) * 3_600 + index * 60))))
                }
            }
        }
        return events
    }

    @Test("An explanation always says how often")
    func counts() throws {
        var learner = Learner()
        // Five songs a day, some minutes apart.
        for song in 0..<20 {
            let date = start.addingTimeInterval(Double(song / 5) * 86_400 + Double(song % 5) * 59)
            learner.learn(.named("podcast"), Circumstances(trigger: .device("AA")), at: date)
        }
        let circumstances = Circumstances(trigger: .device("AA"))
        let ranked = try #require(learner.predict(circumstances, at: start, among: [.named("podcast")]).first)
        let explanation = ranked.explanation(circumstances, deviceName: "WH")
        #expect(explanation.texts.first == "4 of 4 times after connecting WH")
        #expect(explanation.reasons.first?.share == Explanation.Share(count: 4, total: 4))
        let player = ranked.explanation(circumstances, deviceName: "WH", of: .player("mpv")).texts
        #expect(player.first == "you chose mpv all 4 times you listened after connecting WH")
    }

    @Test("The terms add up to the difference of the log-odds", arguments: 0..<4)
    func termsAddUp(seed: Int) throws {
        var learner = Learner(followsSequences: true, doubtsOrder: seed % 2 == 1)
        var sources: Set<String> = []
        for (index, event) in events(seed).enumerated() {
            if index % 3 == 0, learner.actionCount > 1 {
                let ranked = learner.predict(event.circumstances, at: event.date, limit: 4)
                let first = try #require(ranked.first)
                for (rank, action) in ranked.enumerated() {
                    let other = rank == 0 ? ranked[1] : first
                    let margin = log(action.probability / other.probability)
                    #expect(abs(action.evidence.reduce(0) { $0 + $1.weight } - margin) < 1e-9)
                }
                for evidence in first.evidence where evidence.weight != 0 {
                    sources.insert("\(evidence.source)".prefix { $0 != "(" }.description)
                }
            }
            learner.learn(event.action, event.circumstances, at: event.date)
        }
        let all: Set = [
            "frequency", "sequence", "recency", "recentSequence", "lastSuccessor", "rank", "match", "trigger",
            "returning",
            "sessionStart", "nextSessionStart", "hoursAbout", "circumstance", "allCircumstances",
        ]
        #expect(all.subtracting(sources).isEmpty, "\(sources)")
    }

    @Test("The strongest reason comes first, and among equals the trigger", arguments: [0.2, 1.5, 2])
    func order(triggerWeight: Double) {
        let share = Explanation.Share(count: 1, total: 2)
        let ranked = RankedAction(
            action: .named("A"), probability: 1,
            evidence: [
                Evidence(source: .recency(halfLife: 1), weight: 1.5),
                Evidence(source: .frequency, weight: 0.1, share: share),
                Evidence(source: .trigger, weight: triggerWeight, share: share),
            ], hasRival: true)
        let told = ranked.explanation(Circumstances(trigger: .session(.unlocked)))
        let trigger = "1 of 2 times after unlocking"
        #expect(told.texts.first == (triggerWeight < 1.5 ? "done lately" : trigger))
        #expect(told.texts.contains(trigger) && told.texts.last == "1 of the last 2 times")
        let weights = told.reasons.compactMap(\.weight)
        #expect(weights.count == 3 && weights == weights.sorted(by: >))
    }

    private func texts(
        _ source: EvidenceSource, _ share: Explanation.Share?, of subject: RankedAction.Subject
    ) -> [String] {
        RankedAction(
            action: .named("A"), probability: 1, evidence: [Evidence(source: source, weight: 1, share: share)],
            hasRival: true
        ).explanation(Circumstances(), of: subject).texts
    }

    @Test("Each kind of evidence has its own explanation text")
    func words() {
        let share = Explanation.Share(count: 3, total: 4)
        func expect(
            _ source: EvidenceSource, _ action: String, _ application: AppID, _ player: String,
            share: Explanation.Share? = nil
        ) {
            #expect(texts(source, share, of: .action) == [action])
            #expect(texts(source, share, of: .application) == [application.rawValue])
            #expect(texts(source, share, of: .player("mpv")) == [player])
        }
        expect(
            .match(length: 7), "the last 7 things were done in this order before; then came this",
            "the last 7 things were done in this order before; then you used this app",
            "the last 7 things were done in this order before; then you listened with mpv",
            share: Explanation.Share(count: 1, total: 1))
        expect(
            .returning, "you often repeat what you did about as recently as this",
            "you often return to apps that you used about as recently as this app",
            "you often return to players that you used about as recently as mpv", share: share)
        for few in [nil, Explanation.Share(count: 2, total: 2)] {
            expect(
                .returning, "done lately", "you used this app lately", "you listened with mpv lately", share: few)
        }
        expect(
            .sessionStart, "3 of 4 times first after a break", "you used this app 3 of 4 times first after a break",
            "you listened with mpv 3 of 4 times first after a break", share: share)
        expect(
            .nextSessionStart, "3 of 4 times first after a session that began like the last one",
            "you used this app 3 of 4 times first after a session that began like the last one",
            "you listened with mpv 3 of 4 times first after a session that began like the last one", share: share)
        expect(
            .hoursAbout, "done about this hour", "you used this app about this hour",
            "you listened with mpv about this hour")
    }

    @Test(
        "“Often” needs three returns", arguments: [("A B A", false), ("A B B", false), ("A B A B A B", true)])
    func returns(log: String, isOften: Bool) throws {
        let ranked = Learner(log).predict(Circumstances(), at: start.addingTimeInterval(800), limit: 2)
        let evidence = ranked.flatMap(\.evidence).filter { $0.source == .returning }
        #expect(evidence.contains { ($0.share?.count ?? 0) >= 3 } == isOften, "\(evidence)")
        let texts = ranked.flatMap { $0.explanation(Circumstances(), limit: 99).texts }
        #expect(isOften || !texts.contains { $0.contains("often") }, "\(texts)")
    }

    @Test("The match explains only the action that followed it")
    func matchIsToldOfWhatCame() throws {
        #expect(texts(.match(length: 7), Explanation.Share(count: 0, total: 1), of: .action) == [])
        let learner = Learner("A B C D E F G A B C D E F")
        let ranked = learner.predict(Circumstances(), at: start.addingTimeInterval(800), limit: 7)
        let told = "the last 6 things were done in this order before; then came this"
        for action in ranked {
            let texts = action.explanation(Circumstances(), limit: 99).texts
            #expect(!texts.contains(told) || action.action.name == "G", "\(texts)")
            guard let evidence = action.evidence.first(where: { $0.source == .match(length: 6) }) else { continue }
            #expect(evidence.share == Explanation.Share(count: action.action.name == "G" ? 1 : 0, total: 1))
        }
    }
}
