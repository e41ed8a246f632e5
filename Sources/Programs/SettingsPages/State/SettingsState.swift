public import CommandReports
public import AgentInterface
internal import FoundationEssentials
public import HunchModel

/// All that the pages show. The window fills it from the bus and from the command `hunch`.
public struct SettingsState: Hashable, Sendable {
    /// The agent, as the window knows it.
    public enum Agent: Hashable, Sendable {
        /// Not asked yet.
        case unknown
        /// The session bus cannot be reached.
        case noBus
        /// The session bus cannot start it.
        case notInstalled
        /// It is not running.
        case stopped
        /// It does not answer.
        case unresponsive
        /// It refuses this program.
        case refused(String)
        /// It answers.
        case running(AgentStatus)
    }

    /// The agent.
    public var agent = Agent.unknown
    /// Whether the agent was on since the window opened.
    public private(set) var wasEnabled = false
    /// The current suggestions.
    public var suggestions: [OfferedSuggestion] = []
    /// The suggestions of what is likely now, the likeliest first. They are among the current ones.
    public var likely: [OfferedSuggestion.ID] = []
    /// Their explanations, as far as they are known.
    public var explanations: [OfferedSuggestion.ID: SuggestionExplanation] = [:]
    /// The known devices.
    public var devices: [DeviceReport] = []
    /// The running players.
    public var players: [PlayerReport] = []
    /// The known routing apps.
    public var routingApps: [RoutingAppReport] = []
    /// The muted pairs.
    public var muted: [SuggestionPair] = []
    /// The scripts that may donate.
    public var scripts: [String] = []
    /// The number of days for which data is kept.
    public var retentionDays: UInt32 = 120
    /// Whether each optional category is recorded.
    public var categories: [String: Bool] = [:]
    /// The settings that are on.
    public var switchedOn: Set<UserSetting> = []

    /// The next appointments; empty unless calendars are read.
    public var appointments: [AppointmentReport] = []
    /// The apps that take part; `nil` until they are known.
    public var apps: [ParticipatingApp]?
    /// The earlier suggestions, the latest first; `nil` until it is known.
    public var recent: [PastSuggestion]?
    /// The quality of predictions; `nil` until it is known, and without a history.
    public var record: LearningRecord?
    /// The search for content of apps.
    public var finding = ContentSearch()
    /// The text that the user searches the history for.
    public var search = ""
    /// The actions that match; `nil` until they are known.
    public var actions: [RecordedAction]?
    /// The gazetteer; `nil` until it is known.
    public var gazetteer: GazetteerContent?
    /// The places that the user named, by their names; `nil` until they are known.
    public var ownPlaces: [String: MapItem]?
    /// The positions of the places that Hunch learned, by their names.
    public var learnedPlaces: [String: Coordinate] = [:]
    /// The installed browsers; `nil` until they are known.
    public var browsers: [BrowserReport]?
    /// Whether Hunch handles links to places; `nil` until it is known.
    public var handlesLinks: Bool?
    /// The allowed uses of the network; `nil` until it is known.
    public var online: OnlinePermissions?
    /// The map of an app's coverage; `nil` until it is drawn.
    public var coverage: CoverageMap?
    /// The recorded routes, the latest first; `nil` until they are known.
    public var routes: [RecordedRoute]?
    /// The names of the areas of routes, as far as they are known.
    public var areas: [RouteArea: String] = [:]

    /// The operations that run.
    public var operations: [Operation] = []

    /// Creates an empty state.
    public init() {}

    /// The status of the agent; `nil` if it does not answer.
    public var status: AgentStatus? { if case .running(let status) = agent { status } else { nil } }

    /// Returns the name of an app for people; its identifier if it is unknown.
    public func name(of application: AppID) -> String {
        apps?.first { $0.app == application }?.name
            ?? players.first { $0.application == application }?.identity
            ?? routingApps.first { [$0.id, $0.desktopID].contains(application) }?.name
            ?? application.rawValue
    }

    /// Returns the name of a device for people; its identifier if it is unknown.
    func name(of device: AudioDevice.ID) -> String { devices.first { $0.id == device }?.name ?? device.rawValue }

    /// Returns the operation of a kind that runs.
    public func operation(_ id: Operation.ID) -> Operation? { operations.first { $0.id == id } }
}

/// The map of an app's coverage.
public struct CoverageMap: Hashable, Sendable {
    /// The coverage feature.
    public var application: AppID
    /// An SVG document.
    public var svg: String

    /// Creates a map.
    public init(application: AppID, svg: String) { (self.application, self.svg) = (application, svg) }
}

/// Long work that shows its progress and can be stopped.
public struct Operation: Hashable, Sendable, Identifiable {
    /// The kinds of operations. One of each runs at a time.
    public enum ID: Hashable, Sendable {
        /// Importing places.
        case importPlaces
        /// Exporting the history.
        case export
        /// Forgetting, which rewrites the files.
        case forget
    }

    /// The kind.
    public var id: ID
    /// The progress, 0…1; `nil` if it is not known.
    public var fraction: Double?
    /// One line about the progress; empty for none.
    public var text: String

    /// Creates an operation.
    public init(_ id: ID, fraction: Double? = nil, text: String = "") {
        (self.id, self.fraction, self.text) = (id, fraction, text)
    }
}

extension SettingsState {
    /// Takes what the agent answered from another state, and keeps what the commands reported.
    public mutating func take(agentOf other: SettingsState) {
        (agent, suggestions, explanations) = (other.agent, other.suggestions, other.explanations)
        likely = other.likely
        wasEnabled = wasEnabled || other.status?.isEnabled == true
        (devices, players, routingApps) = (other.devices, other.players, other.routingApps)
        ownPlaces = other.ownPlaces
        (muted, scripts) = (other.muted, other.scripts)
        (retentionDays, categories, switchedOn) = (other.retentionDays, other.categories, other.switchedOn)
    }
}
