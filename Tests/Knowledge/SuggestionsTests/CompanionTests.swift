import FoundationEssentials
import HunchModel
import Suggestions
import Testing

/// Two suggestions of one moment, of which one is to be taken.
@Suite("Suggestion companions") struct CompanionTests {
    private let dialer: AppID = "org.example.Dialer"

    private func board(_ limits: SuggestionLimits = SuggestionLimits()) -> SuggestionBoard {
        var board = SuggestionBoard(limits: limits)
        #expect(board.offer(.sample("go"), with: [.sample("call", app: dialer)], at: start) == .offered([]))
        return board
    }

    @Test("Accepting a suggestion withdraws its companion")
    func taking() throws {
        for (taken, other) in [("go", "call"), ("call", "go")] {
            var board = board()
            #expect(board.lives.map(\.id) == ["go", "call"])
            #expect(board.companions(of: "go").map(\.id) == ["call"] && board.companions(of: "call").isEmpty)
            let effects = try board.apply(.accept, to: taken, at: after(1))
            #expect(effects.states == ["accepted", "withdrawn"] && effects.outcomes == [.shown, .accepted])
            #expect(board.lives.map(\.id) == [taken] && board.companions(of: other).isEmpty)
            #expect(board.hold(at: after(1)) == .beingCarriedOut)
            #expect(board.offer(.sample("next"), at: after(20)) == .held(.beingCarriedOut))
            #expect(try board.apply(.finish, to: taken, at: after(2)).states == ["done"])
            #expect(board.lives.isEmpty && board.offer(.sample("next"), at: after(20)) == .offered([]))
        }
    }

    @Test("A failed companion stays after the suggestion was withdrawn")
    func failing() throws {
        var board = board()
        _ = try board.apply(.accept, to: "call", at: after(1))
        #expect(try board.apply(.retry(reason: "r"), to: "call", at: after(2)).outcomes == [.failed])
        #expect(board.standing.map(\.id) == ["call"] && board.hold(at: after(2)) == nil)
        #expect(try board.apply(.accept, to: "call", at: after(3)).states == ["accepted"])
    }

    @Test("A companion is withdrawn with its suggestion")
    func ending() throws {
        for event in [SuggestionEvent.dismiss(reason: ""), .withdraw(reason: "")] {
            var board = board()
            #expect(try board.apply(event, to: "go", at: after(1)).states.last == "withdrawn")
            #expect(board.lives.isEmpty)
        }
        var expiring = board()
        #expect(Set(expiring.expire(at: after(600)).states) == ["expired", "withdrawn"])
        #expect(expiring.lives.isEmpty)
        var replaced = board()
        guard case .offered(let effects) = replaced.offer(.sample("better", score: 0.9), at: after(1)) else {
            Issue.record("the better one was held")
            return
        }
        #expect(effects.states == ["withdrawn", "withdrawn"] && replaced.lives.map(\.id) == ["better"])
        var turnedDown = board()
        #expect(try turnedDown.apply(.dismiss(reason: ""), to: "call", at: after(1)).states == ["dismissed"])
        #expect(turnedDown.lives.map(\.id) == ["go"])
    }

    @Test("Of several companions, the accepted one ends the others")
    func several() throws {
        var board = SuggestionBoard()
        let companions = [Suggestion.sample("call", app: dialer), .sample("remind", app: "org.example.Tasks")]
        #expect(board.offer(.sample("go"), with: companions, at: start) == .offered([]))
        #expect(board.companions(of: "go").map(\.id) == ["call", "remind"])
        let effects = try board.apply(.accept, to: "remind", at: after(1))
        #expect(effects.states == ["accepted", "withdrawn", "withdrawn"] && board.lives.map(\.id) == ["remind"])
        var ended = SuggestionBoard()
        _ = ended.offer(.sample("go"), with: companions, at: start)
        #expect(try ended.apply(.dismiss(reason: ""), to: "go", at: after(1)).states.count == 3 && ended.lives.isEmpty)
    }

    @Test("An accepted companion counts once towards the limit of an hour")
    func hourly() throws {
        var board = SuggestionBoard()
        for number in 0..<board.limits.perHour {
            let companion = Suggestion.sample("call\(number)", app: dialer)
            #expect(board.offer(.sample("go\(number)"), with: [companion], at: start) == .offered([]))
            _ = try board.apply(.show, to: "go\(number)", at: start)
            _ = try board.apply(.accept, to: companion.id, at: start)
            _ = try board.apply(.finish, to: companion.id, at: start)
        }
        guard case .held(.tooMany) = board.offer(.sample("more"), at: start) else {
            Issue.record("the limit of an hour does not count")
            return
        }
    }

    @Test("A companion that would be held is omitted")
    func leavingOut() throws {
        var board = SuggestionBoard(
            mutedPairs: [SuggestionPair(trigger: .device("AA"), application: dialer): start])
        #expect(board.offer(.sample("go"), with: [.sample("call", app: dialer)], at: start) == .offered([]))
        #expect(board.lives.map(\.id) == ["go"])
        #expect(try board.apply(.withdraw(reason: ""), to: "go", at: after(1)).states == ["withdrawn"])
        for companion in [
            Suggestion.sample("old", expiring: -1), .sample("go2"), .sample("unlikely", score: 0.05),
        ] {
            #expect(board.offer(.sample("go2"), with: [companion], at: after(20)) == .offered([]))
            #expect(board.lives.map(\.id) == ["go2"])
            _ = try board.apply(.withdraw(reason: ""), to: "go2", at: after(21))
        }
    }
}
