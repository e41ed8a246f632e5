internal import HunchModel
internal import Media

/// The words of media suggestions.
enum MediaWording {
    /// `Resume “Episode 41”` for an item that was begun, `Play “…”` for any other, `Listen to “Radio X”` for a live stream.
    static func title(_ info: NowPlayingInfo) -> String {
        let verb = info.isLive ? "Listen to" : info.isBegun ? "Resume" : "Play"
        return "\(verb) “\(info.title)”"
    }

    /// Artist and app.
    static func subtitle(_ info: NowPlayingInfo, app: String) -> String {
        ([info.artists.joined(separator: ", ")].filter { !$0.isEmpty } + [app]).joined(separator: " · ")
    }

    /// Why a player stands where it does among the others.
    static func words(_ reason: PlayerStanding.Reason, device: String) -> String {
        switch reason {
        case .plays: "it plays"
        case .touched(let ago): "you used it \(words(ago))"
        case .learned(let chance): "it is played on \(device) in \(Int((chance * 100).rounded())) of 100 cases"
        case .paused: "it is paused"
        case .stopped: "it is stopped"
        case .idleBrowser: "a browser that plays nothing comes after the others"
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
