import EventLoops
import HunchDBus
import HunchModel
import Testing

@testable import Media
@testable import Players

@Suite("Live streams and video calls")
struct LiveStreamTests {
    /// The metadata of a stream, and its name for people.
    struct Sample: Sendable, CustomTestStringConvertible {
        var player: String
        var metadata: VariantMap
        /// `nil` if it is not a live stream.
        var station: String?

        var testDescription: String { "\(player): \(station ?? "none")" }
    }

    private static func metadata(
        _ title: String?, artist: String? = nil, album: String? = nil, url: String? = nil, length: Int64? = nil,
        more: VariantMap = [:]
    ) -> VariantMap {
        var metadata = more
        metadata["xesam:title"] = title.map(Value.string)
        metadata["xesam:artist"] = artist.map { [$0].dbusValue }
        metadata["xesam:album"] = album.map(Value.string)
        metadata["xesam:url"] = url.map(Value.string)
        metadata["mpris:length"] = length.map(Value.int64)
        return metadata
    }

    static let samples: [Sample] = [
        // VLC reports the station as the title, and the song separately.
        Sample(
            player: "VLC media player",
            metadata: metadata(
                "Radio X", url: "http://radio.example/x", length: 0,
                more: ["vlc:nowplaying": .string("Ann - A Song")]), station: "Radio X"),
        Sample(
            player: "VLC media player",
            metadata: metadata("Radio X", url: "http://radio.example/x"), station: "Radio X"),
        // mpv reports only the song, and before that the name of the file.
        Sample(
            player: "mpv", metadata: metadata("Ann - A Song", url: "https://ice1.example.org/radio-x-128-mp3"),
            station: "radio x"),
        Sample(
            player: "mpv",
            metadata: metadata("Ann - A Song", url: "https://ice.example.org/groovesalad-256-mp3"),
            station: "groovesalad"),
        Sample(
            player: "mpv",
            metadata: metadata("groovesalad-256-mp3", url: "https://ice.example.org/groovesalad-256-mp3"),
            station: "groovesalad"),
        Sample(
            player: "mpv", metadata: metadata("Ann - A Song", url: "https://stream.radio-x.example/live.mp3"),
            station: "radio-x.example"),
        Sample(
            player: "mpv", metadata: metadata("Radio X", url: "https://stream.example/1"), station: "Radio X"),
        // Rhythmbox, Audacious and mpDris2, Shortwave.
        Sample(
            player: "Rhythmbox",
            metadata: metadata(
                "A Song", url: "http://radio.example/x", more: ["rhythmbox:streamTitle": .string("Radio X")]),
            station: "Radio X"),
        Sample(
            player: "Audacious",
            metadata: metadata("A Song", artist: "Ann", album: "Radio X", url: "http://radio.example/x"),
            station: "Radio X"),
        Sample(player: "Shortwave", metadata: metadata("A Song", artist: "Radio X"), station: "Radio X"),
        // Browsers: the page's title, the album if the page reports the song, and the largest number as length.
        Sample(player: "Chromium", metadata: metadata("Radio X live"), station: "Radio X live"),
        Sample(
            player: "Chromium", metadata: metadata("A Song", artist: "Ann", album: "Radio X", length: .max),
            station: "Radio X"),
        Sample(
            player: "Mozilla Firefox", metadata: metadata("Radio X", url: "https://radio.example/x"),
            station: "Radio X"),
        // No streams: items with a length, files, and items that merely lack a length.
        Sample(player: "mpv", metadata: metadata("Episode 41", url: "https://example.org/41.mp3", length: 5_000_000)),
        Sample(player: "mpv", metadata: metadata("A Song", url: "file:///music/song.ogg")),
        Sample(player: "Spotify", metadata: metadata("A Song", artist: "Ann")),
        Sample(player: "Chromium", metadata: metadata("A Video", artist: "Ann", length: 60_000_000)),
    ]

    @Test("A live stream is named by its station and has no length", arguments: samples)
    func stations(sample: Sample) throws {
        let info = try #require(MPRISMetadata.info(sample.metadata, of: PlayerKind(names: [sample.player])))
        #expect(info.isLive == (sample.station != nil))
        if let station = sample.station {
            #expect(info.title == station && info.length == nil)
            #expect(info.title == MPRISMetadata.info(sample.metadata)?.title || info.artists.isEmpty)
        }
    }

    @Test("A live stream never has a position")
    func noPosition() {
        var state = PlayerState()
        state.applyRoot(["Identity": .string("mpv")])
        state.applyPlayer(
            [
                "PlaybackStatus": .string("Playing"), "Position": .int64(5_000_000),
                "Metadata": Self.metadata("Ann - A Song", url: "http://radio.example/live").dbusValue,
            ], at: MonotonicInstant(microseconds: 0))
        #expect(state.position(at: MonotonicInstant(microseconds: 60_000_000)) == nil)
        let item = state.item
        state.applyPlayer(
            ["Metadata": Self.metadata("Bo - Another", url: "http://radio.example/live").dbusValue],
            at: MonotonicInstant(microseconds: 61_000_000))
        #expect(state.item == item && state.info?.title == "radio.example")
    }

    /// Returns the state of mpv after metadata at these seconds.
    private func state(_ steps: [(second: Double, title: String, length: Double)]) -> PlayerState {
        var state = PlayerState()
        state.applyRoot(["Identity": .string("mpv")])
        for step in steps {
            let metadata = Self.metadata(
                step.title, url: "https://ice.example.org/groovesalad", length: Int64(step.length * 1_000_000))
            state.applyPlayer(
                ["PlaybackStatus": .string("Playing"), "Metadata": metadata.dbusValue],
                at: MonotonicInstant(microseconds: UInt64(step.second * 1_000_000)))
        }
        return state
    }

    @Test("A stream whose length grows as it plays is live")
    func growingLength() {
        let live = state([(0, "Ann - A Song", 10.3), (0.4, "Ann - A Song", 11.3), (0.9, "Ann - A Song", 12.3)])
        #expect(live.info?.isLive == true && live.info?.title == "groovesalad" && live.info?.length == nil)
        #expect(live.position(at: MonotonicInstant(microseconds: 60_000_000)) == nil)
        // Hunch began to look after an hour.
        let late = state([(0, "A Song", 3_600), (1, "A Song", 3_601), (2, "A Song", 3_602), (3, "B", 3_603)])
        #expect(late.info?.isLive == true && late.info?.title == "groovesalad")
    }

    @Test("A file whose estimated length is corrected is not a live stream")
    func correctedLength() {
        // While it is downloaded quickly, or near its end.
        let quick = state([(0, "Episode", 3_000), (0.5, "Episode", 3_200), (1, "Episode", 3_600)])
        #expect(quick.info?.isLive == false && quick.info?.length == 3_600_000_000)
        let late = state([(0, "News", 600), (590, "News", 600.5), (591, "News", 601.5), (592, "News", 603)])
        #expect(late.info?.isLive == false && late.info?.title == "News")
    }

    @Test("A title that changes while the stream continues is a song's")
    func changedTitle() {
        var state = PlayerState()
        state.applyRoot(["Identity": .string("mpv")])
        func tell(_ title: String, second: UInt64) {
            let metadata = Self.metadata(title, url: "https://ice.example.org/groovesalad")
            state.applyPlayer(["Metadata": metadata.dbusValue], at: MonotonicInstant(microseconds: second * 1_000_000))
        }
        tell("groovesalad", second: 0)
        tell("The Morning Show", second: 1)
        #expect(state.info?.title == "The Morning Show")
        tell("Just a Song", second: 60)
        #expect(state.info?.title == "groovesalad")
    }

    @Test(
        "A video call is not playable",
        arguments: [
            ("Chromium", "Meet – abc-defg-hij", nil), ("Chromium", "Google Meet", nil),
            ("Google Chrome", "Weekly | Microsoft Teams", nil), ("Mozilla Firefox", "Zoom Meeting", nil),
            ("Mozilla Firefox", "Weekly | Jitsi Meet", nil),
            ("Chromium", "Weekly", "https://meet.google.com/abc-defg-hij"),
            ("Plasma Browser Integration", "x", "https://us02web.zoom.us/wc/1"),
            ("Plasma Browser Integration", "x", "https://jitsi.example.org/room"), ("zoom", "A Meeting", nil),
            ("teams-for-linux", "Weekly", nil),
        ] as [(String, String, String?)])
    func calls(player: String, title: String, url: String?) {
        #expect(
            MPRISMetadata.info(Self.metadata(title, url: url, length: 5), of: PlayerKind(names: [player])) == nil)
    }

    @Test(
        "Media about video calls is not a call",
        arguments: [
            ("Chromium", "How to use Zoom Meeting rooms", nil), ("Chromium", "Meet the Parents", nil),
            ("Plasma Browser Integration", "Google Meet", "https://www.youtube.com/watch?v=1"),
            ("mpv", "Zoom Meeting", "file:///videos/zoom.mp4"), ("mpv", "Google Meet", nil),
        ] as [(String, String, String?)])
    func noCalls(player: String, title: String, url: String?) {
        #expect(
            MPRISMetadata.info(Self.metadata(title, url: url, length: 5), of: PlayerKind(names: [player])) != nil)
    }
}
