public import FoundationEssentials

/// Something worth offering now: what, with which app, why, and until when.
public struct Suggestion: Hashable, Sendable, Identifiable {
    /// What accepting it does.
    public enum Action: Hashable, Sendable {
        /// Ask the app to start an item that it prepared.
        case play(item: ContentItem.ID, info: NowPlayingInfo, context: PlaybackContext)
        /// Open a routing app at a destination.
        case openDirections(DirectionsLaunch)
        /// Call a number: a `tel:` URI (RFC 3966), for the app that the person's desktop hands such ones to.
        case call(uri: String)
        /// Do again what an app donated: open the app at it.
        case open(Donation)
    }

    /// The kind of a suggestion, by its word on the bus and in the history. The set is open: apps declare kinds of their own.
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
        /// Showing a reservation.
        public static let reservation = Kind(rawValue: "reservation")

        /// The word of the kind.
        public let rawValue: String

        /// Makes a kind of its word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Returns the kind of suggestions to repeat a donation; for a kind that an app declared, its own word.
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

    /// Identifies it on the bus: letters, digits and underscores.
    public let id: String
    /// What a person reads first.
    public var title: String
    /// What a person reads second.
    public var subtitle: String
    /// A local picture as a `file:` URI.
    public var artworkURL: String?
    /// The picture of the app as a `file:` URI, for where there is no other; `nil` when it is not known.
    public var iconURL: String?
    /// Desktop identifier of the app that would act, without `.desktop`.
    public var application: String
    /// What people call that app.
    public var applicationName: String
    /// Where the idea came from, for a person: "From Yelp".
    public var source: String
    /// How likely it is to be wanted, 0…1.
    public var score: Double
    /// Why this and why now.
    public var explanation: Explanation
    /// What was happening.
    public var context: Context
    /// When it stops being worth offering.
    public var expiry: Date
    /// What accepting it does.
    public var action: Action
    /// The donation that it was learned from; `nil` for one that has other reasons. It goes when that is deleted.
    public var origin: Donation?

    /// Makes a suggestion.
    public init(
        id: String, title: String, subtitle: String, artworkURL: String? = nil, application: String,
        applicationName: String, source: String, score: Double, explanation: Explanation, context: Context,
        expiry: Date,
        action: Action, origin: Donation? = nil
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
    }

    /// The device that got ready and that it is offered for; `nil` for any other suggestion.
    public var device: AudioDevice.ID? {
        guard let device = context.device, context.trigger == .device(device) else { return nil }
        return device
    }

    /// The device of ``device``, with its name and kind; `nil` where only its identifier is known.
    public var readyDevice: AudioDevice? {
        guard case .play(_, _, let playback) = action, let device, playback.device?.id == device else { return nil }
        return playback.device
    }

    /// Desktop identifier of the app that had on the screen what it is offered because of; `nil` for any other suggestion.
    public var activityApplication: String? {
        if case .activity(let application) = context.trigger { application } else { nil }
    }

    /// The kind of suggestion.
    public var kind: Kind {
        switch action {
        case .play: .media
        case .openDirections: .directions
        case .call: .call
        case .open(let donation): Kind(donation.kind)
        }
    }

    /// Whether it offers the same as another one, in whatever words.
    public func offersSame(as other: Suggestion) -> Bool {
        guard application == other.application else { return false }
        return switch (action, other.action) {
        case (.play(let item, _, _), .play(let otherItem, _, _)): item == otherItem
        case (.open(let donation), .open(let otherDonation)): donation.isEquivalent(to: otherDonation)
        default: action == other.action
        }
    }
}

/// How to open a routing app: by its desktop entry, or a web service by its address.
public struct DirectionsLaunch: Hashable, Sendable, Codable {
    /// Desktop identifier, without `.desktop`; `nil` for a web service, which the default browser opens.
    public var desktopID: String?
    /// The URI in the form that this app accepts.
    public var uri: String
    /// Identifiers of the apps that were handed the same request just before, and handed it back.
    public var tried: [String]

    /// Makes a launch.
    public init(desktopID: String?, uri: String, tried: [String] = []) {
        self.desktopID = desktopID
        self.uri = uri
        self.tried = tried
    }
}

/// What became of a suggestion.
public struct Engagement: Hashable, Sendable, Codable {
    /// The outcomes. Only those that follow `shown` say anything about the suggestion.
    public enum Outcome: String, CaseIterable, Hashable, Sendable, Codable {
        /// It reached the person.
        case shown
        /// The person took it.
        case accepted
        /// The person turned it down.
        case dismissed
        /// Its time passed.
        case expired
        /// It was taken but could not be carried out.
        case failed
    }

    /// The suggestion's identifier.
    public var suggestion: String
    /// Desktop identifier of the app.
    public var application: String
    /// The kind of the suggestion.
    public var kind: Suggestion.Kind
    /// What became of it.
    public var outcome: Outcome
    /// When.
    public var date: Date
    /// The circumstances in which it was made.
    public var context: Context

    /// Makes an engagement.
    public init(
        suggestion: String, application: String, kind: Suggestion.Kind, outcome: Outcome, date: Date, context: Context
    ) {
        self.suggestion = suggestion
        self.application = application
        self.kind = kind
        self.outcome = outcome
        self.date = date
        self.context = context
    }
}
