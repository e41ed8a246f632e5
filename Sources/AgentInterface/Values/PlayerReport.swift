internal import HunchDBus
public import HunchModel

/// A media player, as `org.hunch.Media1.Players` reports it.
public struct PlayerReport: BusValue {
    /// The bus name.
    public var name = ""
    /// Whether it is the player to which a command without a player name applies.
    public var isActive = false
    /// The reason for its rank, in words.
    public var reason = ""
    /// The name for people.
    public var identity = ""
    /// The desktop identifier, without `.desktop`.
    public var application: AppID = ""
    /// `Playing`, `Paused` or `Stopped`.
    public var status = ""
    /// The title of the current item.
    public var title: String?
    /// The URL of the current item.
    public var url: String?
    /// Whether it answered the last call.
    public var isResponding = true
    /// The number of its changes that Hunch ignored because they were too many or too large.
    public var droppedChanges: UInt64?

    /// Creates a value with the defaults of all keys.
    public init() {}

    /// The keys.
    public static let keys: [BusKey<Self>] = [
        .key("name", \.name), .key("active", \.isActive), .key("why", \.reason), .key("identity", \.identity),
        .key("application", \.application), .key("status", \.status), .key("title", \.title),
        .key("url", \.url), .key("responding", \.isResponding), .key("dropped", \.droppedChanges),
    ]
}
