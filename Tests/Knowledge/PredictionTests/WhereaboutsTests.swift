import FoundationEssentials
import HunchModel
import SeededRandom
import Testing

@testable import Prediction

@Suite("Places where a user stays") struct WhereaboutsTests {
    /// The hour and the weekday in UTC.
    private static let utc: Whereabouts.LocalTime = { date in
        let seconds = Int(date.timeIntervalSince1970)
        return ((seconds / 3_600) % 24, (seconds / 86_400 + 4) % 7 + 1)
    }
    private static let home = (52.5, 13.4)
    private static let work = (52.53, 13.3)
    private static let hour = 3_600.0

    private func position(_ place: (Double, Double), accuracy: Double = 40) throws -> Position {
        Position(
            coordinate: try Coordinate(latitude: place.0, longitude: place.1), accuracy: accuracy)
    }

    /// Moves to a position and stays there until the stay counts.
    private func go(
        _ whereabouts: inout Whereabouts, _ place: (Double, Double), at date: Date
    ) throws -> [Whereabouts.Event] {
        let events = whereabouts.take(try position(place), at: date)
        guard let deadline = whereabouts.deadline else { return events }
        return events + whereabouts.advance(to: deadline)
    }

    /// At work from Monday to Friday from 9 to 17, otherwise at home.
    private func week(_ whereabouts: inout Whereabouts, from monday: Date, days: Int = 5) throws {
        for day in 0..<days {
            let begin = monday.addingTimeInterval(Double(day) * 24 * Self.hour)
            _ = try go(&whereabouts, Self.home, at: begin)
            _ = try go(&whereabouts, Self.work, at: begin.addingTimeInterval(9 * Self.hour))
            _ = try go(&whereabouts, Self.home, at: begin.addingTimeInterval(17.5 * Self.hour))
        }
    }

    @Test("A spot is a place after 10 minutes, a known one after 1")
    func aSpotIsAPlaceAfterTenMinutesAndAKnownOneAfterOne() throws {
        var whereabouts = Whereabouts(localTime: Self.utc)
        #expect(whereabouts.take(try position(Self.home), at: start) == [])
        #expect(whereabouts.deadline == start.addingTimeInterval(600))
        #expect(whereabouts.advance(to: start.addingTimeInterval(599)) == [])
        #expect(whereabouts.present == nil)
        let events = whereabouts.advance(to: start.addingTimeInterval(600))
        let place = try #require(whereabouts.present)
        #expect(place.word == "place-1" && place.date == start)
        #expect(events == [.found(place, Stay(place: 1, begin: start, end: start))])
        #expect(whereabouts.deadline == nil)
        let later = start.addingTimeInterval(7_200)
        #expect(
            whereabouts.take(try position(Self.work), at: later)
                == [.left(place, Stay(place: 1, begin: start, end: later))])
        #expect(whereabouts.present == nil)
        // Back, with a position that is a street away.
        let back = later.addingTimeInterval(600)
        #expect(whereabouts.take(try position((52.501, 13.401)), at: back) == [])
        #expect(whereabouts.deadline == back.addingTimeInterval(60))
        #expect(whereabouts.advance(to: back.addingTimeInterval(60)).count == 1)
        #expect(whereabouts.present?.number == 1)
    }

    @Test("Only a user who has left a place can arrive")
    func arrivals() throws {
        func isArrival(_ events: [Whereabouts.Event]) -> Bool {
            events.contains { if case .arrived = $0 { true } else { false } }
        }
        var whereabouts = Whereabouts(localTime: Self.utc)
        var stays: [Stay] = []
        // The position is lost and found again, every ten minutes, and the agent starts again.
        for step in 0..<6 {
            let date = start.addingTimeInterval(Double(step) * 1_800)
            #expect(try !isArrival(go(&whereabouts, Self.home, at: date)))
            #expect(whereabouts.present?.number == 1)
            for case .left(_, let stay) in whereabouts.leave(at: date.addingTimeInterval(1_500)) { stays.append(stay) }
            guard step % 2 == 1 else { continue }
            whereabouts = Whereabouts(places: whereabouts.places, stays: stays, localTime: Self.utc)
        }
        // While the position was not watched, the user went elsewhere.
        let later = start.addingTimeInterval(86_400)
        #expect(try isArrival(go(&whereabouts, Self.work, at: later)))
        _ = whereabouts.leave(at: later.addingTimeInterval(1_800))
        // Seen on the way, the user comes back.
        let back = later.addingTimeInterval(7_200)
        _ = whereabouts.take(try position((48.1, 11.5), accuracy: 5_000), at: back)
        #expect(try isArrival(go(&whereabouts, Self.work, at: back.addingTimeInterval(600))))
    }

    @Test("A user whose first positions differ arrives")
    func firstArrival() throws {
        var whereabouts = Whereabouts(localTime: Self.utc)
        _ = whereabouts.take(try position(Self.work), at: start)
        let events = try go(&whereabouts, Self.home, at: start.addingTimeInterval(60))
        guard case .arrived = events.last else {
            Issue.record("no arrival")
            return
        }
    }

    @Test("Passing a place is not an arrival")

    func whoPassesArrivesNowhere() throws {
        var whereabouts = Whereabouts(localTime: Self.utc)
        for step in 0..<100 {
            let date = start.addingTimeInterval(Double(step) * 120)
            let events = whereabouts.take(try position((52.5 + Double(step) * 0.005, 13.4)), at: date)
            #expect(events == [] && whereabouts.present == nil)
        }
        #expect(whereabouts.places == [])
    }

    @Test("Home and work are recognised by their hours")

    func homeAndWorkAreKnownByTheirHours() throws {
        var whereabouts = Whereabouts(localTime: Self.utc)
        try week(&whereabouts, from: start, days: 2)
        #expect(whereabouts.places.map(\.word) == ["place-1", "place-2"])
        try week(&whereabouts, from: start.addingTimeInterval(48 * Self.hour), days: 3)
        #expect(whereabouts.places.map(\.word) == ["home", "work"])
        let arrival = try go(&whereabouts, Self.work, at: start.addingTimeInterval(200 * Self.hour)).last
        guard case .arrived(let place, _) = arrival else {
            Issue.record("no arrival")
            return
        }
        #expect(place.word == "work")
    }

    @Test("The places are learned again from the stays")

    func whatWasLearnedIsLearnedAgainFromTheStays() throws {
        var whereabouts = Whereabouts(localTime: Self.utc)
        var stays: [Stay] = []
        for day in 0..<5 {
            for (place, hour) in [(Self.home, 0.0), (Self.work, 9.0), (Self.home, 17.5)] {
                let date = start.addingTimeInterval((Double(day) * 24 + hour) * Self.hour)
                for case .left(_, let stay) in try go(&whereabouts, place, at: date) { stays.append(stay) }
            }
        }
        let again = Whereabouts(places: whereabouts.places.reversed(), stays: stays, localTime: Self.utc)
        #expect(again.places == whereabouts.places && again.places.map(\.word) == ["home", "work"])
    }

    @Test("A new home is recognised")

    func aMoveIsFollowed() throws {
        var whereabouts = Whereabouts(localTime: Self.utc)
        for day in 0..<30 {
            let place = day < 5 ? Self.home : (48.1, 11.5)
            let date = start.addingTimeInterval(Double(day) * 24 * Self.hour)
            _ = try go(&whereabouts, place, at: date)
            _ = try go(&whereabouts, Self.work, at: date.addingTimeInterval(9 * Self.hour))
        }
        #expect(
            whereabouts.places.first { $0.word == "home" }?.coordinate
                == (try Coordinate(latitude: 48.1, longitude: 11.5)))
    }

    @Test("Inaccurate positions give no place")

    func whatIsTooUnsureTellsNoPlace() throws {
        var whereabouts = Whereabouts(localTime: Self.utc)
        #expect(whereabouts.take(try position(Self.home, accuracy: 25_000), at: start) == [])
        #expect(whereabouts.deadline == nil)
        _ = try go(&whereabouts, Self.home, at: start)
        // The position is inaccurate, so it indicates no other place.
        let later = start.addingTimeInterval(7_200)
        #expect(whereabouts.take(try position(Self.work, accuracy: 25_000), at: later) == [])
        #expect(whereabouts.present != nil)
        #expect(whereabouts.take(try position((48.1, 11.5), accuracy: 25_000), at: later).count == 1)
        #expect(whereabouts.present == nil && whereabouts.deadline == nil)
    }

    @Test("A clock set back does not prevent arrivals")

    func aClockThatIsPutBackKeepsNobodyFromArriving() throws {
        var whereabouts = Whereabouts(localTime: Self.utc)
        _ = whereabouts.take(try position(Self.home), at: start)
        let before = start.addingTimeInterval(-86_400)
        #expect(whereabouts.advance(to: before) == [])
        #expect(whereabouts.deadline == before.addingTimeInterval(600))
        #expect(whereabouts.advance(to: before.addingTimeInterval(600)).count == 1)
        let stay = whereabouts.leave(at: before.addingTimeInterval(-1))
        guard case .left(_, let stay) = stay.first else {
            Issue.record("no end")
            return
        }
        #expect(stay.end == stay.begin)
    }

    @Test("The number of places is limited, and home is kept")

    func thereIsABoundAndHomeIsKept() throws {
        var random = SplitMix64(seed: 5)
        var whereabouts = Whereabouts(localTime: Self.utc)
        try week(&whereabouts, from: start)
        for day in 5..<200 {
            let date = start.addingTimeInterval(Double(day) * 24 * Self.hour)
            let place = (Double(Int.random(in: -80...80, using: &random)), Double(day % 170))
            _ = try go(&whereabouts, place, at: date)
        }
        #expect(whereabouts.places.count == Whereabouts.limit)
        #expect(whereabouts.places.contains { $0.word == "home" })
        #expect(Set(whereabouts.places.map(\.number)).count == Whereabouts.limit)
        #expect(whereabouts.places.allSatisfy { $0.coordinate == $0.coordinate.coarse })
    }
}
