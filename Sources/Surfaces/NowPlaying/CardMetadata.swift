internal import HunchDBus
internal import HunchModel

/// What the card says of an item: the fields of MPRIS metadata that widgets show.
///
/// No length, since a bar that does not move looks broken; no address, since nobody but the app is to open it.
enum CardMetadata {
    private static let trackPrefix: ObjectPath = "/org/mpris/MediaPlayer2/offer"
    private static let textLimit = 240

    /// - Parameter fallbackArtwork: `file:` URI of what is shown of an item without a picture.
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
        let picture = suggestion.artworkURL.flatMap(LocalPicture.uri) ?? fallbackArtwork.flatMap(LocalPicture.uri)
        values["mpris:artUrl"] = picture.map(Value.string)
        return values
    }

    private static func text(_ text: String) -> String { DisplayText(text, limit: textLimit).text }
}
