internal import HunchDBus
internal import HunchModel

/// Parses the `Metadata` of an MPRIS player, which may be late, mistyped, huge, or wrong.
///
/// Sources: the MPRIS metadata guidelines of freedesktop.org; observed messages of players for the odd types.
enum MPRISMetadata {
    /// The longest title, album or artist, in bytes of UTF-8. Longer text is truncated.
    static let textLimit = 512
    /// The longest URI, in bytes. A longer one is ignored.
    static let uriLimit = 4_096
    /// The most artists.
    static let artistLimit = 16

    /// The longest plausible length, in microseconds: 30 days. Browsers report live streams with the largest number.
    private static let lengthLimit: Int64 = 2_592_000_000_000

    /// Returns the current item of a player; `nil` for a video call, or if there is neither a title nor an address.
    ///
    /// The title of a live stream is the name of its station, not of the current song. It has no length.
    ///
    /// - Parameter clues: what earlier metadata of the item showed.
    static func info(
        _ metadata: VariantMap, of kind: PlayerKind, clues: StreamClues = StreamClues()
    ) -> NowPlayingInfo? {
        guard var info = info(metadata), !VideoCall.matches(info, of: kind) else { return nil }
        func words(_ key: String) -> String? {
            metadata[key].flatMap(text).map { cut($0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        let stream = LiveStream(
            info, streamTitle: words("rhythmbox:streamTitle"), song: words("vlc:nowplaying"), of: kind, clues: clues)
        guard let stream else { return info }
        // If the title is the station's name, the artist may be its owner.
        if stream.station != info.title { (info.artists, info.album) = ([], nil) }
        info.title = stream.station
        info.isLive = true
        info.length = nil
        return info
    }

    /// Returns a queue item or the unprocessed current item; `nil` if there is neither a title nor an
    /// album, artist or address to name it by.
    static func info(_ metadata: VariantMap) -> NowPlayingInfo? {
        let url = metadata["xesam:url"].flatMap(text).flatMap(uri)
        let told = metadata["xesam:title"].flatMap(text).map { cut($0) } ?? ""
        let artists = metadata["xesam:artist"].map(texts) ?? []
        let album = metadata["xesam:album"].flatMap(text).map { cut($0) }
        let title = cut(ItemTitle.title(told, album: album, artists: artists, of: url))
        guard !title.isEmpty else { return nil }
        let art = metadata["mpris:artUrl"].flatMap(text).flatMap(uri)
        return NowPlayingInfo(
            title: title, artists: artists, album: album,
            // A `data:` URI contains the whole picture and is too large to keep.
            artworkURL: art.flatMap { $0.hasPrefix("data:") ? nil : $0 },
            contentURL: url,
            trackIdentifier: metadata["mpris:trackid"].flatMap(text).flatMap(trackIdentifier),
            length: metadata["mpris:length"].flatMap(integer).flatMap { $0 < lengthLimit ? $0 : nil })
    }

    /// Returns a string. Accepts object paths too, because some players confuse the two types.
    static func text(_ value: Value) -> String? {
        switch value.unwrapped {
        case .string(let text): text
        case .objectPath(let path): path.text
        default: nil
        }
    }

    /// Returns a list of strings. Some players send a single string.
    private static func texts(_ value: Value) -> [String] {
        switch value.unwrapped {
        case .array(_, let items): items.lazy.compactMap(text).prefix(artistLimit).map { cut($0) }
        case .string(let text): [cut(text)]
        default: []
        }
    }

    /// Returns a number of any type.
    static func integer(_ value: Value) -> Int64? {
        switch value.unwrapped {
        case .int64(let number): number
        case .uint64(let number): Int64(exactly: number)
        case .int32(let number): Int64(number)
        case .uint32(let number): Int64(number)
        case .double(let number): Int64(exactly: number.rounded(.towardZero))
        default: nil
        }
    }

    /// Truncates at a character boundary, unless the first character is too long, and trims white space.
    private static func cut(_ text: String) -> String {
        let text = text.cut(toBytes: 8 * textLimit)
        var kept = ""
        var size = 0
        for character in text.drop(while: \.isWhitespace) {
            size += character.utf8.count
            if size > textLimit {
                if kept.isEmpty { kept = String(character).cut(toBytes: textLimit) }
                break
            }
            kept.append(character)
        }
        while kept.last?.isWhitespace == true { kept.removeLast() }
        return kept
    }

    private static func trackIdentifier(_ text: String) -> String? {
        text.utf8.count <= uriLimit && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } ? text : nil
    }

    private static func uri(_ text: String) -> String? {
        guard text.utf8.count <= uriLimit, let uri = LocalFile.repairedURI(text), !uri.isEmpty,
            uri.utf8.count <= uriLimit, uri.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        return uri
    }
}
