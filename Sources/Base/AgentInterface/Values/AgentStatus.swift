internal import HunchDBus
public import HunchModel

/// The state of the agent, as `org.hunch.Agent1.Status` reports it.
///
/// Values that reveal something about the user are absent for callers without permission.
public struct AgentStatus: BusValue {
    /// Whether the user switched Hunch on.
    public var isEnabled = false
    /// Whether the user paused Hunch.
    public var isPaused = false
    /// The end of the pause in microseconds since 1970 (UTC); `nil` without an end.
    public var pausedUntil: UInt64?
    /// The reason why nothing is recorded although Hunch is on.
    public var withheld: RecordingVeto?
    /// The version of the agent.
    public var version = ""
    /// The process identifier of the agent.
    public var processIdentifier: UInt32 = 0
    /// The states of what the parts of the agent watch or have, in the order in which people read them.
    public var parts: [PartReport] = []
    /// `confined`, `unsupported` or `failed`.
    public var files = ""
    /// `seen` or `hidden`.
    public var screen: String?
    /// The context besides the time and the device, by name.
    public var context: [String: String]?
    /// The trigger that happened last, if that was within the last minutes.
    public var trigger: String?
    /// The latitude of the user's position in degrees, −90…90.
    public var latitude: Double?
    /// The longitude of the user's position in degrees, −180…180.
    public var longitude: Double?
    /// The path of the history.
    public var history: String?
    /// The path to which the agent moved a damaged history.
    public var setAside: String?
    /// When a new history replaced one that was deleted or moved while it was in use, in microseconds since 1970 (UTC).
    public var renewed: UInt64?
    /// The number of donations in the history.
    public var donations: UInt64?
    /// The number of engagements in the history.
    public var engagements: UInt64?
    /// The number of suggestions in the history that Hunch made by itself.
    public var suggestions: UInt64?
    /// The number of answers to requests in the history, such as directions.
    public var answers: UInt64?
    /// The reasons why Hunch suggests nothing now.
    public var holds: [Hold]?
    /// The result of the last trigger of each kind, oldest first; `nil` for callers other than the user.
    public var outcomes: [TriggerReport]?
    /// When earlier results were dropped because the user forgot or excluded something, in microseconds since 1970 (UTC); `nil` if
    /// that has not happened since the start.
    public var outcomesSince: UInt64?
    /// The app or the folder whose exclusion dropped them; `nil` after forgetting.
    public var outcomesExcluded: AppID?
    /// The problems since the start that are not known to be solved, in words, newest last.
    public var problems: [String]?

    /// Creates a value with the defaults of all keys.
    public init() {}

    /// The keys.
    public static let keys: [BusKey<Self>] = [
        .key("enabled", \.isEnabled), .key("paused", \.isPaused), .key("paused-until", \.pausedUntil),
        .key("withheld", \.withheld), .key("version", \.version), .key("pid", \.processIdentifier),
        .key("parts", \.parts), .key("files", \.files), .key("screen", \.screen),
        .key("context", \.context), .key("trigger", \.trigger), .key("latitude", \.latitude),
        .key("longitude", \.longitude),
        .key("history", \.history), .key("set-aside", \.setAside), .key("renewed", \.renewed),
        .key("donations", \.donations),
        .key("engagements", \.engagements), .key("suggestions", \.suggestions), .key("answers", \.answers),
        .key("holds", \.holds), .key("outcomes", \.outcomes),
        .key("outcomes-since", \.outcomesSince), .key("outcomes-excluded", \.outcomesExcluded),
        .key("problems", \.problems),
    ]
}
