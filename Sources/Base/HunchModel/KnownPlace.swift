public import FoundationEssentials

/// A place where the user stays repeatedly.
public struct KnownPlace: Hashable, Sendable, Codable {
    /// The number that identifies the place while it is known, from 1.
    public var number: Int
    /// The coordinate, rounded to a thousandth of a degree (about 100 m).
    public var coordinate: Coordinate
    /// The word for the place: `home`, `work`, or `place-N` with its number.
    public var word: String
    /// The date of the first stay.
    public var date: Date

    /// Creates a place. The coordinate is rounded.
    public init(number: Int, coordinate: Coordinate, word: String, date: Date) {
        self.number = number
        self.coordinate = coordinate.coarse
        self.word = word
        self.date = date
    }
}

/// A stay of the user at a known place.
public struct Stay: Hashable, Sendable, Codable {
    /// The number of the place.
    public var place: Int
    /// The start of the stay.
    public var begin: Date
    /// The end of the stay, not before its start. Equals ``begin`` while the stay lasts.
    public var end: Date

    /// Creates a stay. An end before `begin` becomes `begin`.
    public init(place: Int, begin: Date, end: Date) {
        self.place = place
        self.begin = begin
        self.end = max(begin, end)
    }
}

extension Coordinate {
    /// The coordinate rounded to a thousandth of a degree: precise enough to recognize a stay, and no more precise.
    public var coarse: Coordinate {
        func rounded(_ degrees: Double) -> Double { (degrees * 1_000).rounded() / 1_000 }
        return (try? Coordinate(latitude: rounded(latitude), longitude: rounded(longitude))) ?? self
    }
}
