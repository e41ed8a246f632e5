public import FoundationEssentials
internal import Localization

/// A reminder of something that the user looked at.
public struct Reminder: Hashable, Sendable {
    /// The title.
    public var title: String
    /// The date on which the user is reminded.
    public var date: Date
    /// The place, if it has one.
    public var place: MapItem?
    /// The address of the page that leads back to it, if there is one.
    public var webPageURL: String?

    /// The hour at which a reminder comes.
    private static let hour = 9

    /// Returns when to remind of something that the user looks at now: tomorrow, or on the day before it begins if that
    /// is later. `nil` if it begins before that.
    public static func date(before start: Date?, now: Date) -> Date? {
        let tomorrow = LocalDate(now: now).tomorrow(hour: hour)
        guard let start else { return tomorrow }
        let date = max(tomorrow, LocalDay(number: LocalDay(start).number - 1).date(hour: hour))
        return date < start ? date : nil
    }

    /// Creates a reminder.
    public init(title: String, date: Date, place: MapItem? = nil, webPageURL: String? = nil) {
        self.title = title
        self.date = date
        self.place = place
        self.webPageURL = webPageURL
    }
}
