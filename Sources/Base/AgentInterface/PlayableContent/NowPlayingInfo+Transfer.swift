public import HunchDBus
public import HunchModel

// Now-playing info as `a{sv}`; the keys are described in org.hunch.PlayableContent1.xml.

extension NowPlayingInfo {
    /// The largest number of artists.
    private static let artistLimit = 64

    private enum Key {
        static let artist = "xesam:artist"
        static let album = "xesam:album"
        static let url = "xesam:url"
        static let trackID = "mpris:trackid"
        static let length = "mpris:length"
        static let position = "position"
        static let item = "item"
    }

    /// Reads now-playing info. Unknown keys are ignored.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` for a key of the wrong type or a missing title, `…LimitsExceeded` for
    ///   too long texts or too many artists. The message names the key.
    public init(transfer map: VariantMap) throws(DBusError) {
        let artists: [String] = try map.value(Key.artist) ?? []
        guard artists.count <= Self.artistLimit else {
            throw DBusError(.limitsExceeded, "“\(Key.artist)” must have at most \(Self.artistLimit) entries")
        }
        for artist in artists { try VariantMap.checkContent(artist, Key.artist) }
        let track: ObjectPath? = try map.value(Key.trackID)
        let item: String? = try map.value(Key.item)
        if let item { try ContentItem.check(identifier: item) }
        self.init(
            title: try map.contentTitle(), artists: artists, album: try map.contentText(Key.album),
            artworkURL: try map.contentText(ContentKey.artURL), contentURL: try map.contentText(Key.url),
            trackIdentifier: track?.text, length: try map.value(Key.length), position: try map.value(Key.position),
            item: item)
    }

    /// Reads the reply to `InitializePlaybackQueue`.
    ///
    /// - Parameter isChoice: whether the app chose the item.
    /// - Throws: like ``init(transfer:)``, and ``DBusError`` `…InvalidArgs` if the app chose and the reply names no item.
    public init(transfer map: VariantMap, isChoice: Bool) throws(DBusError) {
        try self.init(transfer: map)
        guard !isChoice || item != nil || contentURL != nil else {
            throw DBusError(.invalidArgs, "“\(Key.item)” is missing; name the item that the app chose")
        }
    }

    /// The info with the same keys. Unknown values are left out.
    public var transfer: VariantMap {
        var map: VariantMap = [ContentKey.title: .string(title)]
        if !artists.isEmpty { map[Key.artist] = artists.dbusValue }
        map[Key.album] = album.map(Value.string)
        map[ContentKey.artURL] = artworkURL.map(Value.string)
        map[Key.url] = contentURL.map(Value.string)
        map[Key.trackID] = trackIdentifier.flatMap { try? ObjectPath($0) }.map(Value.objectPath)
        map[Key.length] = length.map(Value.int64)
        map[Key.position] = position.map(Value.int64)
        map[Key.item] = item.map(Value.string)
        return map
    }
}
