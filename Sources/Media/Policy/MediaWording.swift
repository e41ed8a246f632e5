package import HunchModel

/// The texts of media suggestions.
package enum MediaWording {
    /// Returns `Resume “Episode 41”` for a started item, `Play “…”` for a new one, `Listen to “Radio X”` for a live
    /// stream.
    package static func title(_ info: NowPlayingInfo) -> String {
        let verb = info.isLive ? "Listen to" : info.isBegun ? "Resume" : "Play"
        return "\(verb) “\(info.title)”"
    }

    /// Returns the artist, the app, and how far playback got: `The Show · Podcasts · 12 min left`.
    package static func subtitle(_ info: NowPlayingInfo, app: String) -> String {
        let artists = info.artists.joined(separator: ", ")
        return ([artists].filter { !$0.isEmpty } + [app] + [progress(info)].compactMap { $0 }).joined(separator: " · ")
    }

    /// Returns the progress of a started item: `12 min left`, `1 h 5 min left`, or `1:40 of 5:00` for items under ten
    /// minutes. `nil` for an item that was not started, is at its end, or has no length.
    package static func progress(_ info: NowPlayingInfo) -> String? {
        guard info.isBegun, let position = info.position, let length = info.length, position < length else {
            return nil
        }
        guard length >= 600_000_000 else { return "\(clock(position)) of \(clock(length))" }
        // Rounded up: 61 s are 2 min left.
        let minutes = (length - position - 1) / 60_000_000 + 1
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        let words = [hours > 0 ? "\(hours) h" : nil, rest > 0 || hours == 0 ? "\(rest) min" : nil]
        return words.compactMap { $0 }.joined(separator: " ") + " left"
    }

    /// Returns minutes and seconds: `1:40`.
    private static func clock(_ time: Int64) -> String {
        let (minutes, seconds) = (time / 1_000_000).quotientAndRemainder(dividingBy: 60)
        return "\(minutes):\(seconds < 10 ? "0" : "")\(seconds)"
    }
}
