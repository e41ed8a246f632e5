import Foundation
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
        func page(_ declaration: String, _ title: [UInt8]) -> String {
            Markup(page: Array("<head>\(declaration)<title>".utf8) + title + Array("</title></head>".utf8)).title
        }
        #expect(page("<meta charset=windows-1252>", [0x63, 0xE9]) == "cé")
        // The standard reads ISO 8859-1 as windows-1252.
        #expect(page("<meta charset=ISO-8859-1>", [0x93, 0x61, 0x94]) == "“a”")
        #expect(page("", [0xE9]) == "é")
        let type = "<meta http-equiv=Content-Type content='text/html; charset=windows-1251'>"
        #expect(page(type, [0xCC, 0xEE]) == "Мо")
        #expect(page("<meta charset=shift_jis>", [0x93, 0x8C, 0x8B, 0x9E]) == "東京")
        #expect(page("<meta charset=unknown>", [0xE9]) == "é")
        for (mark, encoding) in [
            ([0xFF, 0xFE], .utf16LittleEndian), ([0xFE, 0xFF], .utf16BigEndian),
        ] as [([UInt8], String.Encoding)] {
            let text = "<title>東 🎧</title>".data(using: encoding) ?? Data()
            #expect(Markup(page: mark + text).title == "東 🎧")
        }
        #expect(Markup(page: [0xEF, 0xBB, 0xBF] + Array("<title>é</title>".utf8)).title == "é")
        #expect(Markup(page: Array("<title>é".utf8) + [0xFF] + Array("</title>".utf8)).title == "Ã©ÿ")
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
        let elements = String(repeating: "<p>", count: 500_001)
        #expect(markup(elements).problems.map(\.code) == [.limit])
        let heads = (0...Markup.maximumItems).map { "<meta property=\"og:a\($0)\" content=\"x\">" }.joined()
        let full = markup("<head>\(heads)</head>")
        #expect(full.openGraph.count == Markup.maximumItems && full.problems.map(\.code) == [.limit])
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
