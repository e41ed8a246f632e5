import HunchModel
import Testing

@testable import Apps
@testable import DataFiles

/// Items of streaming services, which players name by their web address.
@Suite("Addresses of streaming services")
struct StreamingServiceTests {
    @Test(
        "A web address becomes the link of the service's app",
        arguments: [
            ("https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC", "spotify:track:4uLU6hMCjMI75M1A2tKUQC"),
            (
                "https://open.spotify.com/intl-de/episode/512ojhOuo1ktJprKbVcKyQ?si=x",
                "spotify:episode:512ojhOuo1ktJprKbVcKyQ"
            ),
            ("http://play.spotify.com/user/ann/playlist/37i9", "spotify:playlist:37i9"),
            ("https://tidal.com/browse/track/77646168", "tidal://track/77646168"),
            ("https://listen.tidal.com/album/77646164?u", "tidal://album/77646164"),
            ("https://www.deezer.com/fr/track/3135556", "deezer://www.deezer.com/track/3135556"),
            ("https://deezer.com/show/1", "deezer://www.deezer.com/show/1"),
            (
                "https://music.apple.com/us/album/x/1440833098?i=1440833116",
                "music://music.apple.com/us/album/x/1440833098?i=1440833116"
            ),
            ("https://open.qobuz.com/track/5966783", "qobuzapp://track/5966783"),
            (
                "https://music.youtube.com/watch?v=a&list=b",
                "youtubemusic://open?url=https%3A%2F%2Fmusic.youtube.com%2Fwatch%3Fv%3Da%26list%3Db"
            ),
            ("https://www.youtube.com/watch?v=a", "freetube://https://www.youtube.com/watch?v=a"),
            ("https://podverse.fm/episode/KcxD3", "podverse://episode/KcxD3"),
        ])
    func links(address: String, link: String) {
        #expect(StreamingService.appLinks(to: address).first == link)
    }

    @Test(
        "Other addresses have no such link",
        arguments: [
            "https://open.spotify.com/", "https://open.spotify.com/track", "https://open.spotify.com/track/",
            "https://evil.example/open.spotify.com/track/1", "https://open.spotify.com.evil.example/track/1",
            "spotify:track:1", "file:///track/1", "https://tidal.com/pricing/x", "https://www.deezer.com/offers", "",
            "https://ann.bandcamp.com/track/x", "https://soundcloud.com/ann/x", "https:", "https://",
        ])
    func none(address: String) {
        #expect(StreamingService.appLinks(to: address).isEmpty)
    }

    @Test("An app gets the link that its entry declares")
    func plans() async throws {
        let apps = [
            "spotify": desktopEntry(exec: "env --uri=%u", "MimeType=x-scheme-handler/spotify;"),
            "cider": desktopEntry(exec: "env %U", "MimeType=x-scheme-handler/itmss;"),
            "browser": desktopEntry(exec: "env %u", "MimeType=x-scheme-handler/https;x-scheme-handler/spotify;"),
            "radio": desktopEntry(exec: "env %u", "MimeType=x-scheme-handler/tidal;"),
        ]
        try await withApps(apps) { _, environment in
            let installed = InstalledApps(environment: environment)
            let track = "https://open.spotify.com/track/1x"
            let spotify = try LaunchPlan(playing: track, in: "spotify", installed: installed)
            #expect(spotify.uris == ["spotify:track:1x"])
            let browser = try LaunchPlan(playing: track, in: "browser", installed: installed)
            #expect(browser.uris == [track])
            let song = "https://music.apple.com/us/song/1"
            let cider = try LaunchPlan(playing: song, in: "cider", installed: installed)
            #expect(cider.uris == ["itmss://music.apple.com/us/song/1"])
            #expect(throws: LaunchError.self) { try LaunchPlan(playing: track, in: "radio", installed: installed) }
        }
    }
}
