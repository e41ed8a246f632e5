import FoundationEssentials
import HunchModel
import Suggestions
import SeededRandom
import TestSupport
import Testing

@Suite struct SuggestionLifeTests {
    static let events: [SuggestionEvent] = [
        .show, .accept, .finish, .fail(reason: "f"), .retry(reason: "r"), .dismiss(reason: "d"), .expire,
        .close, .withdraw(reason: "w"), .replace(by: "b"),
    ]
    static let states: [SuggestionState] = [
        .offered(since: start), .shown(since: start), .accepted(since: start), .done(at: start),
        .failed(at: start, reason: "f"), .dismissed(at: start, reason: "d"), .expired(at: start),
        .withdrawn(at: start, reason: "w"), .replaced(at: start, by: "b"),
    ]
    /// Every legal step; what is not here is an error.
    static let legal: [String: [String: String]] = [
        "offered": [
            "show": "shown", "accept": "accepted", "dismiss": "dismissed", "expire": "expired", "close": "expired",
            "withdraw": "withdrawn", "replace": "withdrawn",
        ],
        "shown": [
            "accept": "accepted", "dismiss": "dismissed", "expire": "expired", "close": "expired",
            "withdraw": "withdrawn", "replace": "withdrawn",
        ],
        "accepted": ["finish": "done", "fail": "failed", "retry": "shown", "dismiss": "dismissed"],
    ]

    @Test("Only the documented state changes are possible", arguments: states, events)
    func onlyTheLegalStepsArePossible(state: SuggestionState, event: SuggestionEvent) throws {
        if let next = Self.legal[state.name]?[event.name] {
            let result = try state.after(event, at: after(5))
            #expect(result.name == next)
            #expect(result.date == after(5))
        } else {
            let error = #expect(throws: SuggestionError.self) { try state.after(event, at: after(5)) }
            #expect(error?.code == .illegalTransition)
            #expect(error?.message.contains(state.name) == true)
        }
    }

    @Test("Reasons are kept")

    func reasonsAreKept() throws {
        let shown = SuggestionState.shown(since: start)
        #expect(try shown.after(.dismiss(reason: "later"), at: after(1)) == .dismissed(at: after(1), reason: "later"))
        #expect(try shown.after(.withdraw(reason: "gone"), at: after(1)) == .withdrawn(at: after(1), reason: "gone"))
        // A withdrawal whose reason only reads like a replacement is not a replacement.
        #expect(
            try shown.after(.withdraw(reason: "replaced by a"), at: after(1))
                != shown.after(.replace(by: "a"), at: after(1)))
        #expect(try shown.after(.replace(by: "a"), at: after(1)).reason == "replaced by a")
        let accepted = SuggestionState.accepted(since: start)
        #expect(try accepted.after(.fail(reason: "no app"), at: after(1)) == .failed(at: after(1), reason: "no app"))
    }

    @Test("A suggestion does not expire before its time")

    func itDoesNotExpireBeforeItsTime() throws {
        var life = SuggestionLife(.sample(expiring: 60), at: start)
        let error = #expect(throws: SuggestionError.self) { try life.apply(.expire, at: after(59.9)) }
        #expect(error?.code == .notYetExpired)
        #expect(life.state == .offered(since: start))
        _ = try life.apply(.expire, at: after(60))
        #expect(life.state == .expired(at: after(60)))
    }

    @Test(
        "An unseen suggestion does not count as an engagement",
        arguments: [
            (["show", "accept", "finish"], [["shown"], ["accepted"], []]),
            (["show", "accept", "fail"], [["shown"], ["accepted"], ["failed"]]),
            (["show", "accept", "retry"], [["shown"], ["accepted"], ["failed"]]),
            (["accept", "finish"], [["shown", "accepted"], []]),
            (["show", "dismiss"], [["shown"], ["dismissed"]]), (["dismiss"], [["shown", "dismissed"]]),

            (["show", "expire"], [["shown"], ["expired"]]), (["expire"], [[]]),
            (["show", "withdraw"], [["shown"], ["withdrawn"]]), (["withdraw"], [[]]),
            (["show", "replace"], [["shown"], ["replaced"]]), (["replace"], [[]]),
            (["show", "accept", "dismiss"], [["shown"], ["accepted"], ["dismissed"]]),
        ])
    func whatWasNotSeenSaysNothing(names: [String], outcomes: [[String]]) throws {
        var life = SuggestionLife(.sample(expiring: 1), at: start)
        for (name, expected) in zip(names, outcomes) {
            let event = try #require(Self.events.first { $0.name == name })
            let engagements = try life.apply(event, at: after(2))
            #expect(engagements.map(\.outcome.rawValue) == expected)
            for engagement in engagements {
                #expect(engagement.suggestion == "s1" && engagement.application == "org.example.Player")
                #expect(engagement.kind == .media && engagement.context == life.suggestion.context)
                #expect(engagement.date == after(2))
            }
        }
    }

    @Test("A failed suggestion can be accepted again until it expires")
    func retried() throws {
        var life = SuggestionLife(.sample(expiring: 60), at: start)
        for attempt in 1...3 {
            _ = try life.apply(.accept, at: after(Double(attempt)))
            let said = try life.apply(.retry(reason: "r"), at: after(Double(attempt) + 0.5))
            #expect(said.map(\.outcome) == [.failed])
            #expect(life.state == .shown(since: after(Double(attempt) + 0.5)) && life.wasSeen)
        }
        _ = try life.apply(.accept, at: after(59))
        _ = try life.apply(.retry(reason: "late"), at: after(60))
        #expect(life.state == .failed(at: after(60), reason: "late"))
    }

    /// Whatever happens in whatever order: an error changes nothing, an ended suggestion stays ended, and its
    /// description of the suggestion begins with "shown" and holds each outcome once, unless it was tried again.
    @Test("The rules hold for random events")
    func randomEventsKeepTheRules() throws {
        var random = SplitMix64(seed: 1)
        var endings: Set<String> = []
        for _ in 0..<2_000 {
            var life = SuggestionLife(.sample(expiring: 5), at: start)
            var said: [Engagement.Outcome] = []
            var wasRetried = false
            for step in 0..<12 {
                let event = try #require(Self.events.randomElement(using: &random))
                let before = life
                do {
                    said += try life.apply(event, at: after(Double(step))).map(\.outcome)
                    #expect(!before.state.isOver)
                    wasRetried = wasRetried || event.name == "retry"
                } catch {
                    #expect(life == before)
                }
            }
            #expect(wasRetried || Set(said).count == said.count)
            #expect(said.isEmpty || said.first == .shown)
            #expect(life.wasSeen == !said.isEmpty)
            endings.insert(life.state.name)
        }
        #expect(endings.isSuperset(of: ["done", "failed", "dismissed", "expired", "withdrawn"]))
    }

    @Test("Identifiers are unique and fit an object path")

    func identifiersAreUniqueAndFitAnObjectPath() {
        var random = SplitMix64(seed: 2)
        let identifiers = (0..<10_000).map { _ in SuggestionIdentifier.make(using: &random) }
        #expect(Set(identifiers).count == identifiers.count)
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789_")
        #expect(identifiers.allSatisfy { $0.count == 26 && $0.allSatisfy(allowed.contains) })
    }
}
