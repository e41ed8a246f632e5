import FoundationEssentials
import GRDB
import HunchModel
import Testing

@testable import SearchIndexes

@Suite("Compound words")
struct CompoundTests {
    private static let compounds = [
        ("de", "Torte", "Kirschtorte"), ("de", "Frist", "Die Abgabefristen"), ("de", "rechnung", "Stromrechnungen"),
        ("de", "Wohnung", "Ferienwohnung"), ("de", "Schlüssel", "Fahrradschlüssel"), ("de", "Brot", "Vollkornbrote"),
        ("de", "Äpfel", "Bratäpfel"), ("de", "Steuer", "Steuererklärung"),
        ("nl", "verzekering", "Zorgverzekering"), ("nl", "fiets", "Kinderfietsen"), ("nl", "huis", "Ziekenhuis"),
        ("sv", "tårta", "Prinsesstårta"), ("sv", "bord", "Skrivbordet"), ("sv", "räkning", "Elräkningen"),
        ("da", "regning", "Varmeregningen"), ("da", "kage", "Chokoladekager"), ("da", "nøgle", "Cykelnøgle"),
        ("no", "hytte", "Fjellhytta og sommerhytten"), ("no", "møte", "Foreldremøtet"),
        ("no", "skjorte", "Flanellskjorter"), ("de", "Wechsel", "Ölwechsel"),
        ("de", "Bescheinigung", "Arbeitsbescheinigungen"), ("de", "Bescheinigungen", "Lohnsteuerbescheinigung"),
        ("de", "Meldungen", "Krankmeldung"),
        ("de", "Fahrräder", "Fahrradhelm"), ("de", "Bücher", "Buchladen"), ("de", "Häuser", "Hausordnung"),
        ("de", "Äpfel", "Apfelkuchen"),
    ]

    @Test("A word finds compounds with it", arguments: compounds)
    func compound(language: String, word: String, title: String) async throws {
        try await IndexRig.with(language: language) { rig in
            try rig.add(["a": title, "b": "Xyz"])
            #expect(try rig.find(word) == ["a"])
            #expect(try rig.store.unknownWords(in: word, SearchOptions(now: IndexRig.now)).isEmpty)
        }
    }

    @Test("An item with the word itself comes before one with a compound of it", arguments: ["de", "nl", "sv"])
    func order(language: String) async throws {
        try await IndexRig.with(language: language) { rig in
            try rig.add(
                IndexRig.item("text", "Rezepte", ["text": .text("Eine Torte mit Sahne, Kirschen und Schokolade")]),
                IndexRig.item("word", "Torte"), IndexRig.item("end", "Kirschtorte"),
                IndexRig.item("beginning", "Tortenboden"))
            let found = try rig.find("torte")
            #expect(found.prefix(2) == ["word", "text"] && found.contains("end"), "\(found)")
            // Also while the user types.
            let options = SearchOptions(isUnfinished: true, needsAllWords: true, now: IndexRig.now)
            #expect(try Set(rig.store.search("torte", options).map(\.id)) == ["word", "text", "end", "beginning"])
        }
    }

    @Test(
        "Short words and parts that are not words do not match inside",
        arguments: [
            ("Art", "Neustart"), ("Tee", "Komitee"), ("Eis", "Beweis"), ("Ei", "Bäckerei"), ("Lasche", "Flasche"),
            ("immer", "Schimmer"), ("Rasen", "Phrasen"), ("Ende", "Spende"), ("Raum", "Albtraumhaft"),
            ("Acht", "Schlachten"), ("Bücher", "Buchung"),
        ])
    func falseFriends(word: String, title: String) async throws {
        try await IndexRig.with(language: "de") { rig in
            try rig.add(["a": title])
            #expect(try rig.find(word) == [])
        }
    }

    @Test("In languages without compounds, a part counts only if no item has the word itself")
    func otherLanguages() async throws {
        try await IndexRig.with { rig in
            try rig.add(["a": "Engineering", "b": "Kirschtorte"])
            #expect(try rig.find("torte") == ["b"])
            try rig.add(["c": "The ring"])
            #expect(try rig.find("ring") == ["c"])
            #expect(try rig.store.unknownWords(in: "Torte ring", SearchOptions(now: IndexRig.now)) == ["Torte"])
        }
    }

    @Test(
        "The language of words is that in which gettext speaks",
        arguments: [
            (["LANG": "de_DE.UTF-8"], "de"), (["LANG": "en_US.UTF-8", "LANGUAGE": "de"], "de"),
            (["LC_ALL": "en_US.UTF-8", "LANGUAGE": "xx:nb:de"], "no"), (["LANG": "C", "LANGUAGE": "de"], "en"),
            (["LANG": "fr_FR.UTF-8", "LANGUAGE": ""], "fr"), (["LANG": "C.UTF-8", "LANGUAGE": "de_AT:en"], "de"),
            ([:], "en"),
        ] as [([String: String], String)])
    func language(environment: [String: String], code: String) {
        #expect(IndexStore.language(environment: environment) == code)
    }

    private static let mistyped = [
        ("zahnartz", "Zahnarzttermin"), ("zahnartz", "Zahnarzt"), ("zahnraztterm", "Zahnarzttermin"),
        ("abgabefirst", "Abgabefrist"), ("trote", "Kirschtorte"), ("rechnugn", "Stromrechnung"),
        ("steuererklarungg", "Steuererklärung"), ("schlussle", "Fahrradschlüssel"), ("geburtstga", "Geburtstagsfeier"),
        ("versicherugn", "Haftpflichtversicherung"), ("krankenhuas", "Krankenhausaufenthalt"),
        ("philhramonie", "Philharmoniekonzert"),
    ]

    @Test("Mistyped words find compounds with the right ones", arguments: mistyped)
    func faults(word: String, title: String) async throws {
        for language in ["de", "en"] {
            try await IndexRig.with(language: language) { rig in
                try rig.add(["a": title, "b": "Xyz"])
                #expect(try rig.find(word) == ["a"], "\(language)")
                #expect(try rig.find(word, isUnfinished: true) == ["a"], "\(language)")
            }
        }
    }

    @Test("A mistyped word finds the right one before compounds with it")
    func correctedCompounds() async throws {
        try await IndexRig.with { rig in
            try rig.add(["compound": "Zahnarzttermin", "word": "Zahnarzt"])
            #expect(try rig.find("zahnartz") == ["word", "compound"])
        }
    }

    @Test("A search of one app does not find compounds of others")
    func scope() async throws {
        try await IndexRig.with(language: "de") { rig in
            try rig.add(IndexRig.item("own", "Kirschtorte"))
            try rig.add(
                IndexRig.item("mail", "Sachertorte"), to: IndexSource(application: "org.example.Mail", name: "mails"))
            let options = SearchOptions(applications: [IndexRig.notes.application], now: IndexRig.now)
            #expect(try rig.store.search("torte", options).map(\.id) == ["own"])
        }
    }

    private func endings(_ rig: IndexRig) throws -> [String] {
        try rig.store.database.read { try String.fetchAll($0, sql: "SELECT word FROM ending") }
    }

    @Test("Words of removed items do not stay in the table of compounds")
    func removal() async throws {
        try await IndexRig.with(language: "de") { rig in
            try rig.add(["a": "Scheidungsanwalt", "b": "Kirschtorte"])
            #expect(try endings(rig).contains("tlawnasgnudiehcs"))
            try rig.store.write([.delete(["a"])], to: IndexRig.notes, now: IndexRig.now)
            try rig.store.removeExpired(now: IndexRig.now)
            #expect(try endings(rig).allSatisfy { !$0.hasSuffix("hcs") } && rig.find("torte") == ["b"])
            #expect(try rig.store.forget(.everything) == 1)
            #expect(try endings(rig).isEmpty && !rig.filesContain("etrot"))
        }
    }

    private func dropEndings(_ rig: IndexRig) throws {
        try rig.store.database.write { try $0.execute(sql: "DROP TABLE ending") }
    }

    @Test("A file without the table gets it when it is opened for writing")
    func olderFile() async throws {
        try await IndexRig.with(language: "de") { rig in
            try rig.add(["a": "Kirschtorte"])
            try dropEndings(rig)
            let reader = try #require(try IndexStore.openReadOnly(at: rig.store.path))
            defer { reader.close() }
            #expect(try reader.search("torte", SearchOptions(now: IndexRig.now)).isEmpty)
            let writer = try IndexStore.open(at: rig.store.path, language: "de")
            defer { writer.close() }
            #expect(try writer.search("torte", SearchOptions(now: IndexRig.now)).map(\.id) == ["a"])
        }
    }
}
