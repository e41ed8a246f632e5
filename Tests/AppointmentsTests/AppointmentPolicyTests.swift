import Appointments
import FoundationEssentials
import HunchModel
import Testing

/// The times at which something is suggested because of an appointment.
@Suite("Appointment policy") struct AppointmentPolicyTests {
    private let start = Date(timeIntervalSince1970: 1_795_514_400)

    private func plan(
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

    private func minute(_ minutes: Double) -> Date { start.addingTimeInterval(minutes * 60) }

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

    @Test("An unknown way counts as an hour, without a time to leave")
    func unknownWay() throws {
        #expect(try #require(due(plan(minutes: nil))) == (60, .leave))
        #expect(AppointmentPolicy.departure(plan(minutes: nil))?.leave == nil)
    }

    @Test("Appointments without a way, at the place, far away or of whole days are not suggested")
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
        #expect(policy.due(at: minute(80)) == nil && policy.nextDue(after: minute(80)) == nil)
        #expect(policy.update([plan()], open: [second.id], at: minute(81)) == [], "the same appointment keeps it")
        let moved = plan(inMinutes: 180)
        #expect(policy.update([moved], open: [second.id], at: minute(82)) == [second.id], "another time withdraws it")
        #expect(policy.nextDue(after: minute(82)) == minute(130))
    }

    @Test("An appointment that disappears and comes back is suggested again, unless the person has answered")
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

    @Test("Another place at the same time withdraws the suggestion, and makes it anew")
    func otherPlace() throws {
        var policy = AppointmentPolicy()
        _ = policy.update([plan()], open: [], at: minute(70))
        let candidate = try #require(policy.due(at: minute(70)))
        policy.noteMade(candidate, replacing: [], at: minute(70))
        var event = plan().event
        event.place = MapItem(name: "Elsewhere")
        let other = AppointmentPlan(event: event, route: plan().route)
        #expect(policy.update([other], open: [candidate.id], at: minute(71)) == [candidate.id])
        #expect(policy.due(at: minute(71))?.plan == other)
    }

    @Test("A suggestion that another one replaced is made again when nothing else is open")
    func replaced() throws {
        var policy = AppointmentPolicy()
        _ = policy.update([plan()], open: [], at: minute(70))
        let candidate = try #require(policy.due(at: minute(70)))
        policy.noteMade(candidate, replacing: [], at: minute(70))
        _ = policy.update([plan()], open: ["music"], replaced: [candidate.id], at: minute(75))
        #expect(policy.due(at: minute(75)) == candidate)
        #expect(policy.wait(of: candidate, for: ["music"], at: minute(75)) == minute(77))
        #expect(policy.wait(of: candidate, for: [], at: minute(75)) == nil)
    }

    @Test("A more urgent suggestion stands for two minutes, and comes back only after the next one is over")
    func waiting() throws {
        var policy = AppointmentPolicy()
        _ = policy.update([plan("Near", minutes: 10), plan("Far", minutes: 60)], open: [], at: minute(110))
        let far = try #require(policy.due(at: minute(110)))
        #expect(far.plan.event.title == "Far")
        policy.noteMade(far, replacing: [], at: minute(110))
        let near = try #require(policy.due(at: minute(110)))
        #expect(policy.wait(of: near, for: [far.id], at: minute(111)) == minute(112))
        #expect(policy.wait(of: near, for: [far.id], at: minute(112)) == nil, "though it was not answered")
        policy.noteMade(near, replacing: [far.id], at: minute(112))
        // It was time to leave long ago.
        #expect(policy.due(at: minute(112)) == far)
        #expect(policy.wait(of: far, for: [near.id], at: minute(119)) == minute(121))
        #expect(policy.wait(of: far, for: [], at: minute(119)) == nil)
    }

    @Test("A departure that a call has replaced comes back before it is time to leave")
    func departureAfterCall() throws {
        var policy = AppointmentPolicy()
        // To leave at 85, and to join at 78.
        let plans = [
            plan("Dentist"), plan("Weekly", inMinutes: 80, meeting: "https://meet.example/a", hasRoute: false),
        ]
        _ = policy.update(plans, open: [], at: minute(70))
        let departure = try #require(policy.due(at: minute(70)))
        policy.noteMade(departure, replacing: [], at: minute(70))
        let call = try #require(policy.due(at: minute(78)))
        #expect(call.step == .join && policy.wait(of: call, for: [departure.id], at: minute(78)) == nil)
        policy.noteMade(call, replacing: [departure.id], at: minute(78))
        #expect(policy.due(at: minute(78)) == departure)
        #expect(policy.wait(of: departure, for: [call.id], at: minute(78)) == minute(80))
        #expect(policy.wait(of: departure, for: [call.id], at: minute(80)) == nil)
        policy.noteMade(departure, replacing: [call.id], at: minute(80))
        #expect(policy.due(at: minute(80)) == call)
        #expect(policy.wait(of: call, for: [departure.id], at: minute(84)) != nil, "its time has passed")
    }

    @Test("What the person answered before a restart is not suggested again")
    func restart() throws {
        var policy = AppointmentPolicy()
        let candidate = try #require(AppointmentPolicy.departure(plan()))
        policy.restore(answered: [candidate.id], at: minute(70))
        _ = policy.update([plan()], open: [], at: minute(70))
        #expect(policy.due(at: minute(70)) == nil)
    }

    @Test("The same departure because of another event is not suggested again, and one to another place is")
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
        #expect(policy.nextDue(after: minute(80)) == minute(150))
        // The first event was cancelled, so that the other one counts.
        let id = try #require(AppointmentPolicy.departure(plans[0])?.id)
        #expect(policy.update(Array(plans.dropFirst()), open: [id], at: minute(81)) == [id])
        #expect(policy.due(at: minute(81))?.plan.event.title == "Dr. Gray")
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
        restarted.restore(answered: [first.id], at: minute(90))
        _ = restarted.update(plans(30), open: [], at: minute(90))
        #expect(restarted.due(at: minute(110)) == nil, "nor after a restart")
    }

    @Test("A departure without a time is made again once the time is known")
    func timeKnownLater() throws {
        var policy = AppointmentPolicy()
        _ = policy.update([plan(minutes: nil)], open: [], at: minute(70))
        let early = try #require(policy.due(at: minute(70)))
        policy.noteMade(early, replacing: [], at: minute(70))
        #expect(policy.update([plan(minutes: nil)], open: [early.id], at: minute(71)) == [])
        #expect(policy.update([plan(minutes: 40)], open: [early.id], at: minute(72)) == [early.id])
        let timed = try #require(policy.due(at: minute(72)))
        #expect(timed.id == early.id && timed.leave != nil)
        policy.noteMade(timed, replacing: [], at: minute(72))
        #expect(policy.update([plan(minutes: 35)], open: [timed.id], at: minute(73)) == [], "it is said once")
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

/// Estimates of the time that a journey takes.
@Suite("Travel estimate") struct TravelEstimateTests {
    @Test(
        "Times grow with the distance and fit the mode",
        arguments: [
            (1_000, .pedestrian, 18.7), (8_000, .car, 26.3), (8_000, .bike, 50), (8_000, .train, 47.3),
            (100_000, .car, 121.3), (0, .car, 6), (500, .car, 7.7),
        ] as [(Double, TransportMode, Double)])
    func minutes(distance: Double, mode: TransportMode, expected: Double) {
        let minutes = TravelEstimate.seconds(for: distance, by: mode) / 60
        #expect(abs(minutes - expected) <= 0.1, "\(minutes)")
    }

    @Test("People walk short ways, and take the car before anything else")
    func mode() {
        #expect(TravelEstimate.mode(for: 1_400, among: []) == .pedestrian)
        #expect(TravelEstimate.mode(for: 1_500, among: []) == .car)
        #expect(TravelEstimate.mode(for: 500, among: [.train, .bike]) == .train)
        #expect(TravelEstimate.mode(for: 50_000, among: [.bike, .pedestrian]) == .bike)
    }
}

/// The modes that a person uses, by distance.
@Suite("Travel habits") struct TravelHabitsTests {
    private func habits(_ trips: (kilometres: Double, mode: TransportMode)...) -> TravelHabits {
        TravelHabits(trips.map { TravelHabits.Trip(distance: $0.kilometres * 1_000, by: [$0.mode]) })
    }

    @Test("Short rides by bike make no long way a ride by bike")
    func shortRides() {
        let rides = habits((2, .bike), (3, .bike), (4, .bike))
        #expect(rides.modes(for: 3_000) == [.bike])
        #expect(rides.modes(for: 7_000) == [.bike])
        #expect(rides.modes(for: 27_000).isEmpty)
        #expect(TravelEstimate.mode(for: 27_000, among: rides.modes(for: 27_000)) == .car)
        #expect(rides.modes(for: 500).isEmpty, "people walk that far")
    }

    @Test("The mode of similar distances counts, however many other trips there were")
    func bands() {
        let trips = habits(
            (2, .bike), (3, .bike), (4, .bike), (2, .bike), (20, .train), (25, .train), (30, .train),
            (30, .car))
        #expect(trips.modes(for: 27_000) == [.train] && trips.modes(for: 3_000) == [.bike])
        #expect(trips.modes(for: 100_000) == [.train], "nothing else is known about long ways")
        let rider = habits((20, .bike), (25, .bike), (40, .bike))
        #expect(rider.modes(for: 27_000) == [.bike] && rider.modes(for: 60_000).isEmpty)
    }

    @Test("Too few trips, those of different modes, and flights say nothing about other distances")
    func unknown() {
        #expect(habits((2, .bike), (3, .bike)).modes(for: 2_000).isEmpty)
        #expect(
            habits((20, .train), (20, .train), (20, .train), (20, .car), (20, .car), (20, .car)).modes(
                for: 20_000
            ).isEmpty)
        let flights = habits((800, .plane), (900, .plane), (700, .plane))
        #expect(flights.modes(for: 27_000).isEmpty && flights.modes(for: 400_000) == [.plane])
    }

    @Test("A ride that is too long for a bike had another start")
    func elsewhere() {
        #expect(habits((500, .bike), (500, .bike), (500, .bike)).modes(for: 60_000).isEmpty)
    }
}
