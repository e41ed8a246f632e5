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
        "Common faults of pages are repaired and reported",
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

    @Test("Unreadable parts are reported with their lines, and the rest of the page is read")
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

    @Test("Values beyond the limit of a script are left out with a problem")
    func manyValues() {
        let items = (0..<150_000).map { "{\"a\":\($0)}" }.joined(separator: ",")
        let page = page("[\(items)]")
        #expect(page.values.count == Markup.maximumItems && page.values.last == ["a": .number(9_999)])
        #expect(page.problems.map(\.code) == [.limit, .limit])
        let members = (0..<250_000).map { "\"k\($0)\":[{\"]\":\"}\\\"\"}]" }.joined(separator: ",")
        let wide = self.page("{\"first\":1,\(members)}")
        #expect(wide.items.count == 1 && wide.problems.map(\.code) == [.limit])
        // An end that is missing is one that is repaired, too.
        #expect(self.page("[\(items),{\"b\":\"").problems.contains { $0.code == .repaired })
    }

    @Test("Consecutive values are limited, too")
    func manyTexts() {
        let page = page(String(repeating: "{\"a\":1}", count: 120_000))
        #expect(page.items.count == Markup.maximumItems && page.problems.map(\.code) == [.limit, .limit])
    }

    @Test("Commas that are missing on a line, and half surrogate pairs, are repaired")
    func moreRepairs() {
        #expect(
            page(#"{"@type":"Place" "name":"x" "a:b":1}"#).values == [
                ["@type": "Place", "name": "x", "a:b": .number(1)]
            ])
        #expect(page(#"{"name":"the "old" inn"}"#).values == [["name": #"the "old" inn"#]])
        #expect(page(#"{"a":"\ud800 x \ud83d\ude00 \ude00"}"#).values == [["a": "\u{FFFD} x 😀 \u{FFFD}"]])
        #expect(page("not json at all").problems.map(\.code) == [.notJSON])
    }

    @Test("A script that is escaped like text is read")
    func escaped() {
        let page = page("{&quot;@type&quot;:&#34;Place&quot;,&quot;name&quot;:&quot;A &amp;amp; B&lt;&quot;}")
        #expect(page.values == [["@type": "Place", "name": "A & B<"]])
    }
}
