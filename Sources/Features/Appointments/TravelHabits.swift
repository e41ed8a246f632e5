package import HunchModel

/// The travel modes that a user uses, by the distance.
package struct TravelHabits: Sendable {
    /// Directions that the user opened.
    package struct Trip: Hashable, Sendable {
        /// The distance of the great circle in metres.
        let distance: Double
        /// The modes that the user asked for.
        let modes: Set<TransportMode>

        package init(distance: Double, by modes: Set<TransportMode>) {
            self.distance = distance
            self.modes = modes
        }
    }

    /// The number of trips from which their mode counts as usual.
    private static let usualTrips = 3
    /// The ends of the bands of distances in metres, the last of which has none.
    private static let bands = [
        TravelEstimate.walkingDistance, TravelEstimate.cyclingDistance, 50_000,
    ]
    /// The factor of the usual distances beyond which the start of a trip was certainly elsewhere.
    private static let mostUsual = 10.0

    private let trips: [Trip]

    package init(_ trips: [Trip]) {
        self.trips = trips.filter { trip in
            trip.modes.contains {
                trip.distance <= TravelEstimate.usualDistances(of: $0).upperBound * Self.mostUsual
            }
        }
    }

    /// Returns the modes by which the user usually covers a distance in metres; empty if that is not known.
    ///
    /// The trips of similar distances count. If there are too few, the others do, as far as their modes fit: cycling to
    /// the shop does not imply cycling to the next town.
    package func modes(for distance: Double) -> Set<TransportMode> {
        let band = Self.band(of: distance)
        if let usual = Self.usual(trips.filter { Self.band(of: $0.distance) == band }.map(\.modes)) {
            return usual
        }
        guard distance > TravelEstimate.walkingDistance else { return [] }
        let fitting = trips.map { TravelEstimate.usual($0.modes, for: distance) }
        return Self.usual(fitting.filter { !$0.isEmpty }) ?? []
    }

    private static func band(of distance: Double) -> Int { bands.count { $0 < distance } }

    /// Returns the modes of most trips; `nil` if there are none or too few.
    private static func usual(_ trips: [Set<TransportMode>]) -> Set<TransportMode>? {
        let counts = Dictionary(grouping: trips) { $0 }.mapValues(\.count)
        return counts.first { $0.value >= usualTrips && $0.value * 2 > trips.count }?.key
    }
}
