import EventLoops
import HunchDBus
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Media
@testable import Players

@Suite("MPRIS metadata")
struct MPRISMetadataTests {
    @Test("All fields of the metadata guidelines are read")
    func complete() throws {
        let info = try #require(
            MPRISMetadata.info([
                "xesam:title": .string("Episode 41"), "xesam:artist": ["Ann", "", "Bo"].dbusValue,
                "xesam:album": .string("A Podcast"), "xesam:url": .string("https://example.org/41.ogg"),
                "mpris:artUrl": .string("file:///art.png"), "mpris:length": .int64(3_600_000_000),
                "mpris:trackid": .objectPath("/track/41"), "vendor:odd": .boolean(true),
            ]))
        #expect(
            info
                == NowPlayingInfo(
                    title: "Episode 41", artists: ["Ann", "Bo"], album: "A Podcast", artworkURL: "file:///art.png",
                    contentURL: "https://example.org/41.ogg", trackIdentifier: "/track/41", length: 3_600_000_000))
    }

    @Test("Wrong types that real players send are accepted")
    func oddTypes() throws {
        let info = try #require(
            MPRISMetadata.info([
                "xesam:title": .variant(.string("T")), "xesam:artist": .string("One String"),
                "mpris:trackid": .string("/track/1"), "mpris:length": .uint64(5_000_000),
            ]))
        #expect(info.artists == ["One String"])
        #expect(info.trackIdentifier == "/track/1")
        #expect(info.length == 5_000_000)
        for length: Value in [.int32(7), .uint32(7), .double(7.9), .int64(7)] {
            #expect(MPRISMetadata.info(["xesam:title": .string("T"), "mpris:length": length])?.length == 7)
        }
    }

    @Test(
        "An invalid length is unknown",
        arguments: [
            Value.int64(-1), .int64(0), .uint64(.max), .double(.nan), .double(.infinity), .double(1e300), .string("5"),
            .array(of: .string, []),
        ])
    func badLength(length: Value) {
        #expect(MPRISMetadata.info(["xesam:title": .string("T"), "mpris:length": length])?.length == nil)
    }

    @Test("A missing title comes from the address, if there is one")
    func titles() {
        #expect(MPRISMetadata.info(["xesam:url": .string("file:///a/b%20c.ogg?x=/y")])?.title == "b c")
        #expect(MPRISMetadata.info(["xesam:url": .string("file:///a/%ff.ogg")])?.title == "ÿ")
        #expect(MPRISMetadata.info(["xesam:title": .string(""), "xesam:url": .string("x:")])?.title == "x:")
        #expect(MPRISMetadata.info([:]) == nil)
        #expect(MPRISMetadata.info(["xesam:title": .string(" \n ")]) == nil)
        #expect(MPRISMetadata.info(["xesam:title": .int32(1), "xesam:url": .boolean(true)]) == nil)
        #expect(MPRISMetadata.info(["mpris:length": .int64(5)]) == nil)
    }

    @Test("A file name as title loses its media extension only")
    func endings() {
        let cases = [
            ("song.mp3", "file:///m/song.mp3", "song"),
            ("Bach - Air.flac", "file:///m/Bach%20-%20Air.flac", "Bach - Air"),
            ("stream.opus", "https://radio.example/stream.opus?key=1", "stream"), ("", "file:///film.MKV", "film"),
            // A file name without a real extension, and a host.
            ("song.mp3", "file:///m/other.mp3", "song"), ("Mix v2.0", "file:///m/Mix%20v2.0", "Mix v2.0"),
            ("What now. Then", "file:///m/What%20now.%20Then", "What now. Then"), ("", "file:///m/.mp3", ".mp3"),
            ("", "file:///m/Vol.", "Vol."), ("", "https://radio.example", "radio.example"),
            ("", "https://radio.example/", "radio.example"),
        ]
        for (title, url, expected) in cases {
            let info = MPRISMetadata.info(["xesam:title": .string(title), "xesam:url": .string(url)])
            #expect(info?.title == expected, "\(title) \(url)")
        }
    }

    @Test("Long texts are cut; long or invalid addresses are dropped")
    func limits() throws {
        let long = String(repeating: "e\u{301}👩‍👩‍👧", count: 10_000)
        let info = try #require(
            MPRISMetadata.info([
                "xesam:title": .string("  " + long), "xesam:artist": [String](repeating: "A", count: 1_000).dbusValue,
                "mpris:artUrl": .string("data:image/png;base64,AAAA"),
                "xesam:url": .string("https://" + String(repeating: "x", count: 5_000)),
            ]))
        #expect(info.title.utf8.count <= MPRISMetadata.textLimit)
        #expect(info.title.utf8.count > MPRISMetadata.textLimit - 40)
        #expect(long.hasPrefix(info.title))
        #expect(info.artists.count == MPRISMetadata.artistLimit)
        #expect(info.artworkURL == nil)
        #expect(info.contentURL == nil)
        #expect(MPRISMetadata.info(["xesam:url": .string("file:///a\u{7}")]) == nil)
    }

    @Test("Random metadata never traps and gives bounded texts")
    func anything() {
        var random = SplitMix64(seed: 4)
        let keys = [
            "xesam:title", "xesam:artist", "xesam:album", "xesam:url", "mpris:artUrl", "mpris:length", "mpris:trackid",
        ]
        for _ in 0..<2_000 {
            var metadata: VariantMap = [:]
            for key in keys where Bool.random(using: &random) { metadata[key] = value(&random, depth: 3) }
            var state = PlayerState()
            state.applyRoot(metadata)
            state.applyPlayer(
                ["Metadata": metadata.dbusValue, "PlaybackStatus": value(&random, depth: 1)], at: .now)
            #expect((MPRISMetadata.info(metadata)?.title.utf8.count ?? 0) <= MPRISMetadata.textLimit)
        }
    }

    private func value(_ random: inout SplitMix64, depth: Int) -> Value {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0:
            .string(String((0..<Int.random(in: 0..<40, using: &random)).map { _ in "aé:/ %ü".randomElement() ?? "x" }))
        case 1: .int64(.random(in: .min ... .max, using: &random))
        case 2: .double(Double(bitPattern: .random(in: 0 ... .max, using: &random)))
        case 3: .uint64(.random(in: 0 ... .max, using: &random))
        case 4: .boolean(.random(using: &random))
        case 5: .objectPath("/a/b")
        case 6: .variant(value(&random, depth: depth - 1))
        case 7: .array(of: .variant, (0..<3).map { _ in .variant(value(&random, depth: depth - 1)) })
        default: .structure([value(&random, depth: depth - 1), value(&random, depth: depth - 1)])
        }
    }
}

@Suite("Item identity")
struct ItemIdentityTests {
    @Test("An address identifies an item, else title and first artist")
    func identifiers() {
        #expect(ItemIdentity.identifier(of: NowPlayingInfo(title: "T", contentURL: "file:///a")) == "file:///a")
        #expect(ItemIdentity.identifier(of: NowPlayingInfo(title: "T", artists: ["A", "B"])) == "title:T\nA")
        #expect(ItemIdentity.identifier(of: NowPlayingInfo(title: "T")) == "title:T")
        #expect(ItemIdentity.identifier(of: NowPlayingInfo(title: "")) == nil)
    }

    @Test(
        "An address has a scheme and no white space",
        arguments: [
            ("file:///a", true), ("https://example.org/", true), ("spotify:track:1", true), ("x+y-z.1:a", true),
            ("title:T", false), ("/a/b", false), ("1x:a", false), (":a", false), ("", false), ("-x:a", false),
            ("file:///a b", false), ("file:///a\n", false), ("no scheme", false),
        ])
    func addresses(item: String, isAddress: Bool) {
        #expect((ItemIdentity.uri(of: item) != nil) == isAddress)
        #expect(ItemIdentity.uri(of: item + String(repeating: "x", count: 5_000)) == nil)
    }

    @Test(
        "Equivalent encodings of an address are the same item",
        arguments: [
            ("file:///a%20b/%C3%BC", "file:///a%20b/ü", true), ("file:///a", "file://localhost/a", true),
            ("file:///a", "file:/a", true), ("file:///a", "file:///A", false), ("file:///a", "file:///a/", false),
            ("https://x/%zz", "https://x/%zz", true), ("https://x/a", "http://x/a", false),
            ("title:A", "title:A", true), ("title:%41", "title:A", false),
        ])
    func equality(left: String, right: String, same: Bool) {
        #expect(ItemIdentity.areSame(left, right) == same)
        #expect(ItemIdentity.areSame(right, left) == same)
    }
}
