public import FoundationEssentials

/// A media item that an app announces as worth suggesting, without evidence in the history.
public struct Announcement: Hashable, Sendable, Codable {
    /// The lists of announcements of an app.
    public enum List: String, CaseIterable, Hashable, Sendable, Codable {
        /// Items that come next and were not heard yet.
        case upcoming
        /// Items that are relevant at a trigger, a time or a place.
        case relevant
    }

    /// The trigger at which an item is relevant.
    public enum Trigger: Hashable, Sendable {
        /// A device of a kind becomes ready.
        case device(AudioDevice.Kind)
        /// The person comes to the computer.
        case session(SessionEvent)
        /// The person launches the app itself.
        case launch
    }

    /// The app's identifier of the item.
    public var item: String
    /// The title for people.
    public var title: String
    /// For upcoming items: whether to suggest nothing else of the app until they were played. One such item counts
    /// for all.
    public var isExclusive: Bool
    /// The start of its relevance; `nil` for now.
    public var from: Date?
    /// The end of its relevance; `nil` until it is taken back.
    public var until: Date?
    /// The trigger; `nil` for any device and, if it has a place, for the arrival there.
    public var trigger: Trigger?
    /// The place where it is relevant; `nil` for anywhere.
    public var place: Coordinate?
    /// The radius around the place in metres; `nil` for ``defaultRadius``.
    public var radius: Double?
    /// The default radius around a place, in metres.
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

    /// Returns whether the item is relevant at an instant.
    ///
    /// - Parameters:
    ///   - happening: the trigger; `nil` for an arrival.
    ///   - position: the person's position; `nil` if it is unknown, in which case items with a place are not relevant.
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
