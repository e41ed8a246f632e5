import Appointments
import HunchModel
import Testing

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

    @Test("Short distances are walked, and otherwise the car comes first")
    func mode() {
        #expect(TravelEstimate.mode(for: 1_400, among: []) == .pedestrian)
        #expect(TravelEstimate.mode(for: 1_500, among: []) == .car)
        #expect(TravelEstimate.mode(for: 500, among: [.train, .bike]) == .train)
        #expect(TravelEstimate.mode(for: 50_000, among: [.bike, .pedestrian]) == .bike)
    }
}

/// The modes that a user uses, by distance.
@Suite("Travel habits") struct TravelHabitsTests {
    private func habits(_ trips: (kilometres: Double, mode: TransportMode)...) -> TravelHabits {
        TravelHabits(trips.map { TravelHabits.Trip(distance: $0.kilometres * 1_000, by: [$0.mode]) })
    }

    @Test("Short rides by bike do not make a long route a ride by bike")
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

    @Test("The mode is chosen again after a movement of half the distance, and of 1 km at least")
    func outset() throws {
        func point(_ kilometres: Double) throws -> Coordinate {
            try Coordinate(latitude: kilometres / 111.2, longitude: 0)
        }
        let end = try point(0)
        for (former, position, keeps) in [
            (1.6, 1.2, true), (1.6, 0.5, false), (10, 5.2, true), (10, 4.8, false), (10, 14.8, true), (1.6, 2.5, true),
        ] {
            let chosen = try TravelEstimate.outset(from: point(position), to: end, after: point(former))
            #expect(try chosen == point(keeps ? former : position), "\(former) → \(position)")
        }
        #expect(try TravelEstimate.outset(from: point(3), to: end, after: nil) == point(3))
    }
}
