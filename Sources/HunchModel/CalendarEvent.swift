public import FoundationEssentials

/// An event to save in a calendar: something with a time, and perhaps a place.
public struct CalendarEvent: Hashable, Sendable {
    /// The title.
    public var title: String
    /// The start.
    public var start: Date
    /// The end; `nil` if it is not known.
    public var end: Date?
    /// The place, if it has one.
    public var place: MapItem?
    /// The address of its web page, if it has one.
    public var webPageURL: String?

    /// Creates an event.
    public init(title: String, start: Date, end: Date? = nil, place: MapItem? = nil, webPageURL: String? = nil) {
        self.title = title
        self.start = start
        self.end = end
        self.place = place
        self.webPageURL = webPageURL
    }
}
