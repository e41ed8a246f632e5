/// The reason for a player's rank among the running players.
public enum PlayerRank: Hashable, Sendable {
    /// The player is playing.
    case plays
    /// The person last started, resumed or paused it this long ago.
    case used(ago: Duration)
    /// The probability that it is played on the device in use among the present players, 0…1.
    case usual(Double)
    /// The player is paused and could resume.
    case paused
    /// The player is stopped, or holds nothing.
    case stopped
    /// A browser that plays nothing.
    case idleBrowser
    /// The player did not answer the last request.
    case silent

    /// Returns the reason as one clause for a person.
    ///
    /// - Parameter device: the name of the device in use.
    public func words(device: String) -> String {
        switch self {
        case .plays: "it plays"
        case .used(let ago): "you used it \(Self.words(ago))"
        case .usual(let chance): "it is played on \(device) in \(Int(clamping: chance * 100)) of 100 cases"
        case .paused: "it is paused"
        case .stopped: "it is stopped"
        case .idleBrowser: "it is a browser that plays nothing"
        case .silent: "it does not answer"
        }
    }

    private static func words(_ ago: Duration) -> String {
        let minutes = ago.components.seconds / 60
        return switch minutes {
        case ..<1: "just now"
        case 1: "a minute ago"
        case ..<120: "\(minutes) minutes ago"
        case ..<2_880: "\(minutes / 60) hours ago"
        default: "\(minutes / 1_440) days ago"
        }
    }
}
