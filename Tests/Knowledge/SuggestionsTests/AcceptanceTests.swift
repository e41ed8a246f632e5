import FoundationEssentials
import HunchModel
import Suggestions
import Testing

/// Tests of the effect of engagements on later suggestions.
@Suite struct AcceptanceTests {
    private func answers(
        _ outcome: Engagement.Outcome, _ count: Int, trigger: Trigger = .device("AA"),
        app: AppID = "org.example.Player",
        kind: Suggestion.Kind = .media
    ) -> [Engagement] {
        (0..<count).map { index in
            Engagement(
                suggestion: "s\(index)", application: app, kind: kind, outcome: outcome,
                date: after(Double(index - count) * 3_600), context: Context(trigger: trigger))
        }
    }

    /// Whether a suggestion of an app other than the answered one would be offered.
    private func isOffered(
        _ score: Double, after engagements: [Engagement], trigger: Trigger = .device("AA"),
        kind: Suggestion.Kind = .media,
        days: Double = 0
    ) -> Bool {
        let pair = SuggestionPair(trigger: trigger, application: "org.example.Other")
        return SuggestionBoard(engagements: engagements)
            .hold(of: pair, score: score, kind: kind, at: after(days * 86_400)) == nil
    }

    @Test("Without engagements, the score decides")

    func withoutAnswersTheScoreDecides() {
        #expect(isOffered(0.3, after: []))
        #expect(!isOffered(0.29, after: []))
        #expect(isOffered(1, after: []))
        #expect(!isOffered(0, after: []))
    }

    @Test("Dismissals raise the threshold, most at their trigger")

    func dismissalsAskForMoreAndMostWhereTheyWere() {
        let dismissed = answers(.dismissed, 3)
        #expect(!isOffered(0.5, after: dismissed))
        #expect(isOffered(0.9, after: dismissed))
        #expect(isOffered(0.5, after: dismissed, trigger: .device("BB")))
        #expect(!isOffered(0.34, after: dismissed, trigger: .device("BB")))
        #expect(isOffered(0.34, after: dismissed, trigger: .device("BB"), kind: .directions))
    }

    @Test("Acceptances lower the threshold within limits")

    func praiseAsksForLessWithinLimits() {
        #expect(isOffered(0.2, after: answers(.accepted, 1)))
        #expect(!isOffered(0.05, after: answers(.accepted, 1_000)))
        // Two answers to the contrary count even then.
        #expect(!isOffered(0.2, after: answers(.accepted, 1_000) + answers(.dismissed, 2)))
    }

    @Test("Ignored suggestions stop and are tried again later")

    func whatNobodyAnswersFallsSilentAndIsTriedAgain() {
        #expect(isOffered(1, after: answers(.expired, 15)))
        let ignored = answers(.expired, 40)
        #expect(!isOffered(1, after: ignored))
        #expect(isOffered(1, after: ignored, days: 20))
        #expect(!isOffered(0.5, after: ignored, days: 20))
    }

    @Test("Closing counts for less than ignoring, and never mutes")

    func closingIsNotRefusing() throws {
        var board = SuggestionBoard()
        for day in 0..<10 {
            let now = after(Double(day) * 86_400)
            #expect(try board.offerAndShow(.sample("s\(day)", expiring: 1e6), at: now))
            let effects = try board.apply(.close, to: "s\(day)", at: now)
            #expect(effects.outcomes == [.closed] && effects.states == ["expired"] && effects.muted.isEmpty)
        }
        #expect(isOffered(0.5, after: answers(.closed, 10)))
        #expect(!isOffered(0.5, after: answers(.expired, 10)))
    }

    @Test("Refusing a place counts for that place alone")

    func refusedPlace() throws {
        func place(_ name: String, _ id: String) -> Suggestion {
            var suggestion = Suggestion.sample(
                id, app: "org.example.Maps", trigger: .activity("org.example.Browser"), expiring: 1e6)
            suggestion.subject = SuggestionSubject(MapItem(name: name))
            return suggestion
        }
        var board = SuggestionBoard()
        var muted: [SuggestionPair] = []
        for index in 0..<3 {
            let now = after(Double(index) * 3_600)
            #expect(try board.offerAndShow(place("Old Town Hall", "s\(index)"), at: now))
            muted += try board.apply(.dismiss(reason: "not-now"), to: "s\(index)", at: now).muted
        }
        let refused = place("Old Town Hall", "again")
        #expect(muted == [SuggestionPair(refused)] && muted.first?.application == "")
        #expect(board.offer(refused, at: after(20_000)) == .held(.muted(SuggestionPair(refused))))
        #expect(board.offer(place("Museum", "other"), at: after(20_000)) == .offered([]))
        // Ignoring many places says that directions are not wanted after this app.
        let ignored = (0..<10).map { index in
            Engagement(
                suggestion: "i\(index)", application: "org.example.Maps", kind: .media, outcome: .expired,
                date: after(Double(index)), context: refused.context,
                subject: SuggestionSubject(CalendarEvent(title: "\(index)", start: start)))
        }
        board = SuggestionBoard(engagements: ignored)
        guard case .held(.unlikely) = board.offer(place("Museum", "other"), at: after(20_000)) else {
            Issue.record("a place was offered though ten were ignored")
            return
        }
    }

    @Test("Unseen and failed suggestions change nothing")

    func whatWasNotAnsweredOrFailedChangesNothing() {
        #expect(isOffered(0.3, after: answers(.shown, 50) + answers(.failed, 50), days: 1))
    }

    @Test("Engagements count at once and can be forgotten")

    func answersCountAtOnceAndAreForgotten() throws {
        var board = SuggestionBoard()
        for index in 0..<3 {
            #expect(try board.offerAndShow(.sample("s\(index)", score: 0.9), at: after(Double(index) * 20)))
            _ = try board.apply(.dismiss(reason: "closed"), to: "s\(index)", at: after(Double(index) * 20 + 1))
        }
        let other = Suggestion.sample("x", app: "org.example.Other", score: 0.5)
        guard case .held(.unlikely(let chance)) = board.offer(other, at: after(100)) else {
            Issue.record("what is unlikely was offered")
            return
        }
        #expect(chance > 0 && chance < 0.3)
        board.restore(mutedPairs: [:], engagements: [])
        #expect(board.offer(other, at: after(100)) == .offered([]))
    }

    @Test("The number of triggers is limited")

    func theNumberOfTriggersIsBounded() {
        let many = (0..<1_000).flatMap {
            answers(.dismissed, 3, trigger: .device("\($0)"), kind: Suggestion.Kind(rawValue: "k\($0)"))
        }
        // The oldest of them is forgotten, the latest is not.
        #expect(isOffered(0.3, after: many, trigger: .device("0"), kind: Suggestion.Kind(rawValue: "k0")))
        #expect(!isOffered(0.3, after: many, trigger: .device("999"), kind: Suggestion.Kind(rawValue: "k999")))
    }

    @Test("A hold is described in words")

    func aHoldIsToldInWords() {
        #expect("\(Hold.unlikely(chance: 0.128))" == "it is not likely enough to be wanted (13 %)")
    }
}
