import Markup
import Testing

/// Tests of `meta` and `link` elements.
@Suite("Head of a page")
struct HeadTests {
    @Test("Open Graph, Twitter, App Links, the Smart App Banner and positions are read")
    func all() {
        let page = markup(
            """
            <head><title>A &amp; B</title><base href="https://other.example/x/"><link rel="canonical" href="y">
            <meta property="og:image" content="1.png"><meta property="og:image" content="2.png"><meta name="og:type" content="place">
            <meta property="place:location:latitude" content="1.5"><meta name="twitter:card" content="summary">
            <meta property="al:android:url" content="app://x"><link rel="alternate" href="android-app://com.x/http/x">
            <meta name="apple-itunes-app" content="app-id=12, app-argument=app://y?a=b">
            <meta name="ICBM" content="50.7, 7.1"><meta name="description" content="no"></head>
            """)
        #expect(page.title == "A & B" && page.address == "https://other.example/x/y")
        #expect(
            page.openGraph == [
                "og:image": ["1.png", "2.png"], "og:type": ["place"], "place:location:latitude": ["1.5"],
            ])
        #expect(page.twitter == ["twitter:card": ["summary"]])
        #expect(page.appLinks == ["al:android:url": ["app://x"], "alternate": ["android-app://com.x/http/x"]])
        #expect(page.smartAppBanner == ["app-id": ["12"], "app-argument": ["app://y?a=b"]])
        #expect(page.position == ["icbm": ["50.7, 7.1"]])
    }

    @Test("A page is read in its encoding")
    func encodings() {
        let latin = Array("<head><meta charset=windows-1252><title>caf".utf8) + [0xE9] + Array("</title></head>".utf8)
        #expect(Markup(page: latin).title == "café")
        #expect(markup("<title>東京\u{0}</title>").title == "東京")
    }

    @Test("Empty and odd pages have no data")
    func odd() {
        for page in ["", " ", "\u{0}", "plain", "<", "<!DOCTYPE html>", "<html itemscope>"] {
            #expect(markup(page).openGraph.isEmpty, "\(page)")
        }
    }

    @Test("Hostile pages end soon, and say what was left out")
    func hostile() {
        let attributes = "<p " + (0..<20_000).map { "a\($0)=1 " }.joined() + ">"
        #expect(markup(attributes).problems.map(\.code) == [.limit])
        let names = (0..<60).map { "r\($0)" }.joined(separator: " ")
        let web = (0..<60).map {
            "<div id=r\($0) itemprop=x itemscope itemtype=https://schema.org/A itemref='\(names)'></div>"
        }
        let page = markup("<div itemscope itemtype=https://schema.org/A itemref='\(names)'></div>" + web.joined())
        #expect(page.items.count == 1 && page.problems.contains { $0.code == .limit })
        // A sign in a script begins no element.
        let script = "<script>if (a <b) {" + String(repeating: "x = 1; ", count: 5_000) + "}</script><title>T</title>"
        #expect(markup(script).title == "T" && markup(script).problems.isEmpty)
    }
}
