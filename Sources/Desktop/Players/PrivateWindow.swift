internal import DataFiles
internal import HunchModel

/// Detects what browsers report about media in a private window: a sentence in place of the title, and nothing else.
enum PrivateWindow {
    /// The tracks that Firefox and its forks report for anything.
    private static let tracks = Set(PlayerRow.known.compactMap(\.privateTrack))
    /// The short names of Firefox and its forks, which their sentences contain.
    private static let brands = PlayerRow.all(\.privateNames)
    /// The sentences of Firefox without the name, for a fork with another name.
    private static let phrases = PlayerRow.known.flatMap(\.privatePhrases)
    /// The sentences of Chromium.
    private static let titles = Set(PlayerRow.known.flatMap(\.privateTitles))

    /// Returns whether an item is that of a private window. The real title is not known then.
    ///
    /// - Parameter identity: the player's name, which the sentence contains.
    static func matches(_ info: NowPlayingInfo, of kind: PlayerKind, identity: String = "") -> Bool {
        guard info.artists.isEmpty, info.album == nil, info.contentURL == nil else { return false }
        if titles.contains(info.title) { return true }
        let isFirefox = info.trackIdentifier.map(tracks.contains) ?? false
        guard isFirefox || kind == .browser && info.trackIdentifier == nil else { return false }
        if phrases.contains(where: info.title.contains) { return true }
        let own = words(in: identity).intersection(brands)
        return !words(in: info.title).isDisjoint(with: own.isEmpty ? brands : own)
    }

    private static func words(in text: String) -> Set<String> {
        Set(text.lowercased().split { !$0.isASCII || !$0.isLetter }.map(String.init))
    }
}
