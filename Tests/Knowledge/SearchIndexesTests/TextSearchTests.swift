import FoundationEssentials
import HunchModel
import Queries
import SearchIndexes
import Testing

@Suite("Searches for words")
struct TextSearchTests {
    @Test("The last word is completed by words in titles, the likeliest first")
    func completions() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Dim sum", "2": "Dim sum and Süßes", "3": "Summer", "4": "Dim light"])
            func complete(_ text: String) throws -> [String] {
                try rig.store.completions(of: text, SearchOptions(now: IndexRig.now))
            }
            #expect(try complete("dim su") == ["dim sum", "dim Süßes"])
            #expect(Set(try complete("sum")) == ["sum", "Summer"])
            #expect(try complete("dim ").isEmpty && complete("dim xyz").isEmpty && complete("").isEmpty)
            #expect(try complete("(dim lig") == ["(dim light"])
        }
    }

    @Test("Words are found in any form, without case and diacritics")
    func forms() async throws {
        try await IndexRig.with { rig in
            try rig.add([
                "1": "Running to the Restaurants", "2": "Straße nach Ørsted", "3": "Anna’s café",
                "4": "L’hôtel d'Artagnan", "5": "STRAẞE",
            ])
            #expect(try rig.find("run") == ["1"] && rig.find("RESTAURANT") == ["1"])
            #expect(
                try Set(rig.find("strasse")) == ["2", "5"] && rig.find("orsted") == ["2"] && rig.find("ørsted") == ["2"]
            )
            #expect(try rig.find("annas cafe") == ["3"] && rig.find("Anna's") == ["3"])
            #expect(try rig.find("hotel") == ["4"] && rig.find("artagnan") == ["4"] && rig.find("l'hôtel") == ["4"])
        }
    }

    @Test("The typed form of a word counts more than others")
    func exactForms() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Books"])
            try rig.add(["2": "Booking"])
            #expect(try rig.find("books") == ["1", "2"] && rig.find("booking") == ["2", "1"])
        }
    }

    @Test("Excluded apps do not take places from others")
    func exclusion() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Invoice of the plumber, and other letters"])
            for number in 0..<5 {
                try rig.add(
                    IndexRig.item("m\(number)", "Invoice involved"),
                    to: IndexSource(application: "org.example.Mail", name: "a"))
            }
            var options = SearchOptions(limit: 2, excluded: ["org.example.Mail"], now: IndexRig.now)
            for isUnfinished in [false, true] {
                options.isUnfinished = isUnfinished
                #expect(try rig.store.search("invoice", options).map(\.id) == ["1"])
            }
            #expect(try rig.store.search(Query("title == \"Inv*\"", clock: IndexRig.now), options).map(\.id) == ["1"])
            #expect(try rig.store.completions(of: "invo", options) == ["Invoice"])
            options.excluded.insert(IndexRig.notes.application)
            #expect(
                try rig.store.search("invoice", options).isEmpty && rig.store.completions(of: "inv", options).isEmpty)
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
        for locale in ["nb_NO.UTF-8", "nn_NO.UTF-8"] {
            #expect(IndexStore.language(environment: ["LANG": locale]) == "no")
        }
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
            #expect(try rig.find("行きました") == ["1"] && rig.find("\"行きません\"") == [])
            #expect(try rig.find("อาหาร") == ["3"])
            try rig.add(["4": "東京 tower night", "5": "東京都庁"])
            #expect(try rig.find("\"東京 tower\"") == ["4"] && Set(rig.find("\"東京都\"")) == ["1", "5"])
            #expect(try Set(rig.find("\"東京\"")) == ["1", "4", "5"])
            try rig.add(["6": "北京的烤鸭", "7": "北京大学", "8": "烤面包"])
            #expect(try rig.find("北京烤鸭").first == "6" && Set(rig.find("北京烤鸭")) == ["6", "7"])
            let all = try rig.store.search("北京烤鸭", SearchOptions(needsAllWords: true, now: IndexRig.now))
            #expect(all.map(\.id) == ["6"])
        }
    }

    @Test("A hyphen joins the words around it, too")
    func hyphens() async throws {
        try await IndexRig.with { rig in
            try rig.add([
                "a": "The Wi-Fi of the hotel", "b": "wifi at work", "c": "Re-sent e-mails", "d": "An email",
                "e": "fi - no wi",
            ])
            #expect(try Set(rig.find("wifi")) == ["a", "b"])
            #expect(try Set(rig.find("wi-fi")) == ["a", "b", "e"])
            #expect(try Set(rig.find("email")) == ["c", "d"] && rig.find("e-mail").count == 2)
            #expect(try rig.find("\"wifi of\"") == ["a"])
            #expect(try Set(rig.find("wif", isUnfinished: true)) == ["a", "b"])
            var options = SearchOptions(isUnfinished: true, now: IndexRig.now)
            options.needsAllWords = true
            #expect(try Set(rig.store.search("wi-fi", options).map(\.id)) == ["a", "b", "e"])
            #expect(try Set(rig.store.search("wi-f", options).map(\.id)) == ["a", "b"])
            #expect(try Set(rig.store.search("e-mai", options).map(\.id)) == ["c", "d"])
            #expect(try rig.find("wi -wi-fi") == ["e"])
            try rig.add(["f": "Score 12-5 in Wi\u{2011}Fi", "g": "1-25", "h": "Karl-Heinz", "i": "l'e-mail d'Anne"])
            #expect(try rig.find("125") == [] && rig.find("12-5").first == "f" && rig.find("wifi").contains("f"))
            #expect(try rig.find("karlheinz") == ["h"] && rig.find("email").contains("i"))
            try rig.add(["j": "Говорят по-русски", "k": "Rate 12.5", "l": "Gate 12 of 5"])
            #expect(try rig.find("пор", isUnfinished: true) == ["j"])
            #expect(try rig.find("gate rate -12.5") == ["l"] && rig.find("rate gate \"12\" -5").isEmpty)
            try rig.checkIntegrity()
            try rig.store.write([.deleteAll], to: IndexRig.notes, now: IndexRig.now)
            try rig.checkIntegrity()
        }
    }

    @Test("Numbers are found with and without separators of thousands")
    func thousands() async throws {
        try await IndexRig.with { rig in
            try rig.add([
                "a": "Rent €1,250 monthly", "b": "Paid 1250", "c": "1'250'000 people", "d": "Room 1, 250 guests",
                "e": "Version 12.5.250b", "f": "abc1,250",
            ])
            for text in ["1250", "1,250", "1.250", "1’250"] {
                #expect(try Set(rig.find(text)) == ["a", "b", "c"], "\(text)")
            }
            #expect(try rig.find("1250000") == ["c"] && rig.find("1,250,000") == ["c"])
            #expect(try rig.find("\"rent €1,250 monthly\"") == ["a"] && rig.find("12.5.250b") == ["e"])
            #expect(try rig.find("\"1250 monthly\"") == ["a"] && Set(rig.find("250")) == ["a", "c", "d", "f"])
            #expect(try rig.find("rent paid -1,250").isEmpty)
            try rig.checkIntegrity()
            try rig.store.write([.deleteAll], to: IndexRig.notes, now: IndexRig.now)
            try rig.checkIntegrity()
        }
    }

    @Test("Titles with all words come first")
    func titles() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Holiday plan", "2": "The holiday plan of the year"])
            let text = Array(repeating: "Our holiday plan: a holiday needs a plan.", count: 9).joined(separator: " ")
            for number in 0..<20 { try rig.add(IndexRig.item("m\(number)", "Message", ["text": .text(text)])) }
            for number in 0..<100 { try rig.add(IndexRig.item("o\(number)", "Other", ["text": .text("of the year")])) }
            #expect(try Array(rig.find("holiday plan").prefix(2)) == ["1", "2"])
            #expect(try Set(rig.find("holiday").prefix(2)) == ["1", "2"])
        }
    }

    @Test("All texts of an item are found by their words, a phone number without signs")
    func attributes() async throws {
        try await IndexRig.with { rig in
            let song = IndexRig.item("1", "1999", ["artist": .text("Prince"), "label": .texts(["Paisley Park"])])
            let contact = IndexRig.item(
                "2", "Max",
                ["phone": .text("+49 30 1234567"), "email": .text("max@example.org"), "kind": .text("friend")])
            try rig.add(song, contact)
            #expect(try rig.find("prince") == ["1"] && rig.find("paisley") == ["1"] && rig.find("friend") == [])
            for text in ["+49301234567", "030 1234567", "max@example.org"] { #expect(try rig.find(text) == ["2"]) }
            try rig.checkIntegrity()
        }
    }

    @Test("One letter of a further word changes nothing")
    func oneLetter() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "Invoice 2026", "2": "Invoice", "3": "Room 2", "4": "Invoice 2", "5": "東京 寺", "6": "東京"])
            let options = SearchOptions(isUnfinished: true, needsAllWords: true, now: IndexRig.now)
            for text in ["invoice", "invoice 2", "invoice x"] {
                let found = try rig.store.search(text, options).map(\.id)
                #expect(Set(found) == ["1", "2", "4"], "\(text)")
                if text.hasSuffix("2") { #expect(found.first == "4") }
            }
            #expect(try rig.store.search("東京 寺", options).map(\.id) == ["5"])
            #expect(try rig.store.search("invoice 2026-1", options).map(\.id) == ["1"])
        }
    }

    @Test("Of very many equal items, that with the newest content comes first")
    func newestContent() async throws {
        try await IndexRig.with { rig in
            let items = (0..<900).map { number in
                IndexRig.item(
                    "\(number)", "Invoice \(number + 1_000)",
                    ["created": .number(IndexRig.now.timeIntervalSince1970 - Double(number) * 86_400)])
            }
            try rig.store.write(items.map(IndexChange.add), to: IndexRig.notes, now: IndexRig.now)
            for text in ["invoice", "inv", "voice invoice"] {
                let options = SearchOptions(isUnfinished: true, now: IndexRig.now)
                #expect(
                    try rig.store.search(text, options).prefix(5).map(\.id) == ["0", "1", "2", "3", "4"], "\(text)")
            }
        }
    }

    @Test("Parts of addresses, dates and versions belong together")
    func compounds() async throws {
        try await IndexRig.with { rig in
            try rig.add([
                "a": "Ask john.smith@example.org", "b": "Smith, John and others", "c": "Due 2026-03-14",
                "d": "On 14 March 2026", "e": "Host 192.168.1.20", "f": "20 of 192", "g": "Read node.js",
            ])
            #expect(try rig.find("example.org") == ["a"] && rig.find("john.smith@example.org") == ["a"])
            #expect(try rig.find("john.sm", isUnfinished: true) == ["a"] && rig.find("192.168.1.20") == ["e"])
            #expect(try rig.find("2026-03-14") == ["c"] && Set(rig.find("2026/03/15")) == ["c", "d"])
            #expect(try rig.find("smith.john") == ["b"] && Set(rig.find("john.others")) == ["a", "b"])
            #expect(try rig.find("read -node.js") == [])
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

    @Test("A search of one app depends on its own items only")
    func scopes() async throws {
        try await IndexRig.with { rig in
            let mail = IndexSource(application: "org.example.Mail", name: "mails")
            try rig.add(IndexRig.item("own", "secretwore meeting"))
            func find(_ text: String, isLocked: Bool = false) throws -> [String] {
                let options = SearchOptions(
                    applications: [IndexRig.notes.application], isLocked: isLocked, now: IndexRig.now)
                return try rig.store.search(text, options).map { "\($0.id) \($0.score)" }
            }
            let before = try [find("secretword"), find("meeting secretwore nothing")]
            #expect(before[0].count == 1)
            var hidden = IndexRig.item("hidden", "secretword")
            hidden.protection = .unlocked
            try rig.add(IndexRig.item("mail", "secretword meeting"), hidden, to: mail)
            #expect(try [find("secretword"), find("meeting secretwore nothing")] == before)
            // However many newer ones other apps have.
            try rig.store.write(
                (0..<4_500).map { .add(IndexRig.item("\($0)", "meeting \($0)")) }, to: mail, now: IndexRig.now)
            #expect(try find("meeting").count == 1)
            #expect(try find("secretword", isLocked: true) == before[0])
        }
    }

    @Test("A few very long texts do not change the order of others")
    func outliers() async throws {
        try await IndexRig.with { rig in
            for number in 0..<50 {
                try rig.add(
                    IndexRig.item("\(number)", "Note \(number)", ["text": .text("about garden and house \(number)")]))
            }
            try rig.add(
                IndexRig.item("title", "Marathon training plan", ["text": .text("run each day, then rest on Sunday")]),
                IndexRig.item("text", "Running shoes", ["text": .text("for the marathon")]),
                IndexRig.item("long", "Book", ["text": .text(String(repeating: "many words of a book ", count: 8_000))])
            )
            #expect(try rig.find("marathon") == ["title", "text"])
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
