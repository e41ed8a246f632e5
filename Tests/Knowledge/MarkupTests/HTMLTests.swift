import JSON
import Markup
import Testing

/// Tests of the tree of a page, seen through the values of properties.
@Suite("HTML of a page")
struct HTMLTests {
    /// Returns the values of the properties of an item, by their names.
    private func values(_ content: String) -> [String: String] {
        let object = markup("<body><div itemscope itemtype=https://schema.org/X>\(content)</div></body>").items.first?
            .value
            .object
        return object?.compactMapValues(\.string).filter { $0.key != "@type" } ?? [:]
    }

    @Test(
        "Elements with optional end tags end where the next begins",
        arguments: [
            ("<ul><li itemprop=a>1<li itemprop=b>2</ul><b itemprop=c>3</b>", ["a": "1", "b": "2", "c": "3"]),
            ("<ul><li itemprop=a>1<ul><li>2</ul><li itemprop=b>3</ul>", ["a": "1 2", "b": "3"]),
            ("<p itemprop=a>1<p itemprop=b>2<div itemprop=c>3</div>", ["a": "1", "b": "2", "c": "3"]),
            ("<dl><dt itemprop=a>1<dd itemprop=b>2<dt itemprop=c>3</dl>", ["a": "1", "b": "2", "c": "3"]),
            (
                "<table><tr><td itemprop=a>1<td itemprop=b>2<tr itemprop=c><td>3</table>",
                ["a": "1", "b": "2", "c": "3"]
            ),
            (
                "<table><tr><td itemprop=a><table><tr><td>1</table>2<td itemprop=b>3</table>",
                ["a": "1 2", "b": "3"]
            ),
            ("<select><option itemprop=a>1<option itemprop=b>2</select>", ["a": "1", "b": "2"]),
            ("<a itemprop=a><b>1<a itemprop=b>2</a>", ["a": "", "b": ""]),
            ("<h1 itemprop=a>1<h2 itemprop=b>2</h3><i itemprop=c>3</i>", ["a": "1", "b": "2", "c": "3"]),
        ])
    func implied(content: String, expected: [String: String]) { #expect(values(content) == expected) }

    @Test(
        "Misplaced end tags close nothing else",
        arguments: [
            ("<div itemprop=a>1</span></p></td>2</div>", ["a": "12"]),
            ("<b><div itemprop=a>1</b>2</div>", ["a": "12"]),
            ("<div itemprop=a>1<b>2</div><i itemprop=b>3</i>", ["a": "12", "b": "3"]),
            ("<table><tr><td itemprop=a>1</div>2</table>", ["a": "12"]),
            ("<p itemprop=a>1</body></html>2", ["a": "12"]),
        ])
    func misplaced(content: String, expected: [String: String]) { #expect(values(content) == expected) }

    @Test(
        "Texts have spaces where lines and blocks begin, and no scripts",
        arguments: [
            ("<p itemprop=a>1<br>2</p>", "1 2"), ("<div itemprop=a>1<div>2</div>3</div>", "1 2 3"),
            ("<div itemprop=a>a<b>b</b>c</div>", "abc"),
            ("<div itemprop=a>1<script>x</script><style>y</style>2</div>", "12"),
            ("<div itemprop=a>1<!-- <b>x --> 2<!-->3<!--->4<!-- --!>5</div>", "1 2345"),
            ("<div itemprop=a>1<template>x</template>2</div>", "12"),
            ("<div itemprop=a>1<?x?>2<!x>3</ >4</div>", "1234"),
            ("<div itemprop=a>a < b <3 &lt; c</div>", "a < b <3 < c"),
            ("<textarea itemprop=a><b>&amp;</b></textarea>", "<b>&</b>"),
        ])
    func texts(content: String, expected: String) { #expect(values(content)["a"] == expected) }

    @Test(
        "Character references are read as the standard says",
        arguments: [
            ("&eacute;&EACUTE;&eacute", "é&EACUTE;é"), ("&notit; &notin; &not", "¬it; ∉ ¬"),
            ("&#233;&#xE9;&#XE9 &#150;&#0;&#xD800;&#x110000;", "ééé –\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("&amp;amp; & &; &# &#x; &x;", "&amp; & &; &# &#x; &x;"), ("&CounterClockwiseContourIntegral;", "∳"),
            ("&fjlig;&NotEqualTilde;", "fj≂\u{338}"),
        ])
    func references(content: String, expected: String) {
        #expect(values("<p itemprop=a>\(content)</p>")["a"] == expected)
    }

    @Test("In attributes, a name without a semicolon may be part of an address")
    func attributeReferences() {
        let link = "<meta itemprop=a content='/?a=1&copy=2&amp;b=&lt;&notit;&eacute'>"
        #expect(values(link)["a"] == "/?a=1&copy=2&b=<&notit;é")
        #expect(
            values("<meta itemprop = a content=x/y><meta itemprop='b' CONTENT=\"1'2\">") == ["a": "x/y", "b": "1'2"])
        // The first of equal attributes counts, and a slash separates attributes.
        #expect(values("<meta/itemprop=a/content=1 content=2>") == ["a/content=1": "2"])
    }

    @Test("A script may hold a comment with a script")
    func scripts() {
        let page = markup("<script>a <!-- <script> </script> --> b</script><title>T</title>")
        #expect(page.title == "T")
        #expect(markup("<script><!-- x </script><title>T</title>").title == "T")
        #expect(markup("<title>a</titles>b</title >").title == "a</titles>b")
        #expect(markup("<script>if (a <b) {}</script><title>T</title>").title == "T")
    }

    @Test("SVG and MathML have their own rules")
    func foreign() {
        #expect(values("<svg><title>x</title><g/></svg><b itemprop=a>1</b>") == ["a": "1"])
        #expect(values("<svg><b itemprop=a>1</b>") == ["a": "1"])
        #expect(values("<div itemprop=a><svg><text><![CDATA[<b>]]></text></svg></div>") == ["a": "<b>"])
    }

    @Test("Data is found at any depth and on any line")
    func deep() {
        let depth = String(repeating: "<div>", count: 2_000)
        let lines = String(repeating: "\n", count: 100_000)
        let page = markup("\(depth)\(lines)<p itemscope itemtype=https://schema.org/X><b itemprop=a>1</b></p>")
        #expect(page.items.first?.value.object?["a"]?.string == "1")
        #expect(page.items.first?.line == 100_001)
        let closed = depth + String(repeating: "</div>", count: 2_000)
        #expect(values(closed + "<b itemprop=a>1</b>") == ["a": "1"])
    }
}
