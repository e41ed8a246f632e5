internal import HunchDBus
public import HunchModel

/// A media player, as `org.hunch.Media1.Players` reports it.
public struct PlayerReport: BusValue {
    /// The bus name.
    public var name = ""
    /// Whether it is the player to which a command without a player name applies.
    public var isActive = false
    /// The reason for its rank.
    public var rank = PlayerRank.stopped
    /// The name of the device in use; `nil` for the machine's own speakers.
    public var device: String?
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
        .key("name", \.name), .key("active", \.isActive), .key("reason", \.reason), .key("identity", \.identity),
        .key("app", \.application), .key("status", \.status), .key("title", \.title),
        .key("url", \.url), .key("responding", \.isResponding), .key("dropped", \.droppedChanges),
        .key("used-ago", \.usedAgo), .key("likelihood", \.likelihood), .key("device", \.device),
        .key("plays", \.plays), .key("all-plays", \.allPlays),
    ]

    private var reason: String {
        get {
            switch rank {
            case .plays: "playing"
            case .used: "used"
            case .usual: "usual"
            case .paused: "paused"
            case .stopped: "stopped"
            case .idleBrowser: "idleBrowser"
            case .soundless: "soundless"
            case .remote: "remote"
            case .silent: "silent"
            }
        }
        set {
            let ranks: [PlayerRank] = [
                .plays, .used(ago: .zero), .usual(0), .paused, .idleBrowser, .soundless, .remote, .silent,
            ]
            rank = ranks.first { PlayerReport(rank: $0).reason == newValue } ?? .stopped
        }
    }

    private var usedAgo: UInt64? {
        get { if case .used(let ago) = rank { UInt64(clamping: ago / .microseconds(1)) } else { nil } }
        set { if case .used = rank, let newValue { rank = .used(ago: .microseconds(Int64(clamping: newValue))) } }
    }

    private var likelihood: Double? {
        get { if case .usual(let likelihood, _) = rank { likelihood } else { nil } }
        set { if case .usual(_, let plays) = rank, let newValue { rank = .usual(newValue, plays: plays) } }
    }

    /// The recorded plays on the device in use: of its app, and of all.
    private var plays: UInt32? {
        get { share.map { UInt32(clamping: $0.count) } }
        set { if let newValue { share = Explanation.Share(count: Int(clamping: newValue), total: share?.total ?? 0) } }
    }
    private var allPlays: UInt32? {
        get { share.map { UInt32(clamping: $0.total) } }
        set { if let newValue { share = Explanation.Share(count: share?.count ?? 0, total: Int(clamping: newValue)) } }
    }
    private var share: Explanation.Share? {
        get { if case .usual(_, let plays) = rank { plays } else { nil } }
        set { if case .usual(let likelihood, _) = rank { rank = .usual(likelihood, plays: newValue) } }
    }

    private init(rank: PlayerRank) { self.rank = rank }
}
