internal import FoundationEssentials
public import HunchModel

// The JSON of the command `hunch` that the window reads.

/// An app that takes part: a line of `hunch apps --json`.
public struct ParticipatingApp: Hashable, Sendable, Codable {
    /// The desktop identifier.
    public var app: AppID
    /// The name for people.
    public var name: String
    /// Whether it is installed. Web services and scripts are not.
    public var installed = true
    /// The ways in which it takes part: `player`, `content`, `activities`, `donations`, `routing`.
    public var roles: [String] = []
    /// The number of its recorded actions.
    public var recorded = 0
    /// The number of recorded actions by kind.
    public var kinds: [String: Int] = [:]
    /// The date of the last one, as in an export.
    public var last: String?
    /// Whether it is excluded.
    public var excluded = false
    /// Whether it may read what other apps did.
    public var reader = false
    /// Whether it may read the places that the user looked at; `nil` if the user has not decided.
    public var places: Bool?
}

extension ParticipatingApp {
    /// Creates a report without roles and records.
    package init(_ app: AppID, name: String) { self.init(app: app, name: name) }
}

/// The numbers of what forgetting a time removes: the output of `hunch forget --since TIME --dry-run --json`.
public struct ForgettingCount: Hashable, Sendable, Decodable {
    private let counts: [String: Int]

    /// Creates a report.
    package init(_ counts: [String: Int]) { self.counts = counts }

    /// Reads a report.
    public init(from decoder: any Decoder) throws { counts = try [String: Int](from: decoder) }

    /// The recorded actions.
    public var actions: Int { counts["donations"] ?? 0 }
    /// The items that apps put into the search index.
    public var items: Int { counts["items"] ?? 0 }
    /// The items that the user imported, which stay.
    public var imported: Int { counts["imported"] ?? 0 }
    /// Everything else.
    public var others: Int { counts.values.reduce(0, +) - actions - items - imported }
}

/// An earlier suggestion: a line of `hunch history --suggestions --json`.
public struct PastSuggestion: Hashable, Sendable, Codable {
    /// The identifier.
    public var suggestion: String
    /// The desktop identifier of the app.
    public var app: AppID
    /// The name of the app for people.
    public var name: String
    /// The kind.
    public var kind: String
    /// The outcome: an `Engagement.Outcome`.
    public var outcome: String
    /// The date of the outcome, as in an export.
    public var date: String
    /// The occasion; `nil` if it is unknown.
    public var trigger: Trigger?
    /// Its title; `nil` if that is not kept or was forgotten.
    public var title: String?
    /// The device that was connected; `nil` if there was none.
    public var device: AudioDevice.ID?
}

extension PastSuggestion {
    /// Creates the report of a suggestion with its last outcome.
    ///
    /// - Parameter date: the date, as in an export.
    package init(_ engagement: Engagement, name: String, date: String) {
        self.init(
            suggestion: engagement.suggestion, app: engagement.application,
            name: name, kind: engagement.kind.rawValue, outcome: engagement.outcome.rawValue,
            date: date, trigger: engagement.context.trigger, title: engagement.item?.title,
            device: engagement.context.device)
    }
}

/// A recorded action: a line of `hunch history --json`.
public struct RecordedAction: Hashable, Sendable, Decodable {
    /// The desktop identifier of the app.
    public var app: AppID
    /// The name of the app for people.
    public var name: String
    /// The kind, such as `playMedia`.
    public var kind: String
    /// The action in words.
    public var summary: String
    /// The date, as in an export.
    public var date: String
    /// The identifier for deleting it: an `ActionRow`.
    public var id = ""
}

/// A recorded route: a line of `hunch history --kind getDirections --json`.
public struct RecordedRoute: Hashable, Sendable, Decodable {
    /// The desktop identifier of the app.
    public var app: AppID
    /// The name of the app for people.
    public var name: String
    /// The parameters: `mode`, and `latitude` and `longitude` of the destination in degrees.
    public var parameters: [String: String]

    /// The position of the destination; `nil` if it is not recorded.
    public var destination: Coordinate? {
        guard let latitude = parameters["latitude"].flatMap(Double.init),
            let longitude = parameters["longitude"].flatMap(Double.init)
        else { return nil }
        return try? Coordinate(latitude: latitude, longitude: longitude)
    }
}

/// The quality of predictions of the user's own history: `hunch report --output - --json`.
public struct LearningRecord: Hashable, Sendable, Decodable {
    /// The rates of a method.
    public struct Method: Hashable, Sendable, Decodable {
        /// The rates over all predicted events.
        public struct Rates: Hashable, Sendable, Decodable {
            /// The share of events for which the first candidate was the right one, 0…1.
            public var hr1: Double
            /// The share of events for which the right one was among the first three, 0…1.
            public var hr3: Double
        }
        /// The rates over all predicted events.
        public var micro: Rates
    }

    /// The number of predicted events.
    public var predicted: Int
    /// The methods by name. Hunch's own is `hunch`.
    public var methods: [String: Method]
}

/// The gazetteer: `hunch gazetteer status --json`.
public struct GazetteerContent: Hashable, Sendable, Codable {
    /// A source of places.
    public struct Source: Hashable, Sendable, Codable {
        /// The name.
        public var name: String
        /// The path of the imported file.
        public var file = ""
        /// The date of that file, as ISO 8601.
        public var fileDate = ""
        /// The number of places.
        public var placeCount: Int
        /// The number of houses.
        public var houseCount = 0
        /// The date of its import, as ISO 8601.
        public var importDate: String
        /// The licence; may be empty.
        public var licence = ""
        /// The attribution; may be empty.
        public var attribution = ""
        /// The number of skipped lines, after an import.
        public var skipped: Int?
    }

    /// The path of its file.
    public let path: String
    /// The sources.
    public let sources: [Source]
    /// The number of all places.
    public let placeCount: Int
    /// The number of all houses.
    public let houseCount: Int

    /// Creates content.
    public init(path: String = "", sources: [Source]) {
        (self.path, self.sources) = (path, sources)
        placeCount = sources.reduce(0) { $0 + $1.placeCount }
        houseCount = sources.reduce(0) { $0 + $1.houseCount }
    }
}

extension GazetteerContent.Source {
    /// Creates the report of a source.
    package init(
        name: String, file: String, fileDate: String, importDate: String, licence: String, attribution: String,
        placeCount: Int, houseCount: Int, skipped: Int?
    ) {
        self.init(
            name: name, file: file, fileDate: fileDate, placeCount: placeCount, houseCount: houseCount,
            importDate: importDate, licence: licence, attribution: attribution, skipped: skipped)
    }
}

/// A place with a name: a line of `hunch places list --json`.
public struct ListedPlace: Hashable, Sendable, Decodable {
    private struct Item: Hashable, Decodable {
        struct Position: Hashable, Decodable { let latitude, longitude: Double }
        let coordinate: Position?
    }

    /// The name, such as `home`.
    public let name: String
    /// Whether Hunch only learned it from where the user stays.
    public let learned: Bool
    private let place: Item

    /// The position; `nil` if it is not known.
    public var coordinate: Coordinate? {
        place.coordinate.flatMap { try? Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
    }
}

/// An installed browser: a line of `hunch browser status --json`.
public struct BrowserReport: Hashable, Sendable, Codable {
    /// The name for people.
    public var name: String
    /// The state of its connection to Hunch: `none`, `user`, `system` or `broken`.
    public var state: String
    /// The identifier, such as `firefox`.
    public var browser = ""
    /// Whether it is installed.
    public var present = true
    /// The path of the file that connects it; `nil` if there is no place for one.
    public var manifest: String?

    /// Whether it finds Hunch.
    public var isConnected: Bool { ["user", "system"].contains(state) }
}

extension BrowserReport {
    /// Creates the report of a browser.
    package init(browser: String, name: String, present: Bool, state: String, manifest: String?) {
        self.init(name: name, state: state, browser: browser, present: present, manifest: manifest)
    }
}

/// A use of the network that the user may allow.
public enum OnlineUse: String, CaseIterable, Hashable, Sendable {
    /// Looking up places that are not found on this machine.
    case places
    /// Following short links.
    case links
    /// Downloading covers of streaming players.
    case covers
    /// Exchanging the popularity of public content.
    case popularity
}

/// The allowed uses of the network: `hunch online status --json`.
public struct OnlinePermissions: Hashable, Sendable, Codable {
    /// Whether places may be looked up.
    public var enabled: Bool
    /// The address of the geocoding service.
    public var url: String
    /// Whether short links may be followed.
    public var links: Bool
    /// Whether covers may be downloaded.
    public var covers: Bool
    /// Whether popularity may be exchanged.
    public var popularity: Bool
    /// The address of the aggregator of popularity; `nil` if the user named none.
    public var aggregator: String?

    /// Creates permissions.
    package init(
        enabled: Bool, url: String, links: Bool, covers: Bool, popularity: Bool, aggregator: String?
    ) {
        (self.enabled, self.url, self.links, self.covers) = (enabled, url, links, covers)
        (self.popularity, self.aggregator) = (popularity, aggregator)
    }

    /// Returns whether a use is allowed.
    public func allows(_ use: OnlineUse) -> Bool {
        switch use {
        case .places: enabled
        case .links: links
        case .covers: covers
        case .popularity: popularity
        }
    }
}
