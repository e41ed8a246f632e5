public import FoundationEssentials

/// A media item or another action that an app recommends, even though the history has no evidence for it.
public struct Announcement: Hashable, Sendable, Codable {
    /// The lists of announcements that an app keeps.
    public enum List: String, CaseIterable, Hashable, Sendable, Codable {
        /// Items that come next and have not been played.
        case upcoming
        /// Items that are wanted at certain times, places or triggers.
        case relevant
    }

    /// The triggers that make an item relevant.
    public enum Trigger: Hashable, Sendable {
        /// A device of this kind becomes ready.
        case device(AudioDevice.Kind)
        /// The user starts, unlocks or wakes the session.
        case session(SessionEvent)
        /// The user launches the app.
        case launch
    }

    /// The app's identifier of the item.
    public var item: String
    /// The title that people see.
    public var title: String
    /// The kind of action; `nil` for playing the item.
    public var kind: Donation.Kind?
    /// The parameters of the action, if it has a kind.
    public var parameters: [String: String]?
    /// The app's kind of widget that shows the item. Hunch keeps it for programs that show widgets.
    public var widgetKind: String?
    /// Whether Hunch suggests only this app's upcoming items, and nothing else of the app, until they are played. One
    /// exclusive item makes the whole list exclusive.
    public var isExclusive: Bool
    /// The start of the relevant period; `nil` for now.
    public var from: Date?
    /// The end of the relevant period; `nil` for no end.
    public var until: Date?
    /// The trigger that makes the item relevant; `nil` for any device and, if the item has a place, for arriving there.
    public var trigger: Trigger?
    /// The place where the item is relevant; `nil` for anywhere.
    public var place: Coordinate?
    /// The radius around the place in metres; `nil` for ``defaultRadius``.
    public var radius: Double?
    /// The radius in metres if the app gives none.
    public static let defaultRadius = 200.0

    /// Creates an announcement.
    public init(
        item: String, title: String, kind: Donation.Kind? = nil, parameters: [String: String]? = nil,
        widgetKind: String? = nil, isExclusive: Bool = false, from: Date? = nil, until: Date? = nil,
        trigger: Trigger? = nil, place: Coordinate? = nil, radius: Double? = nil
    ) {
        self.item = item
        self.title = title
        self.kind = kind == .playMedia ? nil : kind
        self.parameters = parameters
        self.widgetKind = widgetKind
        self.isExclusive = isExclusive
        self.from = from
        self.until = until
        self.trigger = trigger
        self.place = place
        self.radius = radius
    }

    /// Whether it is about playing an item.
    public var isMedia: Bool { kind == nil }

    /// Returns whether the item is worth suggesting.
    ///
    /// - Parameters:
    ///   - current: the trigger that just happened; `nil` for arriving at a place.
    ///   - position: the position of the user; `nil` if unknown. An item with a place is then not relevant.
    public func isRelevant(at date: Date, when current: Trigger?, near position: Position?) -> Bool {
        if let from, date < from { return false }
        if let until, date >= until { return false }
        if let trigger {
            guard trigger == current else { return false }
        } else {
            switch current {
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
    /// Creates a trigger from the raw value of a device kind or session event, or from `launch`.
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

    /// The raw value: `headphones`, `car`, `unlock`, `launch`, …
    public var rawValue: String {
        switch self {
        case .device(let kind): kind.rawValue
        case .session(let event): event.rawValue
        case .launch: "launch"
        }
    }
}
