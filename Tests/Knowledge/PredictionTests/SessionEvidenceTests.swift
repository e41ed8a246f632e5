import FoundationEssentials
import Glibc
import HunchModel
import Testing

@testable import Prediction

/// Tests of evidence from the starts of sessions, from the hours around now, and from all circumstances together.
@Suite struct SessionEvidenceTests {
    /// Sessions an hour apart, of actions a minute apart.
    private func learner(_ sessions: String, followsSequences: Bool = true) -> Learner {
        var learner = Learner(followsSequences: followsSequences)
        for (index, session) in sessions.split(separator: "|").enumerated() {
            for (place, name) in session.split(separator: " ").enumerated() {
                let date = start.addingTimeInterval(Double(index * 60 + place) * 60)
                learner.learn(.named(String(name)), Circumstances(), at: date)
            }
        }
        return learner
    }

    private func base(_ count: Double, of total: Double, known: Double) -> Double {
        (count - 0.5 + 0.5 * known / (known + 1)) / total
    }

    @Test("First actions of sessions are compared with their base rate")
    func sessionStarts() {
        let learner = learner("A B B|A B|C B")
        let later = start.addingTimeInterval(4 * 3_600)
        let (a, c) = (base(2, of: 7, known: 3), base(1, of: 7, known: 3))
        expectAlike(
            learner.evidence(EvidenceSlot.sessionStart, at: later),
            ["A": log((2 + a) / 4 / a), "B": log(1.0 / 4), "C": log((1 + c) / 4 / c)])
        // The session continues for half an hour at most.
        let last = start.addingTimeInterval(121 * 60)
        #expect(learner.evidence(EvidenceSlot.sessionStart, at: last.addingTimeInterval(1_800)).isEmpty)
        #expect(!learner.evidence(EvidenceSlot.sessionStart, at: last.addingTimeInterval(1_801)).isEmpty)
        let trigger = Circumstances(trigger: .other("t"))
        #expect(learner.evidence(EvidenceSlot.sessionStart, trigger, at: later).isEmpty)
    }

    @Test("The start of a session depends on the last session's start")
    func nextSessionStarts() {
        // After a session that began with A, two began with B and one with A.
        let learner = learner("A x|B x|A x|B x|A x|A x")
        let later = start.addingTimeInterval(9 * 3_600)
        let base = { (count: Double) in self.base(count, of: 12, known: 3) }
        expectAlike(
            learner.evidence(EvidenceSlot.nextSessionStart, at: later),
            ["A": log((1 + base(4)) / 4 / base(4)), "B": log((2 + base(2)) / 4 / base(2)), "x": log(1.0 / 4)])
        #expect(self.learner("A x|B x").evidence(EvidenceSlot.nextSessionStart, at: later).isEmpty)
    }

    @Test("Without sequences, sessions and matches give no evidence")
    func withoutSequences() {
        let learner = learner("A x|B x|A x|B x", followsSequences: false)
        for slot in [EvidenceSlot.sessionStart, EvidenceSlot.nextSessionStart, EvidenceSlot.match] {
            #expect(learner.evidence(slot, at: start.addingTimeInterval(9 * 3_600)).isEmpty)
        }
    }

    @Test("An hour is evidence for the actions done near it")
    func hoursAbout() {
        var learner = Learner()
        for (name, hour) in [("A", "8"), ("A", "10"), ("B", "23"), ("C", "no hour")] {
            learner.learn(.named(name), Circumstances(values: ["hour": hour]), at: start)
        }
        let mean = (1 + 2 * (exp2(-0.8) + exp2(-1.6) + exp2(-2.4))) / 24
        func ratio(_ near: Double, _ sum: Double) -> Double { log((near + 0.26) / (sum * mean + 0.26)) }
        expectAlike(
            learner.evidence(EvidenceSlot.hoursAbout, Circumstances(values: ["hour": "9"])),
            ["A": ratio(exp2(-0.8) * 1.98, 1.98), "B": ratio(0, 1), "C": 0])
        for hour in ["24", "-1", "", "nine"] {
            #expect(learner.evidence(EvidenceSlot.hoursAbout, Circumstances(values: ["hour": hour])).isEmpty)
        }
        #expect(learner.evidence(EvidenceSlot.hoursAbout).isEmpty)
    }

    @Test("In a table, the full set of circumstances is not evidence")
    func tables() {
        var learner = Learner()
        let circumstances = Circumstances(values: ["hour": "8", "place": "home"])
        learner.learn([.named("A"), .named("B")], circumstances, at: nil)
        learner.learn(.named("A"), Circumstances(values: ["hour": "9", "place": "home"]), at: nil)
        #expect(!learner.evidence(EvidenceSlot.whole, circumstances).isEmpty)
        learner.isTable = true
        #expect(learner.evidence(EvidenceSlot.whole, circumstances).isEmpty)
        #expect(!learner.evidence(EvidenceSlot.pair(0, 1), circumstances).isEmpty)
    }
}
