internal import HunchDBus
internal import HunchModel

/// The MPRIS metadata of the card: the fields that media widgets show.
///
/// It omits the item's URL, because only the suggested app may open it.
enum CardMetadata {
    private static let trackPrefix: ObjectPath = "/org/mpris/MediaPlayer2/offer"
    private static let textLimit = 240

    /// Returns the metadata. The picture is the item's, else its app's icon.
    ///
    /// - Parameter fallbackArtwork: the `file:` URI of the picture to show if there is neither.
    static func values(
        _ info: NowPlayingInfo, of suggestion: Suggestion, fallbackArtwork: String?
    ) -> VariantMap {
        let title = text(info.title)
        let artists = info.artists.map(text).filter { !$0.isEmpty }
        var values: VariantMap = [
            "xesam:title": .string(title.isEmpty ? Wording.title(suggestion.action) : title),
            // Widgets leave the artist empty if there is none. The app's name is more useful.
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
