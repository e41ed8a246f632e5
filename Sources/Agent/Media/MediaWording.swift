internal import HunchModel

/// The words of media suggestions.
enum MediaWording {
    /// `Resume “Episode 41”` for what was begun, `Play “…”` for what was not.
    static func title(_ info: NowPlayingInfo) -> String {
        let begun = (info.position ?? 0) > 5_000_000
        return "\(begun ? "Resume" : "Play") “\(info.title)”"
    }

    /// Artist and app.
    static func subtitle(_ info: NowPlayingInfo, app: String) -> String {
        ([info.artists.joined(separator: ", ")].filter { !$0.isEmpty } + [app]).joined(separator: " · ")
    }
}
