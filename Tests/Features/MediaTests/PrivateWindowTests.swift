import EventLoops
import HunchDBus
import HunchModel
import Testing

@testable import Media
@testable import Players

/// Tests of the reports of browsers about media in private windows.
@Suite("Private windows")
struct PrivateWindowTests {
    private static let firefox: Value = .objectPath("/org/mpris/MediaPlayer2/firefox")
    private static let chromium: Value = .objectPath("/org/chromium/MediaPlayer2/TrackList/Track4AA2CDBADB32BDDF")

    private func properties(_ identity: String, _ title: String, _ track: Value, url: String? = nil) -> VariantMap {
        var metadata: VariantMap = [
            "xesam:title": .string(title), "xesam:artist": [""].dbusValue, "xesam:album": .string(""),
            "mpris:trackid": track, "mpris:length": .int64(60_000_000),
        ]
        metadata["xesam:url"] = url.map(Value.string)
        return [
            "Identity": .string(identity), "PlaybackStatus": .string("Playing"), "Metadata": metadata.dbusValue,
            "Position": .int64(4_000_000),
        ]
    }

    private func state(_ properties: VariantMap) -> PlayerState {
        var state = PlayerState()
        state.applyRoot(properties)
        state.applyPlayer(properties, at: .now)
        return state
    }

    @Test(
        "Media of a private window are ignored",
        arguments: [
            // As Firefox 153 ESR and Chromium 156 were seen to report, and the forks after them.
            ("Mozilla firefox-esr", "Firefox is playing media", firefox),
            ("Mozilla Firefox", "Firefox spielt Medien ab", firefox),
            ("Mozilla Firefox", "Nightly lit un contenu multimédia", firefox),
            ("Mozilla LibreWolf", "LibreWolf is playing media", firefox),
            ("Waterfox", "Waterfox odtwarza multimedia", firefox), ("Floorp", "Floorp がメディアを再生しています", firefox),
            ("Mozilla zen", "Zen is playing media", firefox),
            ("Tor Browser", "Tor Browser воспроизводит медиа", firefox),
            ("Mozilla Firefox", "A Firefox médialejátszást folytat", firefox),
            ("Mozilla Firefox", "Firefox Developer Edition 正在播放媒体", firefox),
            ("Mozilla Firefox", "يشغّل Firefox الوسائط", firefox),
            ("Mozilla Firefox", "Firefox sedang memutar media", firefox),
            ("New Fork", "Fork is playing media", firefox),
            ("Chromium", "A site is playing media", chromium), ("Chrome", "Eine Website gibt Medien wieder", chromium),
            ("Brave", "Un site est en train de lire un contenu multimédia", chromium),
            ("Microsoft Edge", "サイトでメディアが再生されています", chromium), ("Vivaldi", "Сайт відтворює медіа-вміст", chromium),
            ("Opera", "Strona odtwarza multimedia", chromium),
        ] as [(String, String, Value)])
    func isNothing(identity: String, title: String, track: Value) {
        let state = state(properties(identity, title, track))
        #expect(state.info == nil && state.item == nil)
        #expect(state.status == .stopped)
        #expect(PlaybackTracker().due(state) == nil)
    }

    @Test(
        "Other media of browsers stay",
        arguments: [
            ("Mozilla Firefox", "How Firefox is made", firefox, "https://example.org/"),
            ("Mozilla Firefox", "Firefox is playing media", firefox, "https://example.org/"),
            ("Mozilla Firefox", "Zen in Japan", firefox, nil), ("Mozilla Firefox", "A Video", firefox, nil),
            ("Mozilla zen", "Zenith", firefox, nil),
            ("Chromium", "A site that plays media", chromium, nil), ("Chromium", "Firefox is fast", chromium, nil),
            ("mpv", "Firefox is playing media", .objectPath("/1"), nil),
        ] as [(String, String, Value, String?)])
    func stays(identity: String, title: String, track: Value, url: String?) {
        let state = state(properties(identity, title, track, url: url))
        #expect(state.info?.title == title && state.status == .playing)
    }

    @Test("Going on in a private window stops the public item")
    func switches() {
        var players = TracedPlayers()
        let name: BusName = "org.mpris.MediaPlayer2.firefox.instance_1_1"
        let start = MonotonicInstant.now
        let open = properties("Mozilla Firefox", "A Talk", Self.firefox, url: "https://example.org/talk")
        #expect(players.take(name, open, at: start).map(\.change) == [.started])
        let hidden = properties("Mozilla Firefox", "Firefox is playing media", Self.firefox)
        let changes = players.take(name, hidden, at: start.advanced(by: .seconds(60)))
        #expect(changes.map(\.change) == [.stopped] && changes.first?.info?.title == "A Talk")
        #expect(changes.first?.info?.position == 60_000_000)
        #expect(players.players(at: start).allSatisfy { !$0.isActive && $0.info == nil })
    }
}
