public import FoundationEssentials

/// A place where the person stays again and again.
public struct KnownPlace: Hashable, Sendable, Codable {
    /// Tells it from others, for as long as it is known; from 1.
    public var number: Int
    /// The coordinate, rounded to a thousandth of a degree (about 100 m).
    public var coordinate: Coordinate
    /// The label: `home`, `work`, or `place-N` with its number.
    public var word: String
    /// The first stay.
    public var date: Date

    /// Makes a place. The coordinate is rounded.
    public init(number: Int, coordinate: Coordinate, word: String, date: Date) {
        self.number = number
        self.coordinate = coordinate.coarse
        self.word = word
        self.date = date
    }
}

/// That the person was at a place.
public struct Stay: Hashable, Sendable, Codable {
    /// Number of the place.
    public var place: Int
    /// The start.
    public var begin: Date
    /// The end, not before the start; equal to the start while it lasts.
    public var end: Date

    /// Makes a stay.
    public init(place: Int, begin: Date, end: Date) {
        self.place = place
        self.begin = begin
        self.end = max(begin, end)
    }
}

extension Coordinate {
    /// The same to a thousandth of a degree: as fine as a place to stay at has to be known, and no finer.
    public var coarse: Coordinate {
        func rounded(_ degrees: Double) -> Double { (degrees * 1_000).rounded() / 1_000 }
        return (try? Coordinate(latitude: rounded(latitude), longitude: rounded(longitude))) ?? self
    }
}
