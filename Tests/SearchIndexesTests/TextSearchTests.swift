import FoundationEssentials
import HunchModel
import SearchIndexes
import Testing

@Suite("Searches for words")
struct TextSearchTests {
    @Test("Words are found in any form, without case and diacritics")
    func forms() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Running to the Restaurants", "2": "Straße nach Ørsted", "3": "Anna’s café"])
            #expect(try rig.find("run") == ["1"] && rig.find("RESTAURANT") == ["1"])
            #expect(try rig.find("strasse") == ["2"] && rig.find("orsted") == ["2"] && rig.find("ørsted") == ["2"])
            #expect(try rig.find("annas cafe") == ["3"] && rig.find("Anna's") == ["3"])
        }
    }

    @Test("Words are reduced to their stems in the language of the desktop")
    func languages() async throws {
        try await IndexRig.with(language: "de") { rig in
            try rig.add(["1": "Die Häuser am See"])
            #expect(try rig.find("Hauses") == ["1"])
        }
        #expect(IndexStore.language(environment: ["LANG": "de_AT.UTF-8"]) == "de")
        #expect(IndexStore.language(environment: ["LANG": "de_AT.UTF-8", "LC_ALL": "C"]) == "en")
    }

    @Test("Another language indexes the words again")
    func changedLanguage() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Die freundlicheren Nachbarn"])
            #expect(try rig.find("freundlichster") == [])
            let other = try IndexStore.open(at: rig.store.path, language: "de")
            defer { other.close() }
            #expect(try other.search("freundlichster", SearchOptions(now: IndexRig.now)).map(\.id) == ["1"])
        }
    }

    @Test("Chinese, Japanese and Thai texts are found by parts of them")
    func unspaced() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "東京都に行きました", "2": "京都の寺", "3": "ร้านอาหารไทย"])
            #expect(try rig.find("東京都") == ["1"] && Set(rig.find("京都")) == ["1", "2"] && rig.find("寺") == ["2"])
            #expect(try rig.find("行きました") == ["1"] && rig.find("行きません") == [])
            #expect(try rig.find("อาหาร") == ["3"])
        }
    }

    @Test("Long words are cut between letters")
    func longWords() async throws {
        try await IndexRig.with { rig in
            let long = String(repeating: "ж", count: 31) + "a" + String(repeating: "ж", count: 100)
            try rig.add(["1": long])
            try rig.add(IndexRig.item("3", "Text", ["text": .text(String(repeating: "z", count: 100_000) + " end")]))
            #expect(try rig.find(long) == ["1"] && rig.find("end") == ["3"])
            #expect(try rig.find(String(repeating: "z", count: 80)) == ["3"])
        }
    }

    @Test("Phrases, exclusions and beginnings")
    func syntax() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Dim sum at Yank Sing", "2": "Sing along, Yank", "3": "Yankees"])
            #expect(try rig.find("\"yank sing\"") == ["1"] && rig.find("„Yank Sing“") == ["1"])
            #expect(try Set(rig.find("yank sing")) == ["1", "2"] && rig.find("yank -dim") == ["2"])
            #expect(try Set(rig.find("sing yan", isUnfinished: true).prefix(2)) == ["1", "2"])
            #expect(try rig.find("yanke", isUnfinished: true).first == "3")
            // A word followed by a space is finished.
            #expect(
                try rig.find("dim ", isUnfinished: true) == ["1"] && rig.find("-yank") == [] && rig.find("  ") == [])
        }
    }

    @Test("Mistyped words are corrected")
    func spelling() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Philharmonie", "2": "Jazz evening", "3": "Restaurant"])
            #expect(
                try rig.find("philhramonie") == ["1"] && rig.find("restuarant") == ["3"] && rig.find("ajzz") == ["2"])
            #expect(try rig.find("xyzzy") == [])
        }
    }

    @Test("Items with more of the words come first")
    func allWords() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "red car", "2": "red house", "3": "blue car"])
            #expect(try rig.find("red car") == ["1", "3", "2"])
        }
    }

    @Test("A title counts more than names, and names more than text")
    func fields() async throws {
        try await IndexRig.with { rig in
            try rig.add(
                IndexRig.item("text", "A letter", ["text": .text("about a harbour and more")]),
                IndexRig.item("title", "The harbour", ["text": .text("with ships and more")]),
                IndexRig.item(
                    "names", "A picture", ["keywords": .texts(["harbour"]), "text": .text("by nobody and more")]))
            #expect(try rig.find("harbour") == ["title", "names", "text"])
        }
    }

    @Test("Newer items come first among equal ones")
    func recency() async throws {
        try await IndexRig.with { rig in
            let now = IndexRig.now.timeIntervalSince1970
            try rig.add(
                IndexRig.item("new", "Minutes", ["modified": .number(now - 3_600)]),
                IndexRig.item("old", "Minutes", ["modified": .number(now - 400 * 86_400)]))
            #expect(try rig.find("minutes") == ["new", "old"])
        }
    }

    @Test("Options limit the hits to apps, to what is not expired, and to what a locked screen may show")
    func options() async throws {
        try await IndexRig.with { rig in
            var secret = IndexRig.item("secret", "Note")
            secret.protection = .unlocked
            var expired = IndexRig.item("expired", "Note")
            expired.expiry = IndexRig.now
            try rig.add(secret, expired)
            let mail = IndexSource(application: "org.example.Mail", name: "mails")
            try rig.add(IndexRig.item("mail", "Note"), to: mail)
            func find(_ change: (inout SearchOptions) -> Void) throws -> Set<String> {
                var options = SearchOptions(now: IndexRig.now)
                change(&options)
                return Set(try rig.store.search("note", options).map(\.id))
            }
            #expect(try find { _ in } == ["secret", "mail"])
            #expect(try find { $0.isLocked = true } == ["mail"])
            #expect(try find { $0.applications = ["org.example.Notes"] } == ["secret"])
            #expect(try find { $0.index = "mails" } == ["mail"])
            #expect(try find { $0.limit = 1 }.count == 1 && find { $0.limit = 0 }.isEmpty)
        }
    }

    @Test("Rare words decide among more items than are compared")
    func many() async throws {
        try await IndexRig.with { rig in
            try rig.store.write(
                (0..<9_000).map {
                    .add(IndexRig.item("\($0)", $0 == 7 ? "common rare words here" : "common words here"))
                },
                to: IndexRig.notes, now: IndexRig.now)
            #expect(try rig.find("common rare").first == "7")
            #expect(try rig.find("here common words rare unknownword").first == "7")
            #expect(try rig.find("common").count == 20)
        }
    }
}
