public import FoundationEssentials
internal import Localization

/// An event of a calendar, or a reservation: something with a time, and perhaps a place.
public struct CalendarEvent: Hashable, Sendable {
    /// The title.
    public var title: String
    /// The start.
    public var start: Date
    /// The end; `nil` if it is not known.
    public var end: Date?
    /// Whether it lasts whole days, so that its start is not a time of day.
    public var isAllDay: Bool
    /// The place, if it has one.
    public var place: MapItem?
    /// The address of its web page, if it has one.
    public var webPageURL: String?
    /// The address at which the user joins its call, if it has one.
    public var meetingURL: String?
    /// The type of the reservation in schema.org, such as `FlightReservation`; `nil` if the user reserved nothing.
    public var reservation: String?
    /// An identifier of the booking that stays the same when its time changes, such as a digest of its number; `nil` if it
    /// is not known.
    public var booking: String?
    /// A digest of the identifier of the series to which it belongs; `nil` for a single event.
    public var series: String?
    /// A digest of the identifier that its calendar gives this occurrence, which stays the same when title, time and place
    /// change; `nil` if it has none.
    public var occurrence: String?

    /// The name of the zone of its start as the calendar has it, if it is unknown, so that the start is on the local
    /// clock; `nil` for a known zone.
    public var unknownZone: String?

    /// Returns the start in words, such as “tomorrow, 20:00”, or its day if it lasts whole days, with the doubt about it.
    public func startWords(now: Date) -> String {
        let isMidnight = { (date: Date) in LocalDay(date).date(hour: 0) == date }
        // Pages write whole days as midnight to midnight.
        let isDay = isAllDay || isMidnight(start) && end.map(isMidnight) != false
        let words =
            isDay ? localized("%1, all day", LocalDay(start).words) : LocalDate(now: now).moment(start)
        return doubt.map { "\(words) (\($0))" } ?? words
    }

    /// The doubt about the time in a few words; `nil` if its zone is known.
    public var doubt: String? { unknownZone.map { localized("the time zone “%1” is not known", $0) } }

    /// Creates an event.
    public init(
        title: String, start: Date, end: Date? = nil, isAllDay: Bool = false, place: MapItem? = nil,
        webPageURL: String? = nil, meetingURL: String? = nil, reservation: String? = nil,
        booking: String? = nil
    ) {
        self.title = title
        self.start = start
        self.end = end
        self.isAllDay = isAllDay
        self.place = place
        self.webPageURL = webPageURL
        self.meetingURL = meetingURL
        self.reservation = reservation
        self.booking = booking
    }

    /// The time in seconds by which a reservation may move. Two journeys with the same connection are about a day apart.
    private static let longestMove = 18 * 3_600.0
    /// The types of reservations of which a booking has only one.
    private static let singles: Set<String> = ["FoodEstablishmentReservation", "LodgingReservation"]

    /// Returns whether another reservation is a version of this one with another time.
    ///
    /// A journey there and back, or a ticket for several days, has one booking. So other than tables and rooms must be close
    /// to each other.
    public func replaces(_ other: CalendarEvent) -> Bool {
        guard let booking, let reservation, booking == other.booking, reservation == other.reservation,
            title == other.title, start != other.start
        else { return false }
        let move = start.timeIntervalSince(other.start).magnitude
        return Self.singles.contains(reservation) || move < Self.longestMove
    }

    /// Returns whether another event may be the same one from another source: no property that both have differs. Two
    /// teams may have a “Stand-up” at nine.
    public func isCopy(of other: CalendarEvent) -> Bool {
        func agree(_ one: String?, _ two: String?) -> Bool { one == nil || two == nil || one == two }
        return identifier == other.identifier && agree(meetingURL, other.meetingURL)
            && (place == nil || other.place == nil || place == other.place)
    }

    /// The identifier. The same event from several sources has the same one: it depends on title and start only.
    public var identifier: String { StableHash("\(title)\n\(start.timeIntervalSince1970)".utf8).digits }
}
