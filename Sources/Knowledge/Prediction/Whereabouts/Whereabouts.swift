public import FoundationEssentials
public import HunchModel

/// Learns the places where a user stays, and which of them are home and work, from successive positions.
///
/// Positions within 300 m of a place belong to it. A spot becomes a place after a stay of ten minutes, so that streets
/// on a route do not count. Home is the place with the most time between 20:00 and 8:00. Work is the place with the
/// most time from Monday to Friday between 9:00 and 17:00. Both need at least six hours and three stays. Bounded to 50
/// places: the one left longest ago is dropped, except home and work. The same positions give the same places.
public struct Whereabouts: Sendable {
    /// The begin or the end of a stay.
    public enum Event: Hashable, Sendable {
        /// The user arrived at a place, and the stay has begun.
        case arrived(KnownPlace, Stay)
        /// A stay has begun at a place that the user, as far as is known, had not left before.
        case found(KnownPlace, Stay)
        /// The user left a place, and the stay has ended.
        case left(KnownPlace, Stay)
    }

    /// Returns the local hour, 0…23, and weekday, 1 (Sunday) … 7, of a date.
    public typealias LocalTime = @Sendable (Date) -> (hour: Int, weekday: Int)

    /// The maximum number of places that are known.
    public static let limit = 50
    /// The radius of a place, in metres.
    static let radius = 300.0
    /// The time at a known place before it counts as an arrival, in seconds. Passing by is not an arrival.
    static let arrivalTime = 60.0
    /// The time at another spot before it becomes a place, in seconds.
    static let newPlaceTime = 600.0
    /// The largest accuracy radius of a usable position, in metres.
    static let leastAccuracy = 1_000.0

    private enum State: Sendable {
        case nowhere
        case pausing(Position, since: Date)
        case staying(Int, since: Date)
    }

    /// The place from which the user may have come.
    private enum Origin: Sendable {
        /// No earlier place or position is known.
        case unknown
        /// The place of the last stay, which the user has not left as far as is known.
        case place(Int)
        /// Anywhere other than the current position.
        case elsewhere
    }

    /// The places, by number.
    public private(set) var places: [KnownPlace]
    private var habits: StayHabits
    private var state = State.nowhere
    private var origin: Origin

    /// Restores what was learned before.
    ///
    /// - Parameters:
    ///   - stays: The stays at these places, in chronological order.
    ///   - localTime: The user's clock.
    public init(places: [KnownPlace] = [], stays: [Stay] = [], localTime: @escaping LocalTime) {
        self.places = places.sorted { $0.number < $1.number }
        habits = StayHabits(localTime: localTime)
        origin = stays.last.map { .place($0.place) } ?? .unknown
        for stay in stays { habits.add(stay) }
        name()
    }

    /// The place where the user stays now; `nil` while travelling or unknown.
    public var present: KnownPlace? {
        guard case .staying(let number, _) = state else { return nil }
        return place(number)
    }

    /// The date at which to call ``advance(to:)``; `nil` if there is nothing to wait for.
    public var deadline: Date? {
        guard case .pausing(let position, let since) = state else { return nil }
        return since.addingTimeInterval(known(at: position) == nil ? Self.newPlaceTime : Self.arrivalTime)
    }

    /// Updates the user's position.
    public mutating func take(_ position: Position, at date: Date) -> [Event] {
        // The radius for leaving is larger than for arriving, so that a user at the edge does not come and go.
        let reach = Self.radius * 1.5 + max(0, position.accuracy - Self.leastAccuracy)
        if case .place(let number) = origin, let place = place(number), !position.isWithin(reach, of: place.coordinate)
        {
            origin = .elsewhere
        }
        switch state {
        case .staying(let number, _):
            if let place = place(number), position.isWithin(reach, of: place.coordinate) { return [] }
        case .pausing(let former, _):
            if former.isWithin(Self.radius, of: position.coordinate) { return advance(to: date) }
            if case .unknown = origin { origin = .elsewhere }
        case .nowhere: break
        }
        let events = leave(at: date)
        state = position.accuracy <= Self.leastAccuracy ? .pausing(position, since: date) : .nowhere
        return events
    }

    /// Advances the time while the position stays the same.
    public mutating func advance(to date: Date) -> [Event] {
        guard case .pausing(let position, let since) = state, let deadline else { return [] }
        if date < since {
            // The clock was set back.
            state = .pausing(position, since: date)
            return []
        }
        guard date >= deadline else { return [] }
        let place = known(at: position) ?? learn(position.coordinate, since)
        state = .staying(place.number, since: since)
        defer { origin = .place(place.number) }
        let stay = Stay(place: place.number, begin: since, end: since)
        if case .elsewhere = origin { return [.arrived(place, stay)] }
        return [.found(place, stay)]
    }

    /// Ends the current stay because the position is no longer known.
    public mutating func leave(at date: Date) -> [Event] {
        defer { state = .nowhere }
        guard case .staying(let number, let since) = state else { return [] }
        let stay = Stay(place: number, begin: since, end: date)
        habits.add(stay)
        name()
        return place(number).map { [.left($0, stay)] } ?? []
    }

    private func place(_ number: Int) -> KnownPlace? { places.first { $0.number == number } }

    /// Returns the nearest place whose radius contains a position.
    private func known(at position: Position) -> KnownPlace? {
        places.filter { position.isWithin(Self.radius, of: $0.coordinate) }.min {
            let (one, other) = (
                position.coordinate.distance(to: $0.coordinate), position.coordinate.distance(to: $1.coordinate)
            )
            return (one, $0.number) < (other, $1.number)
        }
    }

    private mutating func learn(_ coordinate: Coordinate, _ date: Date) -> KnownPlace {
        if places.count >= Self.limit {
            let oldest = places.filter { $0.word == Self.word($0.number) }.min {
                (habits.last($0.number) ?? $0.date, $0.number) < (habits.last($1.number) ?? $1.date, $1.number)
            }
            if let oldest {
                places.removeAll { $0.number == oldest.number }
                habits.remove(oldest.number)
            }
        }
        let number = (places.map(\.number).max() ?? 0) + 1
        let place = KnownPlace(number: number, coordinate: coordinate, word: Self.word(number), date: date)
        places.append(place)
        return place
    }

    private static func word(_ number: Int) -> String { "place-\(number)" }

    /// Assigns "home" and "work" to the places.
    private mutating func name() {
        let home = habits.home(among: places.map(\.number))
        let work = habits.work(among: places.map(\.number).filter { $0 != home })
        for index in places.indices {
            let number = places[index].number
            places[index].word = number == home ? "home" : number == work ? "work" : Self.word(number)
        }
    }
}
