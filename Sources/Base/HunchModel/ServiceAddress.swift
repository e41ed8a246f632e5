/// Addresses of items on streaming services, and the same items in the schemes of the services' apps.
///
/// A player often tells the web address of an item, while its desktop entry declares only the scheme of the service.
public enum ServiceAddress {
    /// One service.
    private struct Service: Sendable {
        /// The hosts of its web pages, including `www.`
        let hosts: Set<String>
        /// The kinds of items that a path names before the identifier. `nil`: any path.
        let kinds: Set<String>?
        /// The links of its apps: `%k` is the kind, `%i` the identifier, `%u` the web address without its scheme, and
        /// `%e` the web address, percent-encoded. The first one is the usual one.
        let links: [String]
    }

    /// The services.
    ///
    /// | service | source of the app's links |
    /// |---|---|
    /// | Spotify | its desktop entry; “Spotify URIs and IDs” in the documentation of the Web API |
    /// | TIDAL | desktop entry of tidal-hifi (Mastermindzh/tidal-hifi), `url` of its MPRIS metadata |
    /// | Deezer | desktop entry of deezer-linux (aunetx/deezer-linux); links of the web player |
    /// | Apple Music | desktop entry of Cider (ciderapp/Cider): music, itmss |
    /// | Qobuz | desktop entry and links of QBZ (vicrodh/qbz) |
    /// | YouTube Music | desktop entry of YouTube Music for Linux: `youtubemusic://open?url=` |
    /// | YouTube | desktop entry of FreeTube (FreeTubeApp/FreeTube) |
    /// | Podverse | `DeepLinks` of podverse-rn (podverse/podverse-rn) |
    ///
    /// SoundCloud and Bandcamp are missing: their schemes need numbers that the web addresses do not contain
    /// (`soundcloud://tracks:ID`, `x-bandcamp://show_tralbum?tralbum_id=ID`).
    private static let services = [
        Service(
            hosts: ["open.spotify.com", "play.spotify.com"],
            kinds: ["track", "album", "artist", "playlist", "show", "episode", "audiobook", "chapter"],
            links: ["spotify:%k:%i"]),
        Service(
            hosts: ["tidal.com", "www.tidal.com", "listen.tidal.com", "desktop.tidal.com"],
            kinds: ["track", "album", "artist", "playlist", "video", "mix"], links: ["tidal://%k/%i"]),
        Service(
            hosts: ["deezer.com", "www.deezer.com"],
            kinds: ["track", "album", "artist", "playlist", "show", "episode", "audiobook"],
            links: ["deezer://www.deezer.com/%k/%i"]),
        Service(
            hosts: ["music.apple.com", "itunes.apple.com", "geo.music.apple.com"], kinds: nil,
            links: ["music://%u", "itmss://%u"]),
        Service(
            hosts: ["open.qobuz.com", "play.qobuz.com"], kinds: ["track", "album", "artist", "playlist"],
            links: ["qobuzapp://%k/%i"]),
        Service(hosts: ["music.youtube.com"], kinds: nil, links: ["youtubemusic://open?url=%e"]),
        Service(
            hosts: ["youtube.com", "www.youtube.com", "m.youtube.com", "youtu.be"], kinds: nil,
            links: ["freetube://https://%u"]),
        Service(
            hosts: ["podverse.fm", "www.podverse.fm", "api.podverse.fm"], kinds: ["episode", "podcast", "clip"],
            links: ["podverse://%k/%i"]),
    ]

    /// Returns the links of apps to an item at a web address, the usual one first; none for another address.
    public static func appLinks(to address: String) -> [String] {
        let scheme = address.cut(toBytes: 8).lowercased()
        guard scheme.hasPrefix("https://") || scheme.hasPrefix("http://"),
            let host = WebAddress.host(of: address)?.lowercased(),
            let service = services.first(where: { $0.hosts.contains(host) }),
            let slash = address.firstIndex(of: "/")
        else { return [] }
        let rest = address[slash...].dropFirst(2)
        let parts = rest.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst()
        guard !parts.isEmpty else { return [] }
        guard let kinds = service.kinds else {
            return service.links.map {
                $0.replacing("%u", with: rest).replacing("%e", with: PercentCoding.encode(address))
            }
        }
        // A language or a word like `browse` or `intl-de` may come before the kind.
        guard let index = parts.firstIndex(where: { kinds.contains(String($0)) }),
            parts.index(after: index) < parts.endIndex
        else { return [] }
        let item = parts[parts.index(after: index)]
        return service.links.map { $0.replacing("%k", with: parts[index]).replacing("%i", with: item) }
    }
}
