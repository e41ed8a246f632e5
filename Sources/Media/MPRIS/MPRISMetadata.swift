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
    /// The title of a live stream is the name of its station, not of the current song.
    static func info(_ metadata: VariantMap, of kind: PlayerKind) -> NowPlayingInfo? {
        guard var info = info(metadata), !VideoCall.matches(info, of: kind) else { return nil }
        func words(_ key: String) -> String? {
            metadata[key].flatMap(text).map { cut($0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        let stream = LiveStream(
            info, streamTitle: words("rhythmbox:streamTitle"), song: words("vlc:nowplaying"), of: kind)
        guard let stream else { return info }
        // If the title is the station's name, the artist may be its owner.
        if stream.station != info.title { (info.artists, info.album) = ([], nil) }
        info.title = stream.station
        info.isLive = true
        return info
    }

    /// Returns a queue item or the unprocessed current item; `nil` if there is neither a title nor an address.
    static func info(_ metadata: VariantMap) -> NowPlayingInfo? {
        let url = metadata["xesam:url"].flatMap(text).flatMap(uri)
        let title = metadata["xesam:title"].flatMap(text).map { cut($0) } ?? ""
        guard !title.isEmpty || url != nil else { return nil }
        let art = metadata["mpris:artUrl"].flatMap(text).flatMap(uri)
        return NowPlayingInfo(
            title: self.title(title, of: url),
            artists: metadata["xesam:artist"].map(texts) ?? [],
            album: metadata["xesam:album"].flatMap(text).map { cut($0) },
            // A `data:` URI contains the whole picture and is too large to keep.
            artworkURL: art.flatMap { $0.hasPrefix("data:") ? nil : $0 },
            contentURL: url,
            trackIdentifier: metadata["mpris:trackid"].flatMap(text).flatMap(uri),
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

    private static func uri(_ text: String) -> String? {
        guard !text.isEmpty, text.utf8.count <= uriLimit, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            // Some players send plain paths with spaces. These cannot be distinguished from broken text.
            return nil
        }
        return text
    }

    /// Returns the title of an item. If the item has none, or only its file name, returns that name without the
    /// extension.
    private static func title(_ title: String, of url: String?) -> String {
        guard let url else { return title }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let part = path.split(separator: "/").last.map(String.init) ?? url
        let name = cut(PercentCoding.decode(part) ?? part)
        guard title.isEmpty || title == name else { return title }
        let isHost =
            path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first.map(String.init) == part
        guard !isHost, let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        let ending = name[dot...].dropFirst()
        let isFormat =
            (2...4).contains(ending.count) && ending.contains(where: \.isLetter)
            && ending.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isFormat ? String(name[..<dot]) : name
    }
}
