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

    /// What makes an item relevant when it happens.
    public enum Trigger: Hashable, Sendable {
        /// A device of a kind gets ready.
        case device(AudioDevice.Kind)
        /// The person comes to the computer.
        case session(SessionEvent)
        /// The person launches the app itself.
        case launch
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
    /// What makes it relevant; `nil`: any device, and where it has a place the arrival there.
    public var trigger: Trigger?
    /// Where it is relevant; `nil`: anywhere.
    public var place: Coordinate?
    /// Metres around the place; `nil`: ``defaultRadius``.
    public var radius: Double?
    /// Metres around a place of which no radius is told.
    public static let defaultRadius = 200.0

    /// Makes an announcement.
    public init(
        item: String, title: String, isExclusive: Bool = false, from: Date? = nil, until: Date? = nil,
        trigger: Trigger? = nil, place: Coordinate? = nil, radius: Double? = nil
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
    /// - Parameters:
    ///   - happening: what just happened; `nil` for an arrival somewhere.
    ///   - position: where the person is; `nil` where that is not known, and what is bound to a place is not relevant.
    public func isRelevant(at date: Date, when happening: Trigger?, near position: Position?) -> Bool {
        if let from, date < from { return false }
        if let until, date >= until { return false }
        if let trigger {
            guard trigger == happening else { return false }
        } else {
            switch happening {
            case .device: break
            case .session, .launch: return false
            case nil: guard place != nil else { return false }
            }
        }
        guard let place else { return true }
        return position?.isWithin(radius ?? Self.defaultRadius, of: place) ?? false
    }
}

extension Announcement.Trigger: RawRepresentable, Codable {
    /// Reads the word for a kind of device, for what happens to a session, or for a launch.
    public init?(rawValue: String) {
        if let kind = AudioDevice.Kind(rawValue: rawValue) {
            self = .device(kind)
        } else if let event = SessionEvent(rawValue: rawValue) {
            self = .session(event)
        } else if rawValue == Self.launch.rawValue {
            self = .launch
        } else {
            return nil
        }
    }

    /// The word: `headphones`, `car`, `unlock`, `launch`, …
    public var rawValue: String {
        switch self {
        case .device(let kind): kind.rawValue
        case .session(let event): event.rawValue
        case .launch: "launch"
        }
    }
}
