package import HunchModel

/// An estimate of the time that a route takes, from the distance alone.
///
/// The distance on roads is taken to be 1.4 times that of the great circle (Boscoe, Henry and Zdeb 2012: 1.417 for places in
/// the USA). The speeds are on the slow side, because leaving early costs less than arriving late:
///
/// | mode | speed | besides |
/// |---|---|---|
/// | on foot | 4.5 km/h | |
/// | bike | 14 km/h | 2 min |
/// | car, taxi | 25 km/h for the first 5 km, 45 km/h up to 25 km, then 90 km/h | 6 min to park |
/// | bus, train, … | 18 km/h for the first 25 km, then 60 km/h | 10 min to walk and wait |
package enum TravelEstimate {
    /// The ratio of the distance on roads to that of the great circle.
    private static let detour = 1.4
    /// The distances up to which people walk and cycle if nothing else is known, in metres: 2 and 10 km on roads.
    static let walkingDistance = 2_000 / detour
    static let cyclingDistance = 10_000 / detour
    /// The distance from which people fly, in metres.
    private static let flyingDistance = 150_000.0

    /// Returns the distances in metres for which a mode is usual.
    static func usualDistances(of mode: TransportMode) -> ClosedRange<Double> {
        switch mode {
        case .pedestrian: 0...walkingDistance
        case .bike: 0...cyclingDistance
        case .plane: flyingDistance...Double.infinity
        default: 0...Double.infinity
        }
    }

    /// Returns the modes that are usual for a distance in metres, out of the given ones.
    package static func usual(_ modes: Set<TransportMode>, for distance: Double) -> Set<TransportMode> {
        modes.filter { usualDistances(of: $0).contains(distance) }
    }

    /// Returns the distance on roads in metres.
    ///
    /// - Parameter distance: the distance of the great circle in metres.
    package static func road(_ distance: Double) -> Double { distance * detour }

    /// The least movement in metres after which the mode is chosen again.
    private static let leastMovement = 1_000.0

    /// Returns the position for which the mode of a route is chosen. A departure that was announced keeps its mode
    /// unless the user has moved by half of the distance.
    ///
    /// - Parameter former: the position for which it was chosen before, if it was.
    package static func outset(
        from position: Coordinate, to destination: Coordinate, after former: Coordinate?
    ) -> Coordinate {
        guard let former else { return position }
        let most = max(leastMovement, former.distance(to: destination) / 2)
        return former.distance(to: position) <= most ? former : position
    }

    /// Returns the time of a route in seconds.
    ///
    /// - Parameter distance: the distance of the great circle in metres, 0 or more.
    package static func seconds(for distance: Double, by mode: TransportMode) -> Double {
        let (legs, overhead) = speeds(of: mode)
        var rest = road(distance)
        var seconds = overhead
        for leg in legs {
            let length = min(rest, leg.metres)
            seconds += length / (leg.kilometresPerHour / 3.6)
            rest -= length
        }
        return seconds
    }

    /// Returns the mode that a user most likely uses for a distance in metres.
    ///
    /// - Parameter modes: the modes that may be used; empty for any.
    package static func mode(for distance: Double, among modes: Set<TransportMode>) -> TransportMode {
        func isPossible(_ mode: TransportMode) -> Bool { modes.isEmpty || modes.contains(mode) }
        if distance <= walkingDistance, isPossible(.pedestrian) { return .pedestrian }
        let others: [TransportMode] = [
            .car, .taxi, .rideShare, .train, .subway, .bus, .streetcar, .ferry, .bike, .pedestrian, .plane,
            .other,
        ]
        return others.first(where: isPossible) ?? .car
    }

    private typealias Leg = (metres: Double, kilometresPerHour: Double)

    private static func speeds(of mode: TransportMode) -> (legs: [Leg], overhead: Double) {
        switch mode {
        case .pedestrian: ([(.infinity, 4.5)], 0)
        case .bike: ([(.infinity, 14)], 120)
        case .car, .taxi, .rideShare, .other, .plane: ([(5_000, 25), (20_000, 45), (.infinity, 90)], 360)
        case .bus, .train, .subway, .streetcar, .ferry: ([(25_000, 18), (.infinity, 60)], 600)
        }
    }
}
