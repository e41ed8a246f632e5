import Markup
import Testing

/// Tests from W3C, “RDFa Lite 1.1”.
@Suite("RDFa Lite")
struct RDFaTests {
    @Test("An element may be about another item, of any type")
    func subjects() {
        let page = markup(
            """
            <body vocab="https://schema.org/" resource="#page"><div resource="#bob"><b property="name">Bob</b>
            <a property="knows" href="#eve">Eve</a></div><b about="#eve" property="name">Eve</b><p resource="#none">x</p></body>
            """)
        #expect(
            page.values == [
                [
                    "@id": "https://example.org/menu/#bob", "name": "Bob", "knows": "https://example.org/menu/#eve",
                ], ["@id": "https://example.org/menu/#eve", "name": "Eve"],
            ])
    }

    @Test("vocab, typeof and property make items in items")
    func items() {
        let page = markup(
            """
            <div vocab="https://schema.org/" typeof="Place" resource="#hall"><h1 property="name">Town
              Hall</h1>
            <div property="address" typeof="PostalAddress"><span property="addressLocality">Bonn</span></div>
            <a property="url" href="hall">more</a><time property="opened" datetime="1737">old</time>
            <meta property="telephone" content="1"><meta property="telephone" content="2"></div>
            """)
        #expect(
            page.values == [
                [
                    "@type": "Place", "@id": "https://example.org/menu/#hall", "name": "Town Hall",
                    "address": ["@type": "PostalAddress", "addressLocality": "Bonn"],
                    "url": "https://example.org/menu/hall", "opened": "1737", "telephone": ["1", "2"],
                ]
            ])
        #expect(page.items.first?.syntax == .rdfa)
    }

    @Test("Prefixes name vocabularies; another vocabulary keeps its address")
    func prefixes() {
        let page = markup(
            """
            <div prefix="s: http://schema.org/ x: http://x.example/v#" typeof="s:Person x:Hero">
            <b property="schema:name">Ann</b><i property="x:power">flight</i></div>
            """)
        #expect(
            page.values == [
                ["@type": ["Person", "http://x.example/v#Hero"], "name": "Ann", "http://x.example/v#power": "flight"]
            ])
    }

    @Test("Properties outside of items are not items")
    func openGraph() {
        let page = markup(
            "<html><head><meta property='og:title' content='T'><meta property=name content=x></head></html>")
        #expect(page.items.isEmpty && page.openGraph == ["og:title": ["T"]])
    }
}
