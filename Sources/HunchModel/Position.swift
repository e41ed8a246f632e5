/// The position of the person, as far as it is known.
public struct Position: Hashable, Sendable {
    /// The middle.
    public var coordinate: Coordinate
    /// Metres around the middle within which the person is; not negative.
    public var accuracy: Double

    /// The part of the inaccuracy that counts, in metres: a person somewhere in a town is not at every place in it.
    private static let tolerance = 500.0

    /// Makes a position.
    public init(coordinate: Coordinate, accuracy: Double) {
        self.coordinate = coordinate
        self.accuracy = max(accuracy, 0)
    }

    /// Whether the person may be within so many metres of a place; an inaccuracy beyond 500 m counts as 500 m.
    public func isWithin(_ metres: Double, of place: Coordinate) -> Bool {
        coordinate.distance(to: place) <= metres + min(accuracy, Self.tolerance)
    }
}
