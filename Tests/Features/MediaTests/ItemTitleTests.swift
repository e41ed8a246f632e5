import HunchDBus
import HunchModel
import Testing

@testable import Media
@testable import Players

/// Unsuitable titles, and addresses with wrong encodings, as real players send them.
@Suite("Titles and addresses of players")
struct ItemTitleTests {
    private static func info(_ title: String?, _ url: String?, artist: String? = nil, album: String? = nil)
        -> NowPlayingInfo?
    {
        var metadata: VariantMap = [:]
        metadata["xesam:title"] = title.map(Value.string)
        metadata["xesam:url"] = url.map(Value.string)
        metadata["xesam:artist"] = artist.map { [$0].dbusValue }
        metadata["xesam:album"] = album.map(Value.string)
        return MPRISMetadata.info(metadata)
    }

    @Test(
        "An unsuitable title is replaced by the next best name",
        arguments: [
            // Nothing but an album or an artist: MPD bridges, cmus with an untagged file of a tagged album.
            (nil, nil, nil, "Kind of Blue", "Kind of Blue"), ("", nil, "Miles Davis", nil, "Miles Davis"),
            ("  ", "https://example.org/stream/8a7f", "Ann", "Live", "Live"),
            // Parts of the address: Electron apps, spotifyd, librespot.
            ("watch", "https://www.youtube.com/watch?v=dQw4w9WgXcQ", nil, nil, "youtube.com"),
            ("watch", "https://www.youtube.com/watch?v=dQw4w9WgXcQ", "Ann", nil, "Ann"),
            ("a5uQMwRMHcs", "https://music.youtube.com/watch?v=a5uQMwRMHcs", nil, nil, "music.youtube.com"),
            ("Jazz/Miles/So What.flac", nil, nil, nil, "So What"),
            ("watch?v=dQw4w9WgXcQ", "https://www.youtube.com/watch?v=dQw4w9WgXcQ", nil, nil, "youtube.com"),
            ("listen?id=7", "https://radio.example/a/listen?id=7", nil, "Night Bus", "Night Bus"),
            (
                "19YKaevk2bce4odJkP5L22", "https://open.spotify.com/track/19YKaevk2bce4odJkP5L22", "Ann", "Record",
                "Record"
            ),
            ("", "spotify:track:19YKaevk2bce4odJkP5L22", nil, nil, "Spotify"),
            ("19YKaevk2bce4odJkP5L22", nil, "Ann", "Record", "Record"),
            ("", "https://tidal.com/browse/track/77646168", nil, nil, "tidal.com"),
            ("550e8400-e29b-41d4-a716-446655440000", nil, nil, "Jellyfin Mix", "Jellyfin Mix"),
            ("", "https://podcasts.example/shows/my-great-episode", nil, nil, "my great episode"),
            ("https://x.example/a", "https://x.example/a", nil, "Album", "Album"),
            ("", "https://plex.example/library/parts/12345/file.mp3", nil, nil, "file"),
            // File names: mpv, VLC, Celluloid, Haruna, Audacious, cmus, Tauon.
            ("01 - So What.flac", nil, nil, nil, "So What"), ("07_Blue_in_Green.mp3", nil, nil, nil, "Blue in Green"),
            ("Some Talk [dQw4w9WgXcQ].webm", nil, nil, nil, "Some Talk"), ("/home/me/a/b.opus", nil, nil, nil, "b"),
            ("film.2019.mkv", "file:///v/film.2019.mkv", nil, nil, "film.2019"), ("1979.mp3", nil, nil, nil, "1979"),
            ("", "file:///m/B%FCcher.mp3", nil, nil, "Bücher"), ("", "file:///m/100% pure.mp3", nil, nil, "100% pure"),
            ("file:///m/Bl%C3%BCte.ogg", nil, nil, nil, "Blüte"), ("12. Track.mp3", nil, nil, nil, "Track"),
            ("undefined", nil, "Ann", "Record", "Record"),
            ("null", "file:///m/a.flac", nil, nil, "a"),
            ("", "https://www.x.example/player.html?id=1", nil, nil, "x.example"),
            ("", "blob:https://app.example/550e8400-e29b-41d4-a716-446655440000", nil, nil, "app.example"),
            ("", "https://r3.googlevideo.example/videoplayback?expire=1", nil, nil, "r3.googlevideo.example"),
            ("", "https://www.deezer.com/track/3135556", "Daft Punk", "Discovery", "Discovery"),
            ("", "file:///m/disc%201/03.%20Title.mp3", nil, "Album", "Title"),
        ] as [(String?, String?, String?, String?, String)])
    func replaced(title: String?, url: String?, artist: String?, album: String?, expected: String) {
        #expect(Self.info(title, url, artist: artist, album: album)?.title == expected)
    }

    @Test(
        "A proper title stays",
        arguments: [
            "7 rings", "99 Luftballons", "1-800-273-8255", "Track 01", "2112", "Watch", "AC/DC", "S.O.S.", "Mr.Mister",
            "E=MC2", "HandClap", "Supercalifragilisticexpialidocious", "Node.js in Action", "Ep. 12: v2.0",
            "/r/listentothis",
        ])
    func proper(title: String) {
        #expect(Self.info(title, "https://music.example/t/55", artist: "Ann", album: "Other")?.title == title)
        #expect(Self.info(title, nil, artist: "Ann", album: "Other")?.title == title)
    }

    @Test(
        "Addresses of files are repaired",
        arguments: [
            ("file:///m/a b.mp3", "file:///m/a%20b.mp3"), ("file:///m/a b #1.mp3", "file:///m/a%20b%20%231.mp3"),
            ("file:///m/what? yes.mp3", "file:///m/what%3F%20yes.mp3"),
            ("file:///m/100%.mp3", "file:///m/100%25.mp3"), ("file:///m/50% off.mp3", "file:///m/50%25%20off.mp3"),
            ("file:///m/My%20Song live.mp3", "file:///m/My%20Song%20live.mp3"),
            ("/home/me/Müsli 1.ogg", "file:///home/me/M%C3%BCsli%201.ogg"),
            ("file:///m/%FCber.mp3", "file:///m/%FCber.mp3"), ("file:///m/a%20b.mp3", "file:///m/a%20b.mp3"),
            ("file:///m/%zz.mp3", "file:///m/%25zz.mp3"), ("file://localhost/m/a b", "file://localhost/m/a%20b"),
            ("file:///m/ü.mp3", "file:///m/ü.mp3"), ("https://x.example/a", "https://x.example/a"),
        ])
    func repaired(told: String, uri: String) {
        let info = Self.info("T", told)
        #expect(info?.contentURL == uri)
        #expect(info?.contentURL.flatMap(ItemIdentity.uri) != nil)
    }

    @Test("Broken addresses are dropped", arguments: ["file:///a\u{7}", "https://x/a b", "file:///a\nb", "/a\tb", ""])
    func broken(told: String) {
        #expect(Self.info("T", told)?.contentURL == nil)
    }

    @Test(
        "A service's web address and app link are one item",
        arguments: [
            ("https://open.spotify.com/intl-de/track/19YK?si=1", "spotify:track:19YK", true),
            ("https://open.spotify.com/track/19YK", "https://open.spotify.com/track/19YK?si=2", true),
            ("https://tidal.com/browse/track/77", "tidal://track/77", true),
            ("https://open.spotify.com/track/19YK", "spotify:track:19YL", false),
            ("https://www.youtube.com/watch?v=a", "https://www.youtube.com/watch?v=b", false),
        ])
    func services(left: String, right: String, same: Bool) {
        #expect(ItemIdentity.areSame(left, right) == same)
    }
}
