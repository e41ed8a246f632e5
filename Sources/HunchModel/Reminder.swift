public import FoundationEssentials

/// A reminder of something that the person looked at.
public struct Reminder: Hashable, Sendable {
    /// The title.
    public var title: String
    /// The date on which the person is reminded.
    public var date: Date
    /// The place, if it has one.
    public var place: MapItem?
    /// The address of the page that leads back to it, if there is one.
    public var webPageURL: String?

    /// Creates a reminder.
    public init(title: String, date: Date, place: MapItem? = nil, webPageURL: String? = nil) {
        self.title = title
        self.date = date
        self.place = place
        self.webPageURL = webPageURL
    }
}
