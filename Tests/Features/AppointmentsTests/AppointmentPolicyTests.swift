import Appointments
import FoundationEssentials
import HunchModel
import Testing

/// The times at which something is suggested because of an appointment.
@Suite("Appointment policy") struct AppointmentPolicyTests {
    private let start = Date(timeIntervalSince1970: 1_795_514_400)

    func plan(
        _ title: String = "Dentist", minutes: Double? = 30, distance: Double = 8_000, inMinutes start: Double = 120,
        meeting: String? = nil, reservation: String? = nil, isAllDay: Bool = false, hasRoute: Bool = true
    ) -> AppointmentPlan {
        AppointmentPlan(
            event: CalendarEvent(
                title: title, start: minute(start), isAllDay: isAllDay, webPageURL: "https://a.example",
                meetingURL: meeting, reservation: reservation),
            route: !hasRoute
                ? .none : minutes.map { .known(distance: distance, seconds: $0 * 60, by: .car) } ?? .unknown)
    }

    func minute(_ minutes: Double) -> Date { start.addingTimeInterval(minutes * 60) }

    /// Returns the minute at which a plan is first due, and its step; `nil` if it never is.
    private func due(_ plan: AppointmentPlan) -> (minute: Double, step: AppointmentStep)? {
        var policy = AppointmentPolicy()
        let early = minute(-3_000)
        _ = policy.update([plan], open: [], at: early)
        guard let date = policy.nextDue(after: early), let candidate = policy.due(at: date) else { return nil }
        return (date.timeIntervalSince(start) / 60, candidate.step)
    }

    @Test(
        "The time to leave is the start less the way, the margin and the notice",
        arguments: [
            (nil, 70.0), ("FoodEstablishmentReservation", 70), ("TrainReservation", 65), ("BoatReservation", 45),
        ] as [(String?, Double)])
    func notice(reservation: String?, expected: Double) throws {
        let found = try #require(due(plan(reservation: reservation)))
        #expect(found.step == .leave && found.minute == expected)
    }

    @Test("A flight is checked in a day before, and needs ninety minutes at the airport")
    func flight() throws {
        let flight = plan(reservation: "FlightReservation")
        #expect(try #require(due(flight)) == (120 - 24 * 60, .checkIn))
        #expect(AppointmentPolicy.departure(flight)?.leave == minute(0))
        let checkIn = try #require(policyDue(flight, at: 0))
        #expect(checkIn.step == .leave, "what is urgent comes first")
    }

    private func policyDue(_ plan: AppointmentPlan, at minute: Double) -> AppointmentCandidate? {
        var policy = AppointmentPolicy()
        _ = policy.update([plan], open: [], at: self.minute(minute))
        return policy.due(at: self.minute(minute))
    }

    @Test("Without the position, a departure ends unless it is due by its start")
    func lostPosition() throws {
        for (minutes, isDue) in [(200.0, false), (90, true)] {
            var policy = AppointmentPolicy()
            let far = plan(minutes: minutes, distance: 200_000)
            let now = try #require(AppointmentPolicy.departure(far)?.leave)
            _ = policy.update([far], open: [], at: now)
            let made = try #require(policy.due(at: now))
            policy.noteMade(made, replacing: [], at: now)
            let later = isDue ? minute(61) : now
            #expect(policy.update([plan(minutes: nil)], open: [made.id], at: later) == (isDue ? [] : [made.id]))
            // It comes when an unknown route would be due.
            #expect((policy.due(at: minute(61)) == nil) == isDue)
        }
    }

    @Test("An unknown route counts as an hour, without a time to leave")
    func unknownWay() throws {
        #expect(try #require(due(plan(minutes: nil))) == (60, .leave))
        #expect(AppointmentPolicy.departure(plan(minutes: nil))?.leave == nil)
    }

    @Test("Appointments without a route, at the place, far away or of whole days are not suggested")
    func nothing() {
        #expect(due(plan(hasRoute: false)) == nil)
        #expect(due(plan(distance: 299)) == nil)
        #expect(due(plan(minutes: 361)) == nil)
        #expect(due(plan(isAllDay: true)) == nil)
    }

    @Test("A call is joined from two minutes before to fifteen after the start")
    func call() throws {
        let call = plan(meeting: "https://meet.example/a", hasRoute: false)
        #expect(try #require(due(call)) == (118, .join))
        #expect(policyDue(call, at: 134.9)?.step == .join)
        #expect(policyDue(call, at: 135) == nil)
    }

    @Test("A suggestion is made once, is tried again when held back, and ends with its appointment")
    func life() throws {
        var policy = AppointmentPolicy()
        #expect(policy.update([plan()], open: [], at: minute(70)) == [])
        let first = try #require(policy.due(at: minute(70)))
        policy.postpone(first, at: minute(70))
        #expect(policy.due(at: minute(71)) == nil && policy.nextDue(after: minute(71)) == minute(72))
        let second = try #require(policy.due(at: minute(72)))
        policy.noteMade(second, replacing: [], at: minute(72))
        #expect(policy.due(at: minute(80)) == nil && policy.nextDue(after: minute(80)) == minute(85))
        #expect(policy.update([plan()], open: [second.id], at: minute(81)) == [], "the same appointment keeps it")
        let moved = plan(inMinutes: 180)
        #expect(policy.update([moved], open: [second.id], at: minute(82)) == [second.id], "another time withdraws it")
        #expect(policy.nextDue(after: minute(82)) == minute(130))
    }

    @Test("An appointment that disappears and comes back is suggested again, unless the user has answered")
    func comingBack() throws {
        var policy = AppointmentPolicy()
        _ = policy.update([plan()], open: [], at: minute(70))
        let candidate = try #require(policy.due(at: minute(70)))
        policy.noteMade(candidate, replacing: [], at: minute(70))
        #expect(policy.update([], open: [candidate.id], at: minute(71)) == [candidate.id])
        _ = policy.update([plan()], open: [], at: minute(72))
        #expect(policy.due(at: minute(72)) == candidate)
        policy.noteMade(candidate, replacing: [], at: minute(72))
        #expect(policy.update([], open: [], at: minute(73)) == [], "the person has answered")
        _ = policy.update([plan()], open: [], at: minute(74))
        #expect(policy.due(at: minute(74)) == nil)
    }

    /// Returns a plan to the same occurrence of an event, with another title, place and start.
    func changed(
        _ title: String = "Dentist", place: String? = nil, inMinutes start: Double = 120, minutes: Double? = 30
    ) -> AppointmentPlan {
        var event = plan(title, inMinutes: start).event
        event.occurrence = "1"
        event.place = place.map { MapItem(name: $0) }
        return AppointmentPlan(event: event, route: plan(minutes: minutes).route)
    }

    @Test(
        "An event that changes keeps its suggestion, which is changed in place",
        arguments: [
            ("Dr. Gray", nil, 120, 30), ("Dentist", "Elsewhere", 120, 30), ("Dentist", nil, 110, 30),
            ("Dentist", nil, 130, 50), ("Dentist", nil, 120, 5),
        ] as [(String, String?, Double, Double)])
    func change(title: String, place: String?, start: Double, minutes: Double) throws {
        var policy = AppointmentPolicy()
        _ = policy.update([changed()], open: [], at: minute(71))
        let candidate = try #require(policy.due(at: minute(71)))
        policy.noteMade(candidate, replacing: [], at: minute(71))
        let next = changed(title, place: place, inMinutes: start, minutes: minutes)
        #expect(policy.update([next], open: [candidate.id], at: minute(72)) == [])
        #expect(policy.current.map(\.plan) == [next] && policy.current.map(\.id) == [candidate.id])
        #expect(policy.due(at: minute(100)) == nil, "it is said once")
    }

    @Test("An answered departure is suggested again if it leads elsewhere or to another time")
    func changeAfterAnswer() throws {
        for (next, isDue) in [
            (changed("Dr. Gray"), false), (changed(inMinutes: 124), false), (changed(place: "Elsewhere"), true),
            (changed(inMinutes: 100), true),
        ] {
            var policy = AppointmentPolicy()
            _ = policy.update([changed()], open: [], at: minute(71))
            let candidate = try #require(policy.due(at: minute(71)))
            policy.noteMade(candidate, replacing: [], at: minute(71))
            _ = policy.update([next], open: [], at: minute(72))
            #expect((policy.due(at: minute(72)) != nil) == isDue, "\(next.event)")
        }
    }

    @Test("An event that only another calendar still has keeps its suggestion")
    func otherCalendar() throws {
        var policy = AppointmentPolicy()
        _ = policy.update([changed(place: "Clinic")], open: [], at: minute(71))
        let candidate = try #require(policy.due(at: minute(71)))
        policy.noteMade(candidate, replacing: [], at: minute(71))
        var event = changed("Dr. Gray", place: "Clinic").event
        event.occurrence = "2"
        let other = AppointmentPlan(event: event, route: plan().route)
        #expect(policy.update([other], open: [candidate.id], at: minute(72)) == [])
        #expect(policy.current.map(\.id) == [candidate.id] && policy.due(at: minute(72)) == nil)
    }

    @Test("After arriving early, a walk suggests no second departure, but going away does")
    func walk() throws {
        var policy = AppointmentPolicy()
        _ = policy.update([changed()], open: [], at: minute(71))
        let candidate = try #require(policy.due(at: minute(71)))
        policy.noteMade(candidate, replacing: [], at: minute(71))
        let there = AppointmentPlan(event: changed().event, route: .known(distance: 10, seconds: 60, by: .car))
        #expect(policy.update([there], open: [candidate.id], at: minute(80)) == [candidate.id])
        let near = AppointmentPlan(event: changed().event, route: .known(distance: 500, seconds: 360, by: .car))
        _ = policy.update([near], open: [], at: minute(90))
        #expect(policy.due(at: minute(115)) == nil)
        _ = policy.update([changed(minutes: 6)], open: [], at: minute(110))
        #expect(policy.due(at: minute(115))?.id == candidate.id, "passing by is not arriving")
        _ = policy.update([changed(inMinutes: 150)], open: [], at: minute(116))
        #expect(policy.due(at: minute(116)) != nil, "it was moved")
    }

    @Test("A replaced suggestion that is not urgent comes back when no other is open")
    func replaced() throws {
        var policy = AppointmentPolicy()
        let flight = plan(inMinutes: 600, reservation: "FlightReservation", hasRoute: false)
        _ = policy.update([flight], open: [], at: minute(70))
        let candidate = try #require(policy.due(at: minute(70)))
        policy.noteMade(candidate, replacing: [], at: minute(70))
        _ = policy.update([flight], open: ["music"], replaced: [candidate.id], at: minute(75))
        #expect(policy.due(at: minute(75)) == candidate)
        #expect(policy.wait(of: candidate, for: ["music"], at: minute(75)) == minute(77))
        #expect(policy.wait(of: candidate, for: [], at: minute(75)) == nil)
    }

    @Test("Departures and calls wait for no other suggestion, and each is made once")
    func together() throws {
        var policy = AppointmentPolicy()
        let plans = [
            plan("Near", minutes: 10), plan("Far", minutes: 60),
            plan("Weekly", inMinutes: 111, meeting: "https://meet.example/a", hasRoute: false),
        ]
        _ = policy.update(plans, open: [], at: minute(110))
        var made: [AppointmentCandidate] = []
        while let candidate = policy.due(at: minute(110)) {
            #expect(policy.wait(of: candidate, for: Set(made.map(\.id)), at: minute(110)) == nil)
            policy.noteMade(candidate, replacing: [], at: minute(110))
            made.append(candidate)
        }
        #expect(made.map(\.plan.event.title) == ["Far", "Near", "Weekly"])
        #expect(policy.update(plans, open: Set(made.map(\.id)), at: minute(112)) == [])
        #expect(policy.due(at: minute(119)) == nil)
    }

    @Test("It is time to look again when it is time to leave")
    func timeToLeave() throws {
        var policy = AppointmentPolicy()
        _ = policy.update([plan()], open: [], at: minute(70))
        let candidate = try #require(policy.due(at: minute(70)))
        policy.noteMade(candidate, replacing: [], at: minute(70))
        #expect(policy.nextDue(after: minute(71)) == minute(85) && candidate.leave == minute(85))
        #expect(policy.nextDue(after: minute(85)) == nil)
    }

    @Test("A departure for another event is suggested again only if it goes to another place")
    func repeated() throws {
        func event(_ title: String, _ place: Coordinate, inMinutes minutes: Double) -> AppointmentPlan {
            AppointmentPlan(
                event: CalendarEvent(title: title, start: minute(minutes)),
                route: .known(distance: 8_000, seconds: 30 * 60, by: .car), to: place)
        }
        let there = try Coordinate(latitude: 48.83, longitude: 2.25)
        var policy = AppointmentPolicy()
        let plans = [
            event("Dentist", there, inMinutes: 120),
            event("Dr. Gray", try Coordinate(latitude: 48.831, longitude: 2.25), inMinutes: 123),
            event("Bakery", try Coordinate(latitude: 48.85, longitude: 2.25), inMinutes: 123),
            event("Second visit", there, inMinutes: 200),
        ]
        _ = policy.update(plans, open: [], at: minute(80))
        var titles: [String] = []
        while let candidate = policy.due(at: minute(80)) {
            titles.append(candidate.plan.event.title)
            policy.noteMade(candidate, replacing: [], at: minute(80))
        }
        #expect(titles == ["Dentist", "Bakery"])
        #expect(policy.nextDue(after: minute(85)) == minute(88) && policy.nextDue(after: minute(88)) == minute(150))
        // The first event was cancelled, so that its suggestion is about the other one.
        let id = try #require(AppointmentPolicy.departure(plans[0])?.id)
        #expect(policy.update(Array(plans.dropFirst()), open: [id], at: minute(81)) == [])
        #expect(policy.current.first { $0.id == id }?.plan.event.title == "Dr. Gray")
        #expect(policy.due(at: minute(81)) == nil)
    }

    @Test(
        "Of two appointments near each other, the words for their places decide whether they are one departure",
        arguments: [
            ("Clinic, Rue de la Paix 3", "Dr. Gray, Rue de la Paix 3, Paris", true),
            ("Café Kranzler", "Café Kranzler", true),
            ("Salon Müller", "salon müller, Berlin", true), ("Dom, Köln", "Museum Ludwig, Köln", false),
            ("Bakery, Hauptstr. 5, 10115 Berlin", "Bank, Hauptstr. 7, 10115 Berlin", false),
            ("Cinema", "Library", false),
            (nil, "Library", true), ("Gate 3", "Gate 4", false),
        ] as [(String?, String?, Bool)])
    func neighbours(first: String?, second: String?, isOne: Bool) throws {
        var policy = AppointmentPolicy()
        let plans = [(first, 48.83, "One"), (second, 48.8305, "Two")].map { place, latitude, title in
            AppointmentPlan(
                event: CalendarEvent(
                    title: title, start: minute(120),
                    place: MapItem(name: place, coordinate: try? Coordinate(latitude: latitude, longitude: 2.25))),
                route: .known(distance: 8_000, seconds: 30 * 60, by: .car),
                to: try? Coordinate(latitude: latitude, longitude: 2.25))
        }
        _ = policy.update(plans, open: [], at: minute(80))
        var count = 0
        while let candidate = policy.due(at: minute(80)) {
            policy.noteMade(candidate, replacing: [], at: minute(80))
            count += 1
        }
        #expect(count == (isOne ? 1 : 2))
    }

    @Test("On the way, the same departure because of another event is not suggested", arguments: [10.0, nil])
    func onTheWay(minutes: Double?) throws {
        let there = try Coordinate(latitude: 48.83, longitude: 2.25)
        func plans(_ minutes: Double?) -> [AppointmentPlan] {
            ["Dentist", "Dr. Gray"].map { title in
                AppointmentPlan(
                    event: CalendarEvent(title: title, start: minute(120), meetingURL: "https://meet.example/a"),
                    route: minutes.map { .known(distance: 8_000, seconds: $0 * 60, by: .car) } ?? .unknown, to: there)
            }
        }
        var policy = AppointmentPolicy()
        _ = policy.update(plans(30), open: [], at: minute(80))
        let first = try #require(policy.due(at: minute(80)))
        policy.noteMade(first, replacing: [], at: minute(80))
        policy.noteDeparture(for: first.plan.event)
        _ = policy.update(plans(minutes), open: [], at: minute(90))
        #expect(policy.due(at: minute(119)) == nil)
        var restarted = AppointmentPolicy()
        restarted.restore(first.id, isAnswered: true, at: minute(90))
        _ = restarted.update(plans(30), open: [], at: minute(90))
        #expect(restarted.due(at: minute(110)) == nil, "nor after a restart")
    }

    @Test("A departure whose time to leave becomes known is changed in place")
    func timeKnownLater() throws {
        var policy = AppointmentPolicy()
        _ = policy.update([plan(minutes: nil)], open: [], at: minute(70))
        let early = try #require(policy.due(at: minute(70)))
        policy.noteMade(early, replacing: [], at: minute(70))
        #expect(policy.update([plan(minutes: 10)], open: [early.id], at: minute(72)) == [])
        #expect(policy.current.map(\.leave) == [minute(105)] && policy.current.map(\.id) == [early.id])
        #expect(policy.due(at: minute(90)) == nil, "it is said once")
        #expect(policy.nextDue(after: minute(73)) == minute(105))
    }

    @Test("The time to leave is a whole minute")
    func wholeMinute() throws {
        let leave = try #require(AppointmentPolicy.departure(plan(minutes: 30.4))?.leave)
        #expect(leave == minute(84))
    }

    @Test("Leaving for an appointment drops its call")
    func hybrid() {
        var policy = AppointmentPolicy()
        let both = plan(meeting: "https://meet.example/a")
        _ = policy.update([both], open: [], at: minute(110))
        policy.noteDeparture(for: both.event)
        #expect(policy.due(at: minute(119))?.step == .leave)
        #expect(policy.nextDue(after: minute(119)) == nil)
    }

    @Test("Of two appointments, the one to leave for first is suggested first")
    func order() {
        var policy = AppointmentPolicy()
        _ = policy.update([plan("Near", minutes: 10), plan("Far", minutes: 60)], open: [], at: minute(110))
        #expect(policy.due(at: minute(110))?.plan.event.title == "Far")
    }
}
