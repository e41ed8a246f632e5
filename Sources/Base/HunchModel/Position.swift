/// The estimated position of the user.
public struct Position: Hashable, Sendable {
    /// The center of the estimate.
    public var coordinate: Coordinate
    /// The radius around the center in metres within which the user is; not negative.
    public var accuracy: Double

    /// The largest accuracy radius that counts, in metres. A user somewhere in a town is not near every place in it.
    private static let tolerance = 500.0

    /// Creates a position. A negative accuracy becomes 0.
    public init(coordinate: Coordinate, accuracy: Double) {
        self.coordinate = coordinate
        self.accuracy = max(accuracy, 0)
    }

    /// Returns whether the user may be within `metres` of a place. An accuracy radius beyond 500 m counts as 500 m.
    public func isWithin(_ metres: Double, of place: Coordinate) -> Bool {
        coordinate.distance(to: place) <= metres + min(accuracy, Self.tolerance)
    }
}
