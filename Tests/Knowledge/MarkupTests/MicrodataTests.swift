import Markup
import Testing

/// Tests from the HTML Standard, section 5 “Microdata”.
@Suite("Microdata")
struct MicrodataTests {
    @Test("Each element gives the value that the standard names")
    func values() {
        let page = markup(
            """
            <div itemscope itemtype="https://schema.org/Restaurant" itemid="#r">
            <h1 itemprop="name">  Yank
              Sing </h1>
            <meta itemprop="priceRange" content="$$">
            <link itemprop="sameAs" href="//example.com/y"><a itemprop="url" href="../home">home</a>
            <img itemprop="image" src="a b.jpg" alt=""><object itemprop="logo" data="l.svg"></object>
            <data itemprop="ratingCount" value="7">seven</data><meter itemprop="level" value="0.5">half</meter>
            <time itemprop="opened" datetime="1958-01-01">1958</time><time itemprop="since">1999</time>
            <span itemprop="telephone" content="+1-415-781-1111">call us</span>
            </div>
            """)
        #expect(
            page.values == [
                [
                    "@type": "Restaurant", "@id": "https://example.org/menu/#r", "name": "Yank Sing",
                    "priceRange": "$$",
                    "sameAs": "https://example.com/y", "url": "https://example.org/home",
                    "image": "https://example.org/menu/a%20b.jpg", "logo": "https://example.org/menu/l.svg",
                    "ratingCount": "7", "level": "0.5", "opened": "1958-01-01", "since": "1999",
                    "telephone": "+1-415-781-1111",
                ]
            ])
        #expect(page.items.first?.line == 1 && page.items.first?.syntax == .microdata && page.problems.isEmpty)
    }

    @Test("A property with several names or values has all of them, and items nest")
    func nesting() {
        let page = markup(
            """
            <div itemscope itemtype="http://schema.org/Event"><p itemprop="name alternateName">Fair</p>
            <div itemprop="location" itemscope itemtype="http://schema.org/Place"><b itemprop="name">Hall</b>
            <div itemprop="geo" itemscope itemtype="http://schema.org/GeoCoordinates"><meta itemprop="latitude" content="1.5"></div></div>
            <b itemprop="performer">A</b><b itemprop="performer">B</b></div>
            <div itemscope itemtype="http://schema.org/Person"><i itemprop="name">C</i></div>
            """)
        #expect(
            page.values == [
                [
                    "@type": "Event", "name": "Fair", "alternateName": "Fair",
                    "location": [
                        "@type": "Place", "name": "Hall", "geo": ["@type": "GeoCoordinates", "latitude": "1.5"],
                    ], "performer": ["A", "B"],
                ], ["@type": "Person", "name": "C"],
            ])
    }

    @Test("An item takes properties from the elements that itemref names")
    func references() {
        let page = markup(
            """
            <div itemscope itemtype="https://schema.org/Person" itemref="b a missing"></div>
            <p id="a">Name: <span itemprop="name">Amanda</span></p>
            <div id="b" itemprop="band" itemscope itemref="c"></div>
            <div id="c"><p itemprop="size">12</p></div>
            """)
        #expect(page.values == [["@type": "Person", "name": "Amanda", "band": ["size": "12"]]])
    }

    @Test("Items that refer to each other end")
    func loops() {
        let page = markup(
            """
            <div itemscope itemtype="https://schema.org/A" itemref="b"></div>
            <div id="b" itemprop="b" itemscope itemref="c"></div><div id="c" itemprop="c" itemscope itemref="b"></div>
            """)
        #expect(page.items.count == 1 && page.problems.map(\.code) == [.incomplete])
    }

    @Test("Items deeper than the limit are left out with a problem")
    func depth() {
        let open = String(repeating: "<div itemscope itemprop=x itemtype=https://schema.org/Thing>", count: 100)
        let page = markup("<div itemscope itemtype=https://schema.org/Thing>" + open)
        #expect(page.items.count == 1 && page.problems.contains { $0.code == .limit })
    }
}
