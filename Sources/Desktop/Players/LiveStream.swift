internal import HunchDBus
internal import HunchModel

/// A live stream, which has a station and no length.
///
/// Players report the station in different fields. Source: their code and their observed messages.
///
/// | player | station | song |
/// |---|---|---|
/// | VLC | `xesam:title` | `vlc:nowplaying` |
/// | Rhythmbox | `rhythmbox:streamTitle` | `xesam:title` |
/// | Audacious, mpDris2, web pages | `xesam:album`, if they know it | `xesam:title` |
/// | Shortwave and other radio apps | `xesam:artist` | `xesam:title` |
/// | mpv | only in the address, or `xesam:title` if the stream tells no songs | `xesam:title` |
struct LiveStream: Hashable {
    /// The station's display name.
    let station: String

    /// The schemes of network addresses.
    private static let schemes: Set<String> = [
        "http", "https", "rtsp", "rtmp", "rtmps", "rtp", "mms", "mmsh", "icy", "icyx", "udp", "srt",
    ]
    /// Words in stream addresses that do not name a station.
    private static let commonWords: Set<String> = [
        "stream", "streams", "live", "listen", "audio", "play", "playlist", "index", "master", "mp3", "aac",
        "aacp", "ogg", "opus", "flac", "m3u", "m3u8", "pls", "high", "low", "hq", "hd", "kbps",
    ]

    /// Detects a live stream; `nil` if the item is not one.
    ///
    /// - Parameters:
    ///   - info: The player's now-playing info.
    ///   - streamTitle: `rhythmbox:streamTitle`.
    ///   - song: `vlc:nowplaying`.
    ///   - clues: what earlier metadata of the item showed.
    init?(_ info: NowPlayingInfo, streamTitle: String?, song: String?, of kind: PlayerKind, clues: StreamClues) {
        let address = info.contentURL.flatMap(Self.address)
        guard info.length == nil || address != nil && clues.hasGrowingLength else { return nil }
        let isPlacedInApp = info.contentURL == nil && (kind == .browser || kind == .radio)
        guard streamTitle != nil || song != nil || address != nil || isPlacedInApp else { return nil }
        let album = info.album
        let ownTitle = info.title == song || info.title == info.contentURL ? nil : info.title
        let name: String? =
            if let streamTitle {
                streamTitle
            } else if song != nil {
                ownTitle
            } else if kind == .browser {
                album ?? ownTitle
            } else if let album {
                album
            } else if kind == .radio {
                info.artists.first ?? ownTitle
            } else if clues.changesTitle || Self.isSong(info) || address.map({ $0.isNamed(info.title) }) == true {
                nil
            } else {
                ownTitle
            }
        station = name ?? address.map(Self.station) ?? info.title
    }

    /// Returns whether a title only repeats the address of an item.
    static func isAddress(_ title: String, of info: NowPlayingInfo) -> Bool {
        info.contentURL.map { $0 == title || address($0)?.isNamed(title) == true } ?? false
    }

    /// Returns whether a title looks like that of a song.
    private static func isSong(_ info: NowPlayingInfo) -> Bool {
        !info.artists.isEmpty || info.title.contains(" - ") || info.title.contains(" – ")
    }

    private struct Address {
        var host: String
        /// The last part of the path without the format's extension; empty if there is none.
        var file: String

        /// Whether a title only repeats the address.
        func isNamed(_ title: String) -> Bool {
            [file, host].contains(title) || file == title.split(separator: " ").joined(separator: "-")
                || host == "www." + title
        }
    }

    private static func address(_ url: String) -> Address? {
        guard let colon = url.firstIndex(of: ":"), schemes.contains(url[..<colon].lowercased()) else { return nil }
        let parts = url[colon...].dropFirst().prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
        guard let host = parts.first else { return nil }
        let name = host.split(separator: "@").last?.split(separator: ":").first ?? host
        return Address(host: name.lowercased(), file: parts.count > 1 ? ItemTitle.name(ofAddress: url) : "")
    }

    /// Returns a name for a stream without one: the words of its file that are not common words, else its host.
    private static func station(_ address: Address) -> String {
        let words = address.file.split { "-_ .;".contains($0) }.filter { word in
            !commonWords.contains(word.lowercased()) && !word.allSatisfy { $0.isNumber || $0 == "k" }
        }
        if !words.isEmpty { return words.joined(separator: " ") }
        let labels = address.host.split(separator: ".")
        guard labels.count > 2, let first = labels.first,
            ["www", "radio"].contains(first) || commonWords.contains(String(first))
        else {
            return address.host
        }
        return labels.dropFirst().joined(separator: ".")
    }
}
