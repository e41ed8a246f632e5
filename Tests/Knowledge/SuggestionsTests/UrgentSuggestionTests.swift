import FoundationEssentials
import HunchModel
import Suggestions
import Testing

/// Suggestions to leave for an appointment and to join its call, which nothing else holds.
@Suite("Urgent suggestions") struct UrgentSuggestionTests {
    private static let maps: AppID = "org.example.Maps"

    private func suggestion(
        _ id: String, _ action: Suggestion.Action, trigger: Trigger = .appointment, score: Double = 0.8
    ) -> Suggestion {
        Suggestion(
            id: id, title: id, subtitle: "", application: Self.maps, applicationName: "Maps", source: "", score: score,
            explanation: [], context: Context(trigger: trigger), expiry: after(9_999), action: action)
    }

    private func departure(_ id: String, trigger: Trigger = .appointment) -> Suggestion {
        suggestion(id, .openDirections(DirectionsLaunch(desktopID: Self.maps, uri: "geo:1,2")), trigger: trigger)
    }

    private func call(_ id: String) -> Suggestion {
        suggestion(id, .openPage(uri: "https://meet.example", .join))
    }

    private func checkIn(_ id: String) -> Suggestion {
        suggestion(id, .openPage(uri: "https://air.example", .checkIn))
    }

    @Test("Only departures and calls of appointments are urgent")
    func rule() {
        #expect(departure("a").isUrgent && call("b").isUrgent)
        #expect(!checkIn("c").isUrgent && !departure("d", trigger: .activity("org.example.Guide")).isUrgent)
        #expect(!Suggestion.sample().isUrgent)
    }

    @Test("The hourly limit does not hold urgent suggestions, and they do not count towards it")
    func hourlyLimit() throws {
        var board = SuggestionBoard()
        for index in 0..<6 {
            #expect(try board.offerAndShow(departure("d\(index)"), at: after(Double(index))))
            _ = try board.apply(.dismiss(reason: "closed"), to: "d\(index)", at: after(Double(index)))
        }
        for index in 0..<6 {
            #expect(try board.offerAndShow(.sample("s\(index)"), at: after(100 + Double(index) * 11)))
        }
        #expect(try !board.offerAndShow(.sample("more"), at: after(200)))
        #expect(try board.offerAndShow(call("call"), at: after(200)))
    }

    @Test("No number of dismissals holds the next departure or call, or mutes an app")
    func dismissals() throws {
        var board = SuggestionBoard()
        for index in 0..<20 {
            let next = index.isMultiple(of: 2) ? departure("s\(index)") : call("s\(index)")
            #expect(try board.offerAndShow(next, at: after(Double(index))))
            let effects = try board.apply(.dismiss(reason: "closed"), to: next.id, at: after(Double(index)))
            #expect(effects.muted.isEmpty)
        }
        #expect(try board.offerAndShow(checkIn("checkIn"), at: after(30)), "their answers are about themselves")
    }

    @Test("Dismissals of one event mute only its series")
    func series() throws {
        func weekly(_ id: String, _ title: String, at hours: Double = 0, series: String? = nil) -> Suggestion {
            var next = call(id)
            var event = CalendarEvent(title: title, start: start.addingTimeInterval(hours * 3_600))
            event.series = series
            next.subject = SuggestionSubject(event)
            return next
        }
        var board = SuggestionBoard()
        for index in 0..<3 {
            #expect(try board.offerAndShow(weekly("s\(index)", "Weekly"), at: after(Double(index))))
            _ = try board.apply(.dismiss(reason: "not-now"), to: "s\(index)", at: after(Double(index)))
        }
        #expect(try !board.offerAndShow(weekly("next", "Weekly"), at: after(10)))
        #expect(try !board.offerAndShow(weekly("later", "Weekly", at: 7 * 24), at: after(10)))
        #expect(try board.offerAndShow(weekly("other", "Review"), at: after(10)))
        #expect(try board.offerAndShow(weekly("afternoon", "Weekly", at: 3), at: after(2_000)))
        #expect(try board.offerAndShow(weekly("tuesday", "Weekly", at: 24), at: after(4_000)))
        #expect(try board.offerAndShow(weekly("series", "Weekly", series: "a1"), at: after(6_000)))
    }

    @Test("Several refusals of one departure count once, and hold no other event")
    func repeatedRefusals() throws {
        func next(_ id: String, _ title: String) -> Suggestion {
            var next = departure(id)
            next.subject = SuggestionSubject(CalendarEvent(title: title, start: start))
            return next
        }
        var board = SuggestionBoard()
        for index in 0..<5 {
            #expect(try board.offerAndShow(next("dentist", "Dentist"), at: after(Double(index))))
            let effects = try board.apply(.dismiss(reason: "not-now"), to: "dentist", at: after(Double(index)))
            #expect(effects.muted.isEmpty)
        }
        #expect(try board.offerAndShow(next("lunch", "Lunch"), at: after(10)))
        #expect(try board.offerAndShow(next("next week", "Dentist"), at: after(10)))
    }

    @Test("Urgent suggestions are shown side by side, and others come and go independently")
    func together() throws {
        var board = SuggestionBoard()
        for id in ["a", "b"] { #expect(try board.offerAndShow(departure(id), at: start)) }
        #expect(try board.offerAndShow(.sample("music", score: 0.6, expiring: 9_999), at: after(1_201)))
        #expect(try board.offerAndShow(.sample("podcast", score: 0.9, expiring: 9_999), at: after(1_202)))
        #expect(board.standing.map(\.id) == ["a", "b", "podcast"])
        #expect(try board.offerAndShow(call("c"), at: after(1_203)))
        #expect(board.standing.map(\.id) == ["a", "b", "c"])
    }

    @Test("The content of an open suggestion changes in place")
    func revising() throws {
        var board = SuggestionBoard()
        #expect(try board.offerAndShow(departure("a"), at: start))
        var later = departure("a")
        later.title = "Leave now"
        let changes = [board.revise(later), board.revise(later), board.revise(departure("b"))]
        #expect(changes == [true, false, false])
        #expect(board.life(of: "a")?.suggestion.title == "Leave now")
        #expect(board.life(of: "a")?.state == .shown(since: start))
        _ = try board.apply(.accept, to: "a", at: after(1))
        let isChanged = board.revise(departure("a"))
        #expect(!isChanged, "it is being carried out")
    }

    @Test("A dismissed restaurant does not hold a departure")
    func restaurant() throws {
        var board = SuggestionBoard()
        for index in 0..<6 {
            let restaurant = departure("r\(index)", trigger: .activity("org.example.Guide"))
            guard try board.offerAndShow(restaurant, at: after(Double(index) * 4_000)) else { break }
            _ = try board.apply(.dismiss(reason: "closed"), to: restaurant.id, at: after(Double(index) * 4_000))
        }
        var next = departure("next")
        next.expiry = after(90_000)
        #expect(try board.offerAndShow(next, at: after(24_000)))
    }

    @Test("An urgent suggestion replaces a likelier one at once, and holds others for two minutes")
    func precedence() throws {
        var board = SuggestionBoard()
        #expect(try board.offerAndShow(.sample("music", score: 0.99), at: start))
        guard case .offered(let effects) = board.offer(departure("leave"), at: after(1)) else {
            Issue.record("the departure was held")
            return
        }
        #expect(effects.states == ["withdrawn"])
        #expect(board.offer(.sample("x", score: 1, expiring: 9_999), at: after(120)) == .held(.appointmentFirst))
        #expect(board.hold(at: after(121)) == nil, "nobody sees it")
        // The count restarts when the user sees it.
        _ = try board.apply(.show, to: "leave", at: after(3_000))
        #expect(board.hold(at: after(3_119)) == .appointmentFirst)
        #expect(board.offer(checkIn("y"), at: after(3_119)) == .held(.appointmentFirst))
        #expect(board.offer(call("call"), at: after(3_001)) != .held(.appointmentFirst))
        _ = try board.apply(.show, to: "call", at: after(3_001))
        #expect(try board.offerAndShow(.sample("z", expiring: 9_999), at: after(3_121)))
        #expect(board.life(of: "leave")?.state == .shown(since: after(3_000)), "it stands beside it")
    }

    @Test("While something is carried out, an urgent suggestion waits")
    func carryingOut() throws {
        var board = SuggestionBoard()
        #expect(try board.offerAndShow(.sample(), at: start))
        _ = try board.apply(.accept, to: "s1", at: after(1))
        #expect(board.offer(call("call"), at: after(2)) == .held(.beingCarriedOut))
        _ = try board.apply(.finish, to: "s1", at: after(3))
        #expect(try board.offerAndShow(call("call"), at: after(4)))
    }
}
