internal import FoundationEssentials
internal import Localization

/// The place or the event that a suggestion is about.
///
/// A refusal counts for the subject, and not for other places of the same page or for the app that would have opened it.
public struct SuggestionSubject: Hashable, Sendable, Codable {
    /// The maximum length of a name, in bytes of UTF-8.
    public static let nameLimit = 256
    /// The number of steps in a degree to which a coordinate is rounded: a step is about a hundred metres.
    private static let steps = 1_000.0

    /// The prefix of the names of events.
    private static let event = "event:"

    /// The name of the place, or a digest of the event, because calendars are not stored.
    public let name: String
    /// The rounded coordinate of the place; `nil` for an event, and for a place without a coordinate.
    public let coordinate: Coordinate?

    /// Creates a subject as it was stored or sent.
    public init(name: String, coordinate: Coordinate?) {
        self.name = name.cut(toBytes: Self.nameLimit)
        self.coordinate = coordinate
    }

    /// Creates the subject of an event: its series.
    ///
    /// Some calendars write each event of a series as a single one. So single events with the same title, day of the week and
    /// time of day are one series. Two meetings that only share a title are not.
    public init(_ event: CalendarEvent) {
        let day = LocalDay(event.start)
        let time = "\(day.number - day.monday.number) \(event.start.timeIntervalSince(day.date(hour: 0)))"
        self.init(
            name: Self.event + (event.series ?? StableHash("\(event.title)\n\(time)".utf8).digits), coordinate: nil)
    }

    /// Whether it is an event.
    public var isEvent: Bool { name.hasPrefix(Self.event) }

    /// The subject in the language of the user. It does not distinguish events.
    public var words: String { isEvent ? localized("an appointment") : name }

    /// Creates the subject of a place; `nil` if the place has neither words nor a coordinate.
    public init?(_ place: MapItem) {
        let position = place.coordinate.flatMap {
            try? Coordinate(
                latitude: ($0.latitude * Self.steps).rounded() / Self.steps,
                longitude: ($0.longitude * Self.steps).rounded() / Self.steps)
        }
        let words = place.name ?? place.address?.singleLine ?? place.query
        guard let name = words ?? position.map({ "\($0.latitude), \($0.longitude)" }) else { return nil }
        self.init(name: name, coordinate: position)
    }
}
