internal import HunchDBus
internal import HunchModel

/// Reads the `Metadata` of an MPRIS player, which may be late, of odd types, huge, or wrong.
///
/// Source: the MPRIS metadata guidelines of freedesktop.org; for the odd types, what players were seen to send.
enum MPRISMetadata {
    /// The longest title, album or artist that is kept, in bytes of UTF-8; what is beyond is cut off.
    static let textLimit = 512
    /// The longest URI that is kept, in bytes; a longer one counts as absent.
    static let uriLimit = 4_096
    /// The most artists that are kept.
    static let artistLimit = 16

    /// The longest length that is believed, in microseconds: 30 days. Browsers tell that of live streams as the largest number.
    private static let lengthLimit: Int64 = 2_592_000_000_000

    /// Reads the item that a player plays. Returns `nil` without a title and an address, and for a video call.
    ///
    /// The title of a live stream is the name of its station, not that of the song that is on.
    static func info(_ metadata: VariantMap, of kind: PlayerKind) -> NowPlayingInfo? {
        guard var info = info(metadata), !VideoCall.matches(info, of: kind) else { return nil }
        func words(_ key: String) -> String? {
            metadata[key].flatMap(text).map { cut($0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        let stream = LiveStream(
            info, streamTitle: words("rhythmbox:streamTitle"), song: words("vlc:nowplaying"), of: kind)
        guard let stream else { return info }
        // Where the title is the station's, the artist may be its owner.
        if stream.station != info.title { (info.artists, info.album) = ([], nil) }
        info.title = stream.station
        info.isLive = true
        return info
    }

    /// An item of a queue, or what plays as its player tells it; `nil` when neither a title nor an address tells.
    static func info(_ metadata: VariantMap) -> NowPlayingInfo? {
        let url = metadata["xesam:url"].flatMap(text).flatMap(uri)
        let title = metadata["xesam:title"].flatMap(text).map { cut($0) } ?? ""
        guard !title.isEmpty || url != nil else { return nil }
        let art = metadata["mpris:artUrl"].flatMap(text).flatMap(uri)
        return NowPlayingInfo(
            title: self.title(title, of: url),
            artists: metadata["xesam:artist"].map(texts) ?? [],
            album: metadata["xesam:album"].flatMap(text).map { cut($0) },
            // A picture within the address is as large as a picture, and nothing that could be kept.
            artworkURL: art.flatMap { $0.hasPrefix("data:") ? nil : $0 },
            contentURL: url,
            trackIdentifier: metadata["mpris:trackid"].flatMap(text).flatMap(uri),
            length: metadata["mpris:length"].flatMap(integer).flatMap { $0 < lengthLimit ? $0 : nil })
    }

    /// A string, or an object path where a string is due and the reverse.
    static func text(_ value: Value) -> String? {
        switch value.unwrapped {
        case .string(let text): text
        case .objectPath(let path): path.text
        default: nil
        }
    }

    /// A list of strings; some players send one string.
    private static func texts(_ value: Value) -> [String] {
        switch value.unwrapped {
        case .array(_, let items): items.lazy.compactMap(text).prefix(artistLimit).map { cut($0) }
        case .string(let text): [cut(text)]
        default: []
        }
    }

    /// A number of any type.
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

    /// Cuts at a whole character unless the first one is too long, and removes white space around.
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
            // Players send plain paths with blanks too; those cannot be told from broken text.
            return nil
        }
        return text
    }

    /// What to call an item: its title, and where it has none or a player gives the name of the file for it, that name without
    /// the ending that tells the format.
    private static func title(_ title: String, of url: String?) -> String {
        guard let url else { return title }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let part = path.split(separator: "/").last.map(String.init) ?? url
        let name = cut(PercentDecoding.decode(part) ?? part)
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
