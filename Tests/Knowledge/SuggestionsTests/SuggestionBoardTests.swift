import FoundationEssentials
import HunchModel
import Suggestions
import SeededRandom
import TestSupport
import Testing

@Suite struct SuggestionBoardTests {
    private let pair = SuggestionPair(trigger: .device("AA"), application: "org.example.Player")

    @Test("A better one replaces at once, any other one later")

    func aBetterOneReplacesWithinAMomentAndAnyOneAfterIt() throws {
        var board = SuggestionBoard()
        #expect(board.offer(.sample("a", score: 0.5), at: start) == .offered([]))
        #expect(board.offer(.sample("b", score: 0.5), at: after(9)) == .held(.likelierSuggested))
        guard case .offered(let effects) = board.offer(.sample("c", score: 0.6), at: after(9)) else {
            Issue.record("the better one was held")
            return
        }
        #expect(effects.states == ["withdrawn"])
        #expect(effects.outcomes == [])
        #expect(board.lives.map(\.id) == ["c"])
        #expect(board.offer(.sample("d", score: 0.4), at: after(19)) != .held(.likelierSuggested))
        #expect(board.lives.map(\.id) == ["d"])
    }

    @Test("A newer place replaces an older one at once")
    func newerPlace() throws {
        func directions(_ id: String) -> Suggestion {
            Suggestion(
                id: id, title: "Get directions to \(id)", subtitle: "", application: "maps", applicationName: "Maps",
                source: "From Yelp", score: 0.5, explanation: ["you looked at it"],
                context: Context(trigger: .other("activity")),
                expiry: after(600), action: .openDirections(DirectionsLaunch(desktopID: "maps", uri: "geo:1,2")))
        }
        var board = SuggestionBoard()
        #expect(board.offer(directions("a"), at: start) == .offered([]))
        guard case .offered(let effects) = board.offer(directions("b"), at: after(1)) else {
            Issue.record("the newer place was held")
            return
        }
        #expect(effects.states == ["withdrawn"])
        #expect(board.offer(.sample("c", score: 0.5), at: after(2)) == .held(.likelierSuggested))
    }

    @Test("The number of suggestions in an hour is limited")

    func theNumberWithinAnHourIsBounded() throws {
        var board = SuggestionBoard()
        for index in 0..<6 {
            #expect(try board.offerAndShow(.sample("s\(index)", expiring: 9_999), at: after(Double(index) * 60)))
        }
        #expect(board.offer(.sample("x", expiring: 9_999), at: after(3_599)) == .held(.tooMany(until: after(3_600))))
        #expect(try board.offerAndShow(.sample("y", expiring: 9_999), at: after(3_600)))
        #expect(board.offer(.sample("z", expiring: 9_999), at: after(3_620)) == .held(.tooMany(until: after(3_660))))
    }

    @Test("A suggestion that is withdrawn at once does not count", arguments: [0, 8, 29, 30, 120] as [Double])
    func withdrawnAtOnce(after seconds: Double) throws {
        var board = SuggestionBoard()
        var recorded: [Engagement] = []
        for index in 0..<6 {
            let begin = Double(index) * 200
            let suggestion = Suggestion.sample("s\(index)", expiring: 9_999)
            guard case .offered = board.offer(suggestion, at: after(begin)) else {
                Issue.record("s\(index) was held")
                return
            }
            recorded += try board.apply(.show, to: suggestion.id, at: after(begin)).engagements
            let effects = board.withdraw(because: "the device disconnected", at: after(begin + seconds)) { _ in true }
            #expect(effects.states == ["withdrawn"] && effects.outcomes == [.withdrawn])
            recorded += effects.engagements
        }
        let hold = seconds < 30 ? nil : Hold.tooMany(until: after(3_600))
        #expect(board.hold(at: after(1_200)) == hold)
        // The history says the same after a restart.
        #expect(SuggestionBoard(engagements: recorded).hold(at: after(1_200)) == hold)
    }

    @Test("A suggestion that another one replaces at once counts")
    func replacedAtOnce() throws {
        var board = SuggestionBoard()
        for index in 0..<6 {
            #expect(try board.offerAndShow(.sample("s\(index)", expiring: 9_999), at: after(Double(index) * 12)))
        }
        #expect(board.hold(at: after(72)) == .tooMany(until: after(3_600)))
    }

    @Test("Suggestions that were not shown do not count")

    func whatWasNotShownUsesNoRoom() throws {
        var board = SuggestionBoard()
        for index in 0..<50 {
            #expect(board.offer(.sample("s\(index)"), at: after(Double(index) * 11)) != .held(.expired))
        }
        #expect(board.lives.map(\.id) == ["s49"])
    }

    @Test("A clock set back does not hold suggestions forever")

    func aClockThatWasSetBackDoesNotHoldForEver() throws {
        var board = SuggestionBoard()
        for index in 0..<6 { #expect(try board.offerAndShow(.sample("s\(index)"), at: after(Double(index) * 11))) }
        #expect(try board.offerAndShow(.sample("early"), at: after(-4_000)))
    }

    @Test("A limit of zero an hour allows none", arguments: [0, -1])
    func noneAnHourMeansNone(limit: Int) {
        var limits = SuggestionLimits()
        limits.perHour = limit
        var board = SuggestionBoard(limits: limits)
        #expect(board.offer(.sample(), at: start) == .held(.tooMany(until: after(3_600))))
    }

    @Test("Dismissals in a row mute only their pair")

    func dismissalsInARowMuteThePairAndNoOther() throws {
        var board = SuggestionBoard()
        var muted: [SuggestionPair] = []
        for index in 0..<3 {
            let date = after(Double(index) * 20)
            #expect(try board.offerAndShow(.sample("s\(index)"), at: date))
            muted += try board.apply(.dismiss(reason: ""), to: "s\(index)", at: date).muted
            #expect(muted == (index == 2 ? [pair] : []))
        }
        #expect(board.offer(.sample("x"), at: after(60)) == .held(.muted(pair)))
        #expect(board.offer(.sample("y", trigger: .device("BB")), at: after(60)) == .offered([]))
        #expect(board.offer(.sample("z", app: "org.example.Other"), at: after(80)) != .held(.muted(pair)))
        // Undoing the mute takes the dismissals back.
        board.restore(mutedPairs: [:], engagements: [])
        #expect(try board.offerAndShow(.sample("again", score: 1), at: after(100)))
        #expect(try board.apply(.dismiss(reason: ""), to: "again", at: after(101)).muted == [])
    }

    @Test("An acceptance resets the count of dismissals")

    func anAcceptedOneBeginsTheCountAnew() throws {
        var board = SuggestionBoard()
        for (index, event) in [
            SuggestionEvent.dismiss(reason: ""), .dismiss(reason: ""), .accept, .dismiss(reason: ""),
            .dismiss(reason: ""),
        ].enumerated() {
            let date = after(Double(index) * 20)
            #expect(try board.offerAndShow(.sample("s\(index)"), at: date))
            #expect(try board.apply(event, to: "s\(index)", at: date).muted == [])
            if event == .accept { _ = try board.apply(.finish, to: "s\(index)", at: date) }
        }
    }

    @Test("Unseen suggestions do not count against an app")

    func whatWasNotSeenIsNeverHeldAgainstAnApp() throws {
        var board = SuggestionBoard()
        for index in 0..<10 {
            #expect(board.offer(.sample("s\(index)"), at: after(Double(index) * 20)) == .offered([]))
            let effects = try board.apply(.withdraw(reason: ""), to: "s\(index)", at: after(Double(index) * 20))
            #expect(effects.outcomes == [] && effects.muted == [])
        }
    }

    @Test("A hold is known before the suggestion is made")

    func whatCannotBeOfferedIsKnownBeforeItIsMade() throws {
        var board = SuggestionBoard()
        board.limits.perHour = 1
        #expect(board.hold(at: start) == nil)
        #expect(try board.offerAndShow(.sample("s1"), at: start))
        #expect(board.hold(at: after(1)) == .tooMany(until: after(3_600)))
        _ = try board.apply(.accept, to: "s1", at: after(2))
        #expect(board.hold(at: after(3)) == .beingCarriedOut)
        _ = try board.apply(.finish, to: "s1", at: after(4))
        #expect(board.hold(at: after(3_601)) == nil)
    }

    @Test("Restoring the limits keeps the current suggestion")

    func whatHappenedBeforeCountsWhateverStands() throws {
        var board = SuggestionBoard()
        #expect(board.offer(.sample("s1"), at: start) == .offered([]))
        let pair = SuggestionPair(trigger: .device("BB"), application: "org.example.Other")
        board.restore(mutedPairs: [pair: start], engagements: [])
        #expect(board.mutedPairs == [pair: start])
        #expect(board.life(of: "s1") != nil)
    }

    @Test("A mute ends after thirty days; one Not now renews it")
    func muteFades() throws {
        let begin = start
        var board = SuggestionBoard()
        for (index, time) in [0.0, 4_000, 8_000].enumerated() {
            #expect(try board.offerAndShow(.sample("s\(index)", score: 0.9, expiring: time + 60), at: after(time)))
            let effects = try board.apply(.dismiss(reason: ""), to: "s\(index)", at: after(time + 1))
            #expect(effects.muted == (index == 2 ? [pair] : []))
        }
        let end = 8_001 + board.limits.muteTime
        #expect(board.isMuted(pair, at: after(end - 1)))
        #expect(board.offer(.sample("t", score: 0.9, expiring: end), at: after(end - 1)) == .held(.muted(pair)))
        #expect(!board.isMuted(pair, at: after(end)))
        #expect(try board.offerAndShow(.sample("u", score: 0.9, expiring: end + 60), at: after(end)))
        #expect(try board.apply(.dismiss(reason: ""), to: "u", at: after(end + 1)).muted == [pair])
        #expect(board.isMuted(pair, at: after(end + 2)))
        // The clock was ahead when it was muted.
        #expect(!SuggestionLimits().isMuted(since: begin.addingTimeInterval(40 * 86_400), at: begin))
    }

    @Test("Suggestions expire at their time")

    func whatIsPastItsTimeExpires() throws {
        var board = SuggestionBoard()
        #expect(board.nextDeadline == nil)
        #expect(try board.offerAndShow(.sample("a", expiring: 30), at: start))
        _ = board.present([.sample("b", expiring: 20)], for: "a", at: start)
        #expect(board.nextDeadline == after(20))
        #expect(board.expire(at: after(19)) == [])
        #expect(board.expire(at: after(20)).outcomes == [])
        #expect(board.nextDeadline == after(30))
        #expect(board.expire(at: after(31)).outcomes == [.expired])
        #expect(board.lives.isEmpty)
        #expect(board.offer(.sample("c", expiring: 40), at: after(40)) == .held(.expired))
    }

    @Test("An acceptance fails at its deadline, not before")

    func whatTakesTooLongHasFailedAndIsNotInterruptedBefore() throws {
        var board = SuggestionBoard()
        #expect(try board.offerAndShow(.sample("a", expiring: 10), at: start))
        #expect(try board.apply(.accept, to: "a", at: after(5)).outcomes == [.accepted])
        #expect(board.offer(.sample("b", score: 1), at: after(20)) == .held(.beingCarriedOut))
        #expect(board.nextDeadline == after(65))
        #expect(board.expire(at: after(64)) == [])
        #expect(board.expire(at: after(65)).outcomes == [.failed])
        #expect(board.offer(.sample("b", score: 1), at: after(65)) == .offered([]))
    }

    @Test("Requested suggestions are limited only in number")

    func whatWasAskedForHasNoLimitButANumber() throws {
        var board = SuggestionBoard(mutedPairs: [pair: start])
        var limits = SuggestionLimits()
        limits.requested = 3
        limits.perHour = 0
        board.limits = limits
        #expect(board.present((0..<3).map { .sample("s\($0)") }, for: "a", at: start) == [])
        #expect(board.present([.sample("s1"), .sample("s3")], for: "a", at: start).states == ["withdrawn"])
        #expect(board.lives.map(\.id) == ["s1", "s2", "s3"])
        for id in ["s1", "s2", "s3"] {
            _ = try board.apply(.show, to: id, at: start)
            let effects = try board.apply(.dismiss(reason: ""), to: id, at: start)
            #expect(effects.outcomes == [.dismissed] && effects.muted == [])
        }
    }

    @Test("Requests of one caller do not withdraw those of another")
    func requestsOfSeveralCallers() {
        var board = SuggestionBoard()
        board.limits.requested = 3
        board.limits.requestedInAll = 5
        #expect(board.present([.sample("p1"), .sample("p2")], for: "person", at: start) == [])
        for number in 0..<40 {
            _ = board.present([.sample("s\(number)")], for: "stranger", at: start)
        }
        #expect(board.lives.map(\.id) == ["p1", "p2", "s37", "s38", "s39"])
        // The board is full: the caller with the most suggestions loses its oldest.
        #expect(board.present([.sample("o1")], for: "other", at: start).states == ["withdrawn"])
        #expect(board.lives.map(\.id) == ["p1", "p2", "s38", "s39", "o1"])
    }

    @Test("An unknown suggestion is an error")

    func anUnknownSuggestionIsAnError() {
        var board = SuggestionBoard()
        _ = board.offer(.sample(), at: start)
        let error = #expect(throws: SuggestionError.self) { try board.apply(.accept, to: "other", at: start) }
        #expect(error?.code == .unknownSuggestion)
        #expect(board.offer(.sample("s1", score: 1), at: after(60)) == .held(.identifierTaken))
    }

    @Test("An unmuted pair stays unmuted until dismissed again")

    func whatWasUnmutedStaysSoUntilItIsTurnedDownAgain() throws {
        let past = (1...3).map { day in
            Engagement(
                suggestion: "old", application: pair.application, kind: .media, outcome: .dismissed,
                date: after(Double(day - 9) * 86_400), context: Context(trigger: pair.trigger))
        }
        var board = SuggestionBoard(engagements: past)
        #expect(board.offer(.sample(score: 1), at: start) == .offered([]))
        #expect(try board.apply(.show, to: "s1", at: start).muted == [])
        #expect(try board.apply(.dismiss(reason: ""), to: "s1", at: start).muted == [pair])
    }

    @Test("The limits survive a restart")

    func limitsHoldBeyondARestart() throws {
        func engagement(_ outcome: Engagement.Outcome, _ seconds: Double) -> Engagement {
            Engagement(
                suggestion: "old", application: pair.application, kind: .media, outcome: outcome, date: after(seconds),
                context: Context(trigger: pair.trigger))
        }
        let past = (0..<6).flatMap { [engagement(.shown, Double(-$0)), engagement(.expired, Double(-$0))] }
        var board = SuggestionBoard(engagements: past)
        #expect(board.offer(.sample(score: 1), at: after(1)) == .held(.tooMany(until: after(3_595))))
        board = SuggestionBoard(engagements: [engagement(.dismissed, -9_000), engagement(.dismissed, -8_000)])
        #expect(try board.offerAndShow(.sample(), at: start))
        #expect(try board.apply(.dismiss(reason: ""), to: "s1", at: start).muted == [pair])
        board.restore(mutedPairs: [:], engagements: [])
        #expect(board.offer(.sample("s2"), at: after(20)) == .offered([]))
    }

    /// Whatever is offered and done in whatever order: never more than one uninvited, never more shown within an hour
    /// than allowed, nothing muted stands, and every deadline is met.
    @Test("The rules hold for random events", arguments: 0..<20)
    func randomLivesKeepTheRules(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var board = SuggestionBoard()
        board.limits.pairs = 4
        board.limits.dismissalsToMute = 2
        var shown: [Date] = []
        var now = start
        for step in 0..<1_500 {
            now = now.addingTimeInterval(Double.random(in: 0...120, using: &random))
            var effects: [SuggestionEffect] = []
            let mutedBefore = Set(board.mutedPairs.keys)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                var suggestion = Suggestion.sample(
                    "s\(step)", app: "app\(Int.random(in: 0..<9, using: &random))",
                    score: .random(in: 0...1, using: &random))
                suggestion.expiry = now.addingTimeInterval(.random(in: -5...600, using: &random))
                let outcome = board.offer(suggestion, at: now)
                if case .offered(let withdrawals) = outcome {
                    effects = withdrawals
                    #expect(!mutedBefore.contains { $0.application == suggestion.application })
                }
            case 4: effects = board.present([.sample("r\(step)")], for: "a", at: now)
            case 5: effects = board.expire(at: now)
            default:
                guard let life = board.lives.randomElement(using: &random),
                    let event = (SuggestionLifeTests.events + [.dismiss(reason: "e")]).randomElement(using: &random)
                else { continue }
                let before = board.lives
                do {
                    effects = try board.apply(event, to: life.id, at: now)
                } catch {
                    #expect(board.lives == before)
                }
                if !life.wasRequested, effects.outcomes.contains(.shown) { shown.append(now) }
            }
            #expect(board.lives.count { !$0.wasRequested } <= 1)
            #expect(board.lives.allSatisfy { !$0.state.isOver })
            #expect(Set(board.lives.map(\.id)).count == board.lives.count)
            #expect(Set(board.mutedPairs.keys).subtracting(mutedBefore) == Set(effects.muted))
            #expect(shown.count { now.timeIntervalSince($0) < 3_600 } <= board.limits.perHour)
            if board.nextDeadline.map({ $0 <= now }) == true {
                _ = board.expire(at: now)
                #expect(board.nextDeadline.map { $0 > now } != false)
            }
        }
        #expect(!shown.isEmpty && !board.mutedPairs.isEmpty)
    }
}
