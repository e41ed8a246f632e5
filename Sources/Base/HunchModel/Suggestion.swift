public import FoundationEssentials

/// A suggestion: an action, its app, the reasons, and the expiry.
public struct Suggestion: Hashable, Sendable, Identifiable {
    /// The action that Hunch carries out if the user accepts the suggestion.
    public enum Action: Hashable, Sendable {
        /// Ask the app to start an item that it prepared.
        case play(item: ContentItem.ID, info: NowPlayingInfo, context: PlaybackContext)
        /// Open a routing app at a destination.
        case openDirections(DirectionsLaunch)
        /// Call a number: open a `tel:` URI (RFC 3966) in the desktop's default app for such links.
        case call(uri: String)
        /// Save an event: open it in the desktop's default app for calendar files.
        case save(CalendarEvent)
        /// Keep a reminder: in the desktop's task list, or in the desktop's default app for calendar files.
        case remind(Reminder)
        /// Open a web page in the desktop's default browser.
        case openPage(uri: String, PagePurpose)
        /// Repeat a donated action: open the app that donated it.
        case open(Donation)
    }

    /// The reason to open a web page.
    public enum PagePurpose: Hashable, Sendable {
        /// To join the call of an appointment.
        case join
        /// To check in for a flight.
        case checkIn
    }

    /// The kind of a suggestion. The set is open, because apps can declare kinds of their own.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// Playing something.
        public static let media = Kind(rawValue: "media")
        /// Opening a routing app.
        public static let directions = Kind(rawValue: "directions")
        /// Calling somebody.
        public static let call = Kind(rawValue: "call")
        /// Writing to somebody.
        public static let message = Kind(rawValue: "message")
        /// Opening an item.
        public static let item = Kind(rawValue: "item")
        /// Saving an event in a calendar.
        public static let event = Kind(rawValue: "event")
        /// Being reminded of something.
        public static let reminder = Kind(rawValue: "reminder")
        /// Joining the call of an appointment.
        public static let meeting = Kind(rawValue: "meeting")
        /// Showing a reservation.
        public static let reservation = Kind(rawValue: "reservation")

        /// The word for the kind on the bus and in the history.
        public let rawValue: String

        /// Creates a kind from its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates the kind of suggestions that repeat donations of a kind. The word for a kind that an app declared
        /// stays the same.
        public init(_ kind: Donation.Kind) {
            switch kind {
            case .playMedia: self = .media
            case .getDirections: self = .directions
            case .startCall: self = .call
            case .sendMessage: self = .message
            case .openItem: self = .item
            case .getReservationDetails: self = .reservation
            default: self.init(rawValue: kind.rawValue)
            }
        }
    }

    /// The identifier on the bus: letters, digits and underscores.
    public let id: String
    /// The title for people.
    public var title: String
    /// The subtitle for people.
    public var subtitle: String
    /// A local picture as a `file:` URI.
    public var artworkURL: String?
    /// The icon of the app as a `file:` URI, used without artwork; `nil` if it is not known.
    public var iconURL: String?
    /// The desktop identifier of the app that carries out the action, without `.desktop`.
    public var application: AppID
    /// The name of that app for people.
    public var applicationName: String
    /// The source for people: "From Yelp".
    public var source: String
    /// The confidence that the user wants it, 0…1.
    public var score: Double
    /// The explanation.
    public var explanation: Explanation
    /// The context in which it was made.
    public var context: Context
    /// The instant at which it expires.
    public var expiry: Date
    /// The action that accepting it carries out.
    public var action: Action
    /// The donation from which it was learned; `nil` if it has another cause. Deleting the donation withdraws the
    /// suggestion.
    public var origin: Donation?
    /// The place or the event that it is about; `nil` if it is about what an app does.
    public var subject: SuggestionSubject?
    /// The parameters of the donation to record when directions are opened or a call is begun: the destination, or whom the
    /// user calls. Empty for none.
    public var donation: [String: String]

    /// Creates a suggestion.
    public init(
        id: String, title: String, subtitle: String, artworkURL: String? = nil, application: AppID,
        applicationName: String, source: String, score: Double, explanation: Explanation, context: Context,
        expiry: Date,
        action: Action, origin: Donation? = nil, subject: SuggestionSubject? = nil, donation: [String: String] = [:]
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.artworkURL = artworkURL
        self.application = application
        self.applicationName = applicationName
        self.source = source
        self.score = score
        self.explanation = explanation
        self.context = context
        self.expiry = expiry
        self.action = action
        self.origin = origin
        self.subject = subject
        self.donation = donation
    }

    /// The device whose readiness triggered it; `nil` for other triggers.
    public var device: AudioDevice.ID? {
        guard let device = context.device, context.trigger == .device(device) else { return nil }
        return device
    }

    /// The device of ``device`` with its name and kind; `nil` if only its identifier is known.
    public var readyDevice: AudioDevice? {
        guard case .play(_, _, let playback) = action, let device, playback.device?.id == device else { return nil }
        return playback.device
    }

    /// The desktop identifier of the app whose activity triggered it; `nil` for other triggers.
    public var activityApplication: AppID? {
        if case .activity(let application) = context.trigger { application } else { nil }
    }

    /// The desktop identifier of the app whose data it shows: that of the activity, else the one that carries it out. `nil`
    /// for appointments, which belong to the user alone.
    public var revealedApplication: AppID? {
        context.trigger == .appointment ? nil : activityApplication ?? application
    }

    /// The kind of suggestion.
    public var kind: Kind {
        switch action {
        case .play: .media
        case .openDirections: .directions
        case .call: .call
        case .save: .event
        case .remind: .reminder
        case .openPage(_, .join): .meeting
        case .openPage(_, .checkIn): .reservation
        case .open(let donation): Kind(donation.kind)
        }
    }

    /// Returns whether both suggestions offer the same action of the same app, regardless of titles and other texts.
    public func offersSame(as other: Suggestion) -> Bool {
        guard application == other.application else { return false }
        return switch (action, other.action) {
        case (.play(let item, _, _), .play(let otherItem, _, _)): item == otherItem
        case (.open(let donation), .open(let otherDonation)): donation.isEquivalent(to: otherDonation)
        default: action == other.action
        }
    }
}

/// The launch of a routing app by its desktop entry, or of a web service by its address.
public struct DirectionsLaunch: Hashable, Sendable, Codable {
    /// Desktop identifier, without `.desktop`; `nil` for a web service, which the default browser opens.
    public var desktopID: AppID?
    /// The URI in the form that this app accepts.
    public var uri: String
    /// The identifiers of the apps that just received the same request and handed it back.
    public var tried: [AppID]

    /// Creates a launch.
    public init(desktopID: AppID?, uri: String, tried: [AppID] = []) {
        self.desktopID = desktopID
        self.uri = uri
        self.tried = tried
    }
}

/// The user's engagement with a suggestion.
public struct Engagement: Hashable, Sendable, Codable {
    /// The outcomes. Only outcomes after `shown` count for learning.
    public enum Outcome: String, CaseIterable, Hashable, Sendable, Codable {
        /// It was shown.
        case shown
        /// The user accepted it.
        case accepted
        /// The user dismissed it.
        case dismissed
        /// It expired without an answer.
        case expired
        /// The user closed it without an answer, perhaps together with other notifications.
        case closed
        /// It was accepted but failed.
        case failed
        /// It lost its reason before the user answered. If that was at once, no limit counts it.
        case withdrawn
        /// Another suggestion took its place before the user answered.
        case replaced

        /// Whether the user may still answer the suggestion of which this is the last outcome.
        public var leavesOpen: Bool { [.shown, .failed, .withdrawn, .replaced].contains(self) }
    }

    /// The suggestion's identifier.
    public var suggestion: String
    /// Desktop identifier of the app.
    public var application: AppID
    /// The kind of the suggestion.
    public var kind: Suggestion.Kind
    /// The outcome.
    public var outcome: Outcome
    /// The date.
    public var date: Date
    /// The context in which the suggestion was made.
    public var context: Context
    /// The place or the event that the suggestion was about; `nil` if there was none.
    public var subject: SuggestionSubject?
    /// Whether the suggestion answered a request, so that it counts towards no limit.
    public var wasRequested: Bool
    /// Whether it is a dismissal that no longer counts, because the user unmuted the pair.
    public var isPardoned = false
    /// The content that the suggestion named; `nil` if that is not known, not kept or forgotten. It is recorded once for
    /// a suggestion.
    public var item: SuggestedItem?

    /// Creates an engagement.
    public init(
        suggestion: String, application: AppID, kind: Suggestion.Kind, outcome: Outcome, date: Date, context: Context,
        subject: SuggestionSubject? = nil, wasRequested: Bool = false, item: SuggestedItem? = nil
    ) {
        self.suggestion = suggestion
        self.application = application
        self.kind = kind
        self.outcome = outcome
        self.date = date
        self.context = context
        self.subject = subject
        self.wasRequested = wasRequested
        self.item = item
    }
}
