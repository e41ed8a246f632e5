package import HunchModel
internal import Localization

/// The texts of media suggestions, in the language of the user.
package enum MediaWording {
    /// Returns `Resume “Episode 41”` for a started item, `Play “…”` for a new one, `Listen to “Radio X”` for a live
    /// stream.
    package static func title(_ info: NowPlayingInfo) -> String {
        if info.isLive { return localized("Listen to “%1”", info.title) }
        return info.isBegun ? localized("Resume “%1”", info.title) : localized("Play “%1”", info.title)
    }

    /// Returns the artist, the app, and how far playback got: `The Show · Podcasts · 12 min left`.
    package static func subtitle(_ info: NowPlayingInfo, app: String) -> String {
        let artists = info.artists.joined(separator: localized(", "))
        return ([artists].filter { !$0.isEmpty } + [app] + [progress(info)].compactMap { $0 }).joined(separator: " · ")
    }

    /// Returns the progress of a started item: `12 min left`, `1 h 5 min left`, or `1:40 of 5:00` for items under ten
    /// minutes. From 20 minutes on, in multiples of five. `nil` for an item that was not started, is at its end, or has no
    /// length.
    ///
    /// A position that only Hunch measured is marked: `about 12 min left`, or `from the start` if the player cannot go
    /// there.
    package static func progress(_ info: NowPlayingInfo) -> String? {
        if info.positionSource == .unreachable, (info.position ?? 0) > 5_000_000, !info.isFinished {
            return localized("from the start")
        }
        guard info.isBegun, let position = info.position, let length = info.length, position < length else {
            return nil
        }
        let isReckoned = info.positionSource != nil
        guard length >= 600_000_000 else {
            return isReckoned
                ? localizedIn("time", "about %1 of %2", position.clock, length.clock)
                : localizedIn("time", "%1 of %2", position.clock, length.clock)
        }
        let minutes = max(1, (length - position + 30_000_000) / 60_000_000)
        let rounded = minutes < 20 ? minutes : (minutes + 2) / 5 * 5
        let (hours, rest) = rounded.quotientAndRemainder(dividingBy: 60)
        return switch (isReckoned, hours, rest) {
        case (true, 0, _): localized("about %1 min left", rest)
        case (true, _, 0): localized("about %1 h left", hours)
        case (true, _, _): localized("about %1 h %2 min left", hours, rest)
        case (false, 0, _): localized("%1 min left", rest)
        case (false, _, 0): localized("%1 h left", hours)
        case (false, _, _): localized("%1 h %2 min left", hours, rest)
        }
    }
}
