import JSON
import Markup
import Testing

/// Tests of JSON-LD in scripts, as it is written and as it is broken.
@Suite("JSON-LD")
struct JSONLDTests {
    private func page(_ script: String) -> Markup {
        markup("<html><head>\n<script type=\"application/ld+json\">\(script)</script></head><body></body></html>")
    }

    @Test("An object, an array, a graph and several values are items as they are written")
    func shapes() {
        #expect(
            page(#"{"@context":"https://schema.org","@type":"Place","geo":{"latitude":1.5}}"#).values == [
                ["@context": "https://schema.org", "@type": "Place", "geo": ["latitude": 1.5]]
            ])
        #expect(page(#"[{"@type":"A"},{"@type":"B"}]"#).values == [["@type": "A"], ["@type": "B"]])
        #expect(
            page(
                ##"{"@context":"https://schema.org","@graph":[{"@type":"A","b":{"@id":"#b"}},{"@id":"#b","@type":"B"}]}"##
            )
            .values == [["@type": "A", "b": ["@id": "#b"]], ["@type": "B", "@id": "#b"]])
        #expect(page(#"{"@type":"A"} {"@type":"B"}"#).values == [["@type": "A"], ["@type": "B"]])
        #expect(page(" ").problems.isEmpty && page(" ").items.isEmpty)
    }

    @Test(
        "What pages commonly break is repaired, and reported",
        arguments: [
            #"{"@type":"A","n":["1","2",],}"#, "<!-- {\"@type\":\"A\",\"n\":[\"1\",\"2\"]} -->",
            "//<![CDATA[\n{\"@type\":\"A\",\"n\":[\"1\",\"2\"]}\n//]]>",
            "/* place */ {\"@type\":\"A\", // kind\n\"n\":[\"1\",\"2\"]}",
            "{\"@type\":\"A\"\n\"n\":[\"1\" \n\"2\"]}", #"{"@type":"A",,"n":["1",,"2"]};"#, #"{@type:"A",n:["1","2"]}"#,
            #"{"@type":"A","n":["1","2"]"#, #"{"@type":"A","n":["1","2"]}}"#,
            "{&quot;@type&quot;:&quot;A&quot;,&quot;n&quot;:[&quot;1&quot;,&quot;2&quot;]}",
        ])
    func repairs(script: String) {
        let page = page(script)
        #expect(page.values == [["@type": "A", "n": ["1", "2"]]], "\(page)")
        #expect(page.problems.map(\.code) == [.repaired])
    }

    @Test("Line breaks and quotation marks in strings are kept")
    func strings() {
        #expect(page("{\"a\":\"one\ntwo\tthree\"}").values == [["a": "one\ntwo\tthree"]])
        #expect(page(#"{"a":"the "best" place","b":"it\'s"}"#).values == [["a": "the \"best\" place", "b": "it's"]])
        #expect(
            page(#"{"a":"https://example.org/ // no comment","b":1,}"#).values == [
                ["a": "https://example.org/ // no comment", "b": 1.0]
            ])
    }

    @Test("What cannot be read is reported with its line, and the rest of the page is read")
    func unreadable() {
        let page = markup(
            """
            <script type="application/ld+json">
            {"a": }{]
            "b" : : 1</script>
            <script type="application/ld+json; charset=utf-8">{"@type":"B"}</script>
            <script type="text/javascript">{"@type":"C"}</script>
            """)
        #expect(page.values.last == ["@type": "B"])
        #expect(page.problems.first?.line == 2)
    }

    @Test("Values nested deeper than the limit are reported")
    func depth() {
        let page = page(String(repeating: "[", count: 5_000))
        #expect(page.items.isEmpty && page.problems.map(\.code) == [.limit])
    }
}
