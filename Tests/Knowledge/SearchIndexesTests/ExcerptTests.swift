import FoundationEssentials
import GRDB
import HunchModel
import Queries
import Testing

@testable import SearchIndexes

@Suite("Lines of text around matches")
struct ExcerptTests {
    private static let filler = "A report about many other subjects of the year follows here. "

    private func hit(
        _ text: String, for words: String, title: String = "Note", more: [String: AttributeValue] = [:],
        language: String = "en"
    ) async throws -> SearchHit {
        var hits: [SearchHit] = []
        try await IndexRig.with(language: language) { rig in
            let texts: [String: AttributeValue] = text.isEmpty ? [:] : ["text": .text(text)]
            try rig.add(IndexRig.item("1", title, more.merging(texts) { $1 }))
            hits = try rig.store.search(words, SearchOptions(needsExcerpts: true, now: IndexRig.now))
        }
        return try #require(hits.first)
    }

    @Test("The line has the words around the match, and ends between words")
    func context() async throws {
        let long = String(repeating: Self.filler, count: 40)
        let line = try await hit(long + "Then Ann paid the\n\n plumber’s invoice. " + long, for: "invoices").excerpt
        #expect(line.hasPrefix("… ") && line.hasSuffix(" …") && line.contains("paid the plumber’s invoice."), "\(line)")
        #expect(line.unicodeScalars.count <= 126, "\(line)")
        for word in line.split(separator: " ").dropFirst().dropLast() {
            #expect((long + "Then Ann paid the plumber’s invoice.").split(separator: " ").contains(word), "\(word)")
        }
    }

    @Test("The match is among the first letters, which a terminal shows")
    func narrow() async throws {
        let long = String(repeating: Self.filler, count: 9)
        let line = try await hit(long + "Then the invoice of the plumber came.", for: "invoice").excerpt
        #expect(String(line.prefix(40)).contains("invoice"), "\(line)")
    }

    @Test("A short text is shown as a whole")
    func short() async throws {
        #expect(try await hit("with Ann", for: "ann").excerpt == "with Ann")
        #expect(try await hit("with (Ann)", for: "ann").excerpt == "with (Ann)")
        #expect(try await hit("", for: "note").excerpt == "")
        #expect(try await hit("with Ann", for: "note").excerpt == "with Ann")
    }

    @Test("The place with most of the words is shown")
    func best() async throws {
        let text = "An invoice. " + String(repeating: Self.filler, count: 9) + "The invoice of the plumber came."
        #expect(try await hit(text, for: "plumber invoice").excerpt.contains("The invoice of the plumber came."))
    }

    @Test("Other forms, compounds and corrected words are matches, too")
    func forms() async throws {
        let long = String(repeating: Self.filler, count: 9)
        for (word, text, language) in [
            ("restaurants", "Dinner in the restaurant was good", "en"), ("restuarant", "The restaurant was good", "en"),
            ("Torte", "Oma backt die Kirschtorte", "de"), ("zahnartz", "Der Zahnarzttermin ist morgen", "de"),
            ("京都", "昨日、京都の寺", "en"),
        ] {
            let line = try await hit(long + text, for: word, language: language).excerpt
            #expect(line.contains(text), "\(line)")
        }
    }

    @Test("The line has no HTML")
    func html() async throws {
        let text = """
            <html><head><style>p { color: red }</style></head><body><p class="a">Dear&nbsp;Zo&euml; &amp; Ben,</p><!-- x > y -->
            <script>track("invoice")</script><br/>the <b>invoice</b> of &#8364;5 &lt; 6</body></html>
            """
        let line = try await hit(text, for: "invoice").excerpt
        #expect(line == "Dear Zoë & Ben, the invoice of €5 < 6", "\(line)")
        let plain = "From <ann@example.org>: invoice 3 < 4 & 5 > 4"
        #expect(try await hit(plain, for: "invoice").excerpt == plain)
    }

    @Test("A text without spaces is cut, too")
    func unspaced() async throws {
        let line = try await hit(String(repeating: "文", count: 500) + "京都", for: "京都").excerpt
        #expect(line.contains("京都") && line.unicodeScalars.count <= 126)
        let long = try await hit(String(repeating: "文", count: 500), for: "文").excerpt
        #expect(long.unicodeScalars.count <= 126 && long.hasSuffix("…"))
    }

    @Test("A match in other attributes is shown, unless the title has one")
    func names() async throws {
        let more: [String: AttributeValue] = ["keywords": .texts(["garden", "harbour"])]
        #expect(try await hit("of Ann", for: "harbour", more: more).excerpt == "garden. harbour")
        #expect(try await hit("of Ann", for: "harbour", title: "Harbour", more: more).excerpt == "of Ann")
    }

    private func setDate(_ date: Double, of item: String, _ rig: IndexRig) throws {
        try rig.store.database.write {
            try $0.execute(sql: "UPDATE item SET date = ? WHERE identifier = ?", arguments: [date, item])
        }
    }

    @Test("A result has the date of its content, else that of its indexing; a query has excerpts, too")
    func dates() async throws {
        try await IndexRig.with { rig in
            try rig.add(
                IndexRig.item("own", "Note", ["created": .number(1_600_000_000), "text": .text("long ago")]),
                IndexRig.item("added", "Note"), IndexRig.item("damaged", "Note"))
            try setDate(1e300, of: "damaged", rig)
            let options = SearchOptions(needsExcerpts: true, now: IndexRig.now)
            let hits = try rig.store.search("note", options)
            let dates = Dictionary(uniqueKeysWithValues: hits.map { ($0.id, $0.date) })
            #expect(dates["own"] == Date(timeIntervalSince1970: 1_600_000_000) && dates["added"] == IndexRig.now)
            #expect(dates["damaged"] == Date(timeIntervalSince1970: 253_402_300_799))
            let query = try Query("created < 1700000000", clock: IndexRig.now)
            #expect(try rig.store.search(query, options).map(\.excerpt) == ["long ago"])
        }
    }
}
