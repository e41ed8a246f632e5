import HunchModel
import Media
import Players
import Testing

@Suite("Media that apps show")
struct ShownMediaTests {
    private let activity = Activity(
        type: "org.example.page", title: "Listen now – Rails FM", webPageURL: "https://rails.example/41",
        media: NowPlayingInfo(
            title: "Episode 41", artists: ["Ann"], album: "Rails", artworkURL: "https://rails.example/41.png"))

    private func completed(_ info: NowPlayingInfo, of application: AppID = "chromium") -> NowPlayingInfo {
        let shown = ShownMedia()
        shown.set(["chromium": [activity]])
        return shown.completed(info, of: application)
    }

    @Test("A page completes an item that the browser calls by the page", arguments: [nil, "https://rails.example/41"])
    func page(url: String?) {
        // Chromium's icon takes the place of the cover.
        let said = NowPlayingInfo(
            title: "Listen now – Rails FM", artworkURL: "file:///tmp/icon", contentURL: url, length: 60, position: 5)
        let info = completed(said)
        #expect(info.title == "Episode 41" && info.artists == ["Ann"] && info.album == "Rails")
        #expect(info.artworkURL == "https://rails.example/41.png")
        #expect(info.length == 60 && info.position == 5 && info.contentURL == url)
        #expect(ItemIdentity.identifier(of: info) == ItemIdentity.identifier(of: said))
    }

    @Test("A page without a title is known by its address")
    func untitled() {
        #expect(completed(NowPlayingInfo(title: "rails.example/41")).title == "Episode 41")
    }

    @Test("Metadata that the page gave to the browser stays")
    func described() {
        let said = NowPlayingInfo(title: "Episode 41", artists: ["Bob"], artworkURL: "file:///tmp/cover")
        let info = completed(said)
        #expect(info.title == "Episode 41" && info.artists == ["Bob"] && info.artworkURL == "file:///tmp/cover")
        #expect(info.album == "Rails")
        let other = NowPlayingInfo(title: "Part 2", artists: ["Bob"], contentURL: "https://rails.example/41")
        #expect(completed(other).title == "Part 2" && completed(other).artists == ["Bob"])
        #expect(completed(other).album == nil)
        #expect(completed(other).artworkURL == "https://rails.example/41.png")
    }

    @Test(
        "Other items stay as they are",
        arguments: [
            NowPlayingInfo(title: "Something else"),
            NowPlayingInfo(title: "Listen now – Rails FM", contentURL: "https://rails.example/42"),
            NowPlayingInfo(title: "Something else", contentURL: "https://rails.example/41?part=2"),
        ])
    func others(info: NowPlayingInfo) { #expect(completed(info) == info) }

    @Test("A page completes the player of its own app only")
    func otherApps() {
        let info = NowPlayingInfo(title: "Episode 41")
        #expect(completed(info, of: "mpv") == info && completed(info) != info)
    }

    @Test("A live stream stays as it is")
    func live() {
        var info = NowPlayingInfo(title: "Episode 41")
        info.isLive = true
        #expect(completed(info) == info)
    }

    @Test("An address with more parameters may be the same page")
    func addresses() {
        #expect(WebAddress.mayBeSamePage("https://a.example/v?id=1&t=5#x", "https://a.example/v?id=1"))
        #expect(!WebAddress.mayBeSamePage("https://a.example/v?id=2", "https://a.example/v?id=1"))
        #expect(!WebAddress.mayBeSamePage("https://a.example/w", "https://a.example/v"))
    }
}
