public import FoundationEssentials

/// A media item that an app says is worth offering, though nothing in the history says so.
public struct Announcement: Hashable, Sendable, Codable {
    /// The lists that an app keeps.
    public enum List: String, CaseIterable, Hashable, Sendable, Codable {
        /// What is next and was not heard yet.
        case upcoming
        /// What is wanted at a certain moment.
        case relevant
    }

    /// The app's identifier of the item.
    public var item: String
    /// What people call it.
    public var title: String
    /// Of upcoming items: whether nothing else of the app is to be offered while one of them was not played. One item's
    /// counts for all.
    public var isExclusive: Bool
    /// From when it is relevant; `nil`: from now on.
    public var from: Date?
    /// Until when it is relevant; `nil`: until it is taken back.
    public var until: Date?
    /// The kind of device that makes it relevant; `nil`: any.
    public var trigger: AudioDevice.Kind?
    /// Where it is relevant; `nil`: anywhere.
    public var place: Coordinate?
    /// Metres around the place.
    public var radius: Double?

    /// Makes an announcement.
    public init(
        item: String, title: String, isExclusive: Bool = false, from: Date? = nil, until: Date? = nil,
        trigger: AudioDevice.Kind? = nil, place: Coordinate? = nil, radius: Double? = nil
    ) {
        self.item = item
        self.title = title
        self.isExclusive = isExclusive
        self.from = from
        self.until = until
        self.trigger = trigger
        self.place = place
        self.radius = radius
    }

    /// Whether it is worth offering at a moment.
    ///
    /// What is bound to a place is not: where the person is, is not known yet.
    public func isRelevant(at date: Date, on kind: AudioDevice.Kind) -> Bool {
        if let from, date < from { return false }
        if let until, date >= until { return false }
        if let trigger, trigger != kind { return false }
        return place == nil
    }
}
