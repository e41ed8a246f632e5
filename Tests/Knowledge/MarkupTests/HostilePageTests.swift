import JSON
import Testing

@testable import HTML
@testable import Markup

@Suite("Pages that are expensive to read", .timeLimit(.minutes(15))) struct HostilePageTests {
    private func page(_ data: String, title: String = "") -> [UInt8] {
        Array("<title>\(title)</title><script type=\"application/ld+json\">\(data)</script>".utf8)
    }

    private func list(_ value: String, _ count: Int = 300) -> String {
        "[" + Array(repeating: value, count: count).joined(separator: ",") + "]"
    }

    @Test("Items that refer to each other are read once", arguments: ["location", "reservationFor", "performer"])
    func references(property: String) {
        func item(_ id: String, _ target: String) -> String {
            let values = list("{\"@id\":\"\(target)\"}")
            let properties = [property, "departureAirport", "address", "geo"].map { "\"\($0)\":\(values)" }
            return "{\"@id\":\"\(id)\",\"@type\":\"Event\",\(properties.joined(separator: ","))}"
        }
        let markup = Markup(page: page("[\(item("#a", "#b")),\(item("#b", "#c")),\(item("#c", "#a"))]"))
        #expect(markup.items.count == 3)
        #expect(markup.meaning?.kind == .event)
        #expect(!markup.problems.contains { $0.code == .limit })
    }

    @Test("A value behind references is found")
    func found() {
        let refs = list("{\"@id\":\"#b\"}")
        let markup = Markup(
            page: page(
                """
                [{"@type":"Event","name":"E","location":\(refs)},{"@id":"#b","address":[{"@id":"#d"},{"@id":"#c"}]},
                {"@id":"#d","address":{"@id":"#d"}},{"@id":"#c","addressLocality":"Ulm"}]
                """))
        #expect(markup.meaning?.values[.locality]?.text == "Ulm")
    }

    @Test("Reading ends with the budget, and says so")
    func budget() {
        let budget = WorkBudget(steps: 1_000)
        var markup = Markup()
        let places = (0..<100).map { number in
            Markup.Item(
                syntax: .jsonLD, line: 1,
                value: .object(["@type": .string("Place"), "name": .array((0..<100).map { _ in .null })]))
        }
        markup.add(places, [])
        var reader = MeaningReader(markup, budget: budget)
        _ = reader.meaning { $1 }
        #expect(!budget.isLeft)
        // The lists of names cost more than a page may.
        let names = list("null", 9_000)
        let data =
            "["
            + (0..<400).map { "{\"@id\":\"\($0)\",\"@type\":\"Place\",\"name\":{\"@id\":\"n\"}}" }
            .joined(separator: ",") + ",{\"@id\":\"n\",\"name\":\(names)}]"
        #expect(Markup(page: page(data)).items.count == 401)
    }

    @Test("Names are looked for in the beginning of a long title")
    func title() {
        let items = (0..<900).map { "{\"@type\":\"Place\",\"name\":\"Nowhere \($0)\"}" }.joined(separator: ",")
        let title = String(repeating: "Nowhere ", count: 40_000)
        let markup = Markup(page: page("[\(items)]", title: title + "899"))
        #expect(markup.meaning?.isOneOfMany == true)
        #expect(Markup(page: page("[\(items)]", title: "Nowhere 17 – " + title)).meaning?.isOneOfMany == false)
    }

    @Test("Lines of faults are looked for in a bounded number of bytes")
    func lines() {
        let events = (0..<900).map { "{\"@type\":\"Event\",\"name\":\"E\",\"startDate\":\"\\u0074omorrow \($0)\"}" }
        let text = String(repeating: "tom ", count: 250_000)
        let markup = Markup(page: page("[\n\(events.joined(separator: ",\n"))]") + Array(text.utf8))
        #expect(markup.problems.count { $0.code == .badValue } == 900)
    }

    /// Returns the steps that reading takes.
    private func steps(_ page: [UInt8]) -> Int {
        let budget = WorkBudget()
        var markup = Markup()
        let document = markup.read(page, budget)
        markup.understand(budget) { document.line(of: $0, from: $1) }
        return WorkBudget.standard - budget.steps
    }

    @Test(
        "Four times as much of a page takes about four times the steps",
        arguments: [
            ("<div class=h-card>", "<b class='p-org p-org p-name'>x</b>"),
            ("<div itemscope>", "<b itemprop='a b c'>x</b>"),
            ("<div typeof=Place vocab=x>", "<b property='a b c'>x</b>"), ("<div class=h-geo>", "<b class=geo>1;2</b>"),
            ("<script type='application/ld+json'>[", #"{"@type":"Place","name":"N"},"#),
            ("<script type='application/ld+json'>[", #"{"@type":"Event","@id":"a","location":{"@id":"a"}},"#),
            ("<script type='application/ld+json'>[", #"{"itemListElement":{"item":{"@type":"Place","name":"N"}}},"#),
            ("<script type='application/ld+json'>[", #"{"@type":"Organization","@id":"a","location":{"@id":"a"}},"#),
            ("<title>", "&#x41;&amp&"), ("", "<p class='a b c'>"),
            ("<body itemscope>", "<p itemscope itemprop=a itemref=a>"),
            ("<body prefix='a: b'>", "<p typeof=a:b>"),
        ])
    func linear(beginning: String, piece: String) {
        func page(_ count: Int) -> [UInt8] { Array((beginning + String(repeating: piece, count: count)).utf8) }
        #expect(steps(page(400)) <= 5 * steps(page(100)) + 100)
    }

    @Test("Readers leave half of the steps to the search for the subject")
    func half() {
        let names = String(repeating: "a ", count: 256)
        let properties = String(repeating: "<b property='\(names)'>x</b>", count: 2_000)
        let markup = Markup(
            page: page(#"{"@type":"Place","name":"P"}"#) + Array("<div typeof=Place vocab=x>\(properties)</div>".utf8))
        #expect(markup.meaning?.text(.name) == "P")
        #expect(markup.problems.map(\.code) == [.limit])
    }

    @Test("Reading ends at a deadline, and says so")
    func deadline() {
        var questions = 0
        let list = list(#"{"@type":"Place","name":"P"}"#, 9_000)
        let markup = Markup(page: page(list)) {
            questions += 1
            return questions > 2
        }
        #expect(questions == 3 && markup.problems.contains { $0.code == .limit })
    }
}
