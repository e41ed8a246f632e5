internal import HunchDBus
internal import HunchModel

/// What the card says of an item: the fields of MPRIS metadata that widgets show.
///
/// No address, since nobody but the app is to open it.
enum CardMetadata {
    private static let trackPrefix: ObjectPath = "/org/mpris/MediaPlayer2/offer"
    private static let textLimit = 240

    /// The picture is the item's, else its app's icon.
    ///
    /// - Parameter fallbackArtwork: `file:` URI of what is shown where neither is known.
    static func values(
        _ info: NowPlayingInfo, of suggestion: Suggestion, fallbackArtwork: String?
    ) -> VariantMap {
        let title = text(info.title)
        let artists = info.artists.map(text).filter { !$0.isEmpty }
        var values: VariantMap = [
            "xesam:title": .string(title.isEmpty ? Wording.title(suggestion.action) : title),
            // Widgets show nothing where there is none; whose it is says more than that.
            "xesam:artist": (artists.isEmpty ? [text(suggestion.applicationName)] : artists).dbusValue,
        ]
        if let track = try? trackPrefix.appending(suggestion.id) { values["mpris:trackid"] = track.dbusValue }
        if let album = info.album.map(text), !album.isEmpty { values["xesam:album"] = .string(album) }
        let pictures = [suggestion.artworkURL, suggestion.iconURL, fallbackArtwork]
        values["mpris:artUrl"] = pictures.lazy.compactMap { $0.flatMap(LocalPicture.uri) }.first.map(Value.string)
        values["mpris:length"] = info.length.map(Value.int64)
        return values
    }

    private static func text(_ text: String) -> String { DisplayText(text, limit: textLimit).text }
}
