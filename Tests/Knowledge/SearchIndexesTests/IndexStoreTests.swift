import FoundationEssentials
import GRDB
import Glibc
import HunchModel
import JSON
import TestSupport
import Testing

@testable import SearchIndexes

@Suite("Search index")
struct IndexStoreTests {
    @Test("An item replaces the one with its identifier, in its index only")
    func replacing() async throws {
        try await IndexRig.with { rig in
            let other = IndexSource(application: "org.example.Notes", name: "archive")
            try rig.add(IndexRig.item("1", "first"))
            try rig.add(IndexRig.item("1", "first too"), to: other)
            try rig.add(IndexRig.item("1", "second"))
            #expect(try rig.find("first") == ["1"] && rig.find("second") == ["1"])
            #expect(try rig.store.sources().map(\.items) == [1, 1])
        }
    }

    @Test("An item that has not changed stays as it is")
    func unchanged() async throws {
        try await IndexRig.with { rig in
            var item = IndexRig.item("1", "note", ["keywords": .texts(["a"]), "rating": .number(4)])
            item.expiry = IndexRig.now.addingTimeInterval(60)
            try rig.add(item)
            try rig.add(IndexRig.item("2", "note", ["keywords": .texts(["a"]), "rating": .number(4)]))
            try rig.add(item)
            #expect(try rig.find("note") == ["2", "1"])
            item.expiry = nil
            try rig.add(item)
            #expect(try rig.find("note") == ["1", "2"])
            try rig.store.removeExpired(now: IndexRig.now.addingTimeInterval(61))
            #expect(try rig.find("note") == ["1", "2"])
        }
    }

    @Test("An index that a job without a language created gets the language of the first user")
    func unknownLanguage() async throws {
        try await IndexRig.with(language: "en") { rig in
            try rig.add(["a": "Kirschtorte"])
            let german = try IndexStore.open(at: rig.store.path, language: "de", isFixed: true)
            #expect(try german.search("Torten", SearchOptions(now: IndexRig.now)).map(\.id) == ["a"])
            german.close()
            let other = try IndexStore.open(at: rig.store.path, language: "en", isFixed: true)
            #expect(other.language == "de")
            other.close()
        }
    }

    @Test("Changes for a file whose language has changed are refused")
    func changedLanguage() async throws {
        try await IndexRig.with { rig in
            let prepared = try rig.store.prepare([.add(IndexRig.item("1", "running"))])
            let other = try IndexStore.open(at: rig.store.path, language: "de")
            defer { other.close() }
            let error = #expect(throws: IndexError.self) {
                try rig.store.write(prepared, to: IndexRig.notes, now: IndexRig.now)
            }
            #expect(error?.code == .busy)
            try other.write([.add(IndexRig.item("1", "running"))], to: IndexRig.notes, now: IndexRig.now)
            try other.write([.deleteAll], to: IndexRig.notes, now: IndexRig.now)
            try other.scrub()
        }
    }

    @Test("Items are deleted by identifier, by domain with those below, and all")
    func deleting() async throws {
        try await IndexRig.with { rig in
            let domains = ["a": "in", "b": "in.work", "c": "inner", "d": "out", "e": "in.work.old"]
            for (id, domain) in domains {
                var item = IndexRig.item(id, "note")
                item.domain = domain
                try rig.add(item)
            }
            func delete(_ change: IndexChange) throws -> Int {
                try rig.store.write([change], to: IndexRig.notes, now: IndexRig.now)
            }
            #expect(try delete(.delete(["d", "x"])) == 1)
            #expect(try delete(.deleteDomain("in")) == 3)
            #expect(try rig.find("note") == ["c"])
            #expect(try delete(.deleteAll) == 1 && rig.find("note") == [])
        }
    }

    @Test("A client state is stored with its changes, or neither")
    func state() async throws {
        try await IndexRig.with { rig in
            #expect(try rig.store.state(of: IndexRig.notes) == nil)
            try rig.store.write([.add(IndexRig.item("1", "a"))], to: IndexRig.notes, state: [1, 2], now: IndexRig.now)
            #expect(try rig.store.state(of: IndexRig.notes) == [1, 2])
            try rig.add(IndexRig.item("2", "b"))
            #expect(try rig.store.state(of: IndexRig.notes) == [1, 2])
            #expect(throws: IndexError.self) {
                try rig.store.write(
                    [.add(IndexRig.item("3", "c")), .add(IndexRig.item("4", ""))], to: IndexRig.notes, state: [3],
                    now: IndexRig.now)
            }
            #expect(try rig.store.state(of: IndexRig.notes) == [1, 2] && rig.find("c") == [])
            #expect(throws: IndexError.self) {
                try rig.store.write([], to: IndexRig.notes, state: [UInt8](repeating: 0, count: 251), now: IndexRig.now)
            }
        }
    }

    @Test("Nothing of a removed index stays in the files")
    func removing() async throws {
        try await IndexRig.with { rig in
            try rig.add(
                IndexRig.item("1", "zebrafinch", ["text": .text("quagmire"), "custom": .text("flibbertigibbet")]))
            try rig.add(IndexRig.item("other", "stays"), to: IndexSource(application: "a", name: "b"))
            #expect(try rig.filesContain("zebrafinch") && rig.filesContain("flibbertigibbet"))
            #expect(try rig.store.remove(IndexRig.notes) == 1)
            for word in ["zebrafinch", "quagmire", "quagmir", "flibbertigibbet", "org.example.Notes"] {
                #expect(try !rig.filesContain(word), "\(word)")
            }
            #expect(try rig.store.remove(IndexRig.notes) == nil && rig.find("stays") == ["other"])
        }
    }

    @Test("Replaced and deleted items of every kind leave a sound file")
    func soundness() async throws {
        try await IndexRig.with { rig in
            // Texts that begin with the marks of tokens, and one that becomes shorter than a word.
            let texts =
                (1...6).map { "\(Unicode.Scalar(UInt8($0)))\u{4}text \u{5}of\u{6} houses" } + ["", "\u{4}", "ab"]
            for round in 0..<3 {
                for number in 0..<20 {
                    var item = IndexRig.item(
                        "\(number)", "Title \u{1}\(round) “é” 東京 running Anna's",
                        ["keywords": .texts(["k \(round)", "\u{2}9"]), "text": .text(texts[number % texts.count])])
                    item.protection = number % 2 == 0 ? .none : .unlocked
                    try rig.add(item)
                }
            }
            try rig.checkIntegrity()
            try rig.store.write([.deleteAll], to: IndexRig.notes, now: IndexRig.now)
            try rig.store.scrub()
            #expect(try rig.find("title") == [] && rig.find("text") == [])
            try rig.add(IndexRig.item("1", "Title"))
            #expect(try rig.find("title") == ["1"])
            try rig.checkIntegrity()
        }
    }

    @Test("Sources with long numbers leave a sound file")
    func manySources() async throws {
        try await IndexRig.with { rig in
            for number in 1...101 {
                let source = IndexSource(application: "org.example.Notes", name: "index-\(number)")
                try rig.add(IndexRig.item("1", "Title 123 of \(number)"), to: source)
            }
            let last = IndexSource(application: "org.example.Notes", name: "index-101")
            try rig.add(IndexRig.item("1", "Another title"), to: last)
            try rig.checkIntegrity()
            for number in 90...101 {
                let source = IndexSource(application: "org.example.Notes", name: "index-\(number)")
                try rig.store.write([.deleteAll], to: source, now: IndexRig.now)
            }
            try rig.checkIntegrity()
            #expect(try rig.store.forget(.everything) == 89)
        }
    }

    @Test("The last of several items with one identifier stays")
    func repeated() async throws {
        try await IndexRig.with { rig in
            try rig.add(["1": "old", "2": "same", "3": "former"])
            let changes: [IndexChange] = [
                .add(IndexRig.item("1", "new")), .add(IndexRig.item("2", "same")), .add(IndexRig.item("1", "old")),
                .add(IndexRig.item("4", "first")), .add(IndexRig.item("4", "second")),
                .add(IndexRig.item("3", "later")),
                .delete(["3"]), .add(IndexRig.item("5", "a")), .add(IndexRig.item("5", "b")),
                .add(IndexRig.item("5", "c")),
            ]
            #expect(try rig.store.write(changes, to: IndexRig.notes, now: IndexRig.now) == 1)
            for (word, id) in [("old", "1"), ("same", "2"), ("second", "4"), ("c", "5")] {
                #expect(try rig.find("\"\(word)\"") == [id])
            }
            for word in ["new", "first", "later", "former", "a", "b"] { #expect(try rig.find("\"\(word)\"") == []) }
            try rig.checkIntegrity()
        }
    }

    @Test("Removed texts are in no file, also if a reader prevented that at first")
    func interruptedScrub() async throws {
        try await IndexRig.with { rig in
            try rig.add(IndexRig.item("1", "Meet Ann at the lantern"), IndexRig.item("2", "Other"))
            let reader = try DatabaseQueue(path: rig.store.path)
            try reader.read { db in
                let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM item")
                #expect(count == 2)
                let error = #expect(throws: IndexError.self) {
                    try rig.store.remove(IndexRig.notes, identifiers: ["1", "none"])
                }
                #expect(error?.code == .busy)
            }
            try reader.close()
            // Another process, such as a later one of the agent, completes it.
            let other = try IndexStore.open(at: rig.store.path, language: "en")
            defer { other.close() }
            try other.scrubIfPending()
            for text in ["Meet Ann at", "lantern"] { #expect(try !rig.filesContain(text)) }
            try #expect(rig.store.remove(IndexRig.notes, identifiers: ["1"]) == 0)
        }
    }

    @Test("Activities stay no longer than the history")
    func activitiesLimit() async throws {
        try await IndexRig.with { rig in
            let activities = IndexSource(application: "org.example.Notes", name: IndexSource.activities)
            for (id, days) in [("old", -10.0), ("new", -1)] {
                var item = IndexRig.item(id, "page \(id)")
                item.expiry = IndexRig.now.addingTimeInterval(90 * 86_400)
                try rig.store.write([.add(item)], to: activities, now: IndexRig.now.addingTimeInterval(days * 86_400))
            }
            try rig.add(IndexRig.item("note", "page of a note"))
            try rig.store.limitActivities(days: 7, now: IndexRig.now)
            #expect(try Set(rig.find("page")) == ["new", "note"] && !rig.filesContain("page old"))
            #expect(try rig.store.removeExpired(now: IndexRig.now.addingTimeInterval(6.5 * 86_400)) == 1)
        }
    }

    @Test("A damaged position is an error")
    func damagedPosition() async throws {
        try await IndexRig.with { rig in
            try rig.add(IndexRig.item("1", "Title", ["text": .text("lantern")]))
            try rig.store.database.writeWithoutTransaction { db in
                for row in try Row.fetchAll(db, sql: "SELECT id, block FROM word_data WHERE id > 10") {
                    var block = [UInt8](row[1] as Data)
                    // 1, and the number of a column.
                    for index in block.indices.dropLast() where block[index] == 1 && block[index + 1] == 2 {
                        block[index + 1] = 0x20
                    }
                    try db.execute(
                        sql: "UPDATE word_data SET block = ? WHERE id = ?", arguments: [Data(block), row[0] as Int64])
                }
            }
            let error = #expect(throws: IndexError.self) { try rig.find("lantern") }
            #expect(error?.code == .unreadable)
        }
    }

    @Test("A deleted text is in no file after a checkpoint")
    func checkpoint() async throws {
        try await IndexRig.with { rig in
            try rig.store.beginImport()
            try rig.add(IndexRig.item("1", "Meet Ann at the lantern"), IndexRig.item("2", "Other"))
            #expect(try rig.filesContain("Meet Ann at the lantern"))
            try rig.store.write([.delete(["1"])], to: IndexRig.notes, now: IndexRig.now)
            try rig.store.checkpoint()
            #expect(try !rig.filesContain("Meet Ann at the lantern"))
        }
    }

    @Test("Only renewed items are asked for again")
    func renewal() async throws {
        try await IndexRig.with { rig in
            func item(_ id: String, _ seconds: Double) -> SearchableItem {
                var item = IndexRig.item(id, "note")
                item.expiry = IndexRig.now.addingTimeInterval(seconds)
                return item
            }
            let (soon, later) = (IndexRig.now.addingTimeInterval(100), IndexRig.now.addingTimeInterval(1_000))
            func expiring(_ date: Date) throws -> Set<String> {
                try Set(
                    rig.store.expiringItems(after: IndexRig.now, before: date, changedBefore: date)[IndexRig.notes]
                        ?? [])
            }
            try rig.add(item("1", 50), item("2", 50), item("3", 500))
            #expect(try expiring(soon) == ["1", "2"])
            let asked = IndexRig.now.addingTimeInterval(1)
            try rig.store.write(
                [.add(item("1", 90)), .add(item("2", 50))], to: IndexRig.notes, now: asked.addingTimeInterval(1))
            try rig.store.setRenewalAsked(["1", "2"], in: IndexRig.notes, at: asked)
            #expect(try expiring(soon) == ["1"] && expiring(later) == ["1", "3"])
        }
    }

    @Test(
        "Members of an item and misspelled attributes are none, scripts no addresses, and half a coordinate no place",
        arguments: [
            ("protected", .flag(true)), ("expires", .number(1)), ("domain", .text("a")),
            ("url", .text("javascript:alert(1)")), ("latitude", .number(50)), ("longitude", .number(50)),
            ("url", .text("\(String(repeating: " ", count: 99))\u{1}Da\tta:text/html,x")),
            ("url", .text("notes/1")), ("thumbnail", .text("cover.png")), ("lat", .number(50)), ("uri", .text("a:b")),
            ("Created", .number(1)),
        ] as [(String, AttributeValue)])
    func refused(_ name: String, _ value: AttributeValue) {
        let item = IndexRig.item("1", "note", [name: value])
        #expect(item.problem?.contains("“\(name)”") == true)
        #expect(IndexRig.item("1", "note", ["url": .text("https://example.org/data:")]).problem == nil)
    }

    @Test(
        "Only a coordinate in its range is indexed",
        arguments: [(99.0, 5.0, false), (-91, 181, false), (90, -180, true)])
    func coordinates(latitude: Double, longitude: Double, isValid: Bool) {
        let item = IndexRig.item("1", "note", ["latitude": .number(latitude), "longitude": .number(longitude)])
        #expect((item.problem == nil) == isValid)
    }

    @Test("Expired items are removed")
    func expiry() async throws {
        try await IndexRig.with { rig in
            var item = IndexRig.item("1", "note")
            item.expiry = IndexRig.now
            try rig.add(item, IndexRig.item("2", "note"))
            #expect(try rig.store.removeExpired(now: IndexRig.now) == 1)
            #expect(try rig.store.sources().map(\.items) == [1])
        }
    }

    @Test("Only the owner may read the file")
    func permissions() async throws {
        try await IndexRig.with { rig in
            try rig.add(IndexRig.item("1", "note"))
            for name in ["", "-wal"] {
                var status = stat()
                #expect(stat(rig.store.path + name, &status) == 0 && status.st_mode & 0o777 == 0o600)
            }
        }
    }

    @Test("A damaged, foreign or newer file is an error that says what to do")
    func unreadable() async throws {
        try await withTemporaryDirectory { directory in
            let path = try directory.write(String(repeating: "not a database ", count: 100), to: "index.sqlite")
            let error = #expect(throws: IndexError.self) { try IndexStore.open(at: path, language: "en") }
            #expect(error?.code == .unreadable && error?.message.contains("hunch index rebuild") == true)
            #expect(try IndexStore.openReadOnly(at: directory.file("none.sqlite")) == nil)
        }
    }

    @Test(
        "Items that cannot be indexed are refused with the reason",
        arguments: [
            ([:], "id"), (["id": .string("1")], "title"), (["id": .string("1"), "title": .number(1)], "title"),
            (["id": .string("1"), "title": .string("a"), "created": .string("soon")], "created"),
            (["id": .string("1"), "title": .string("a"), "rating": .string("5")], "rating"),
            (["id": .string("1"), "title": .string("a"), "a b": .string("5")], "a b"),
            (["id": .string("1"), "title": .string("a"), "domain": .string("a..b")], "domain"),
            (["id": .string("1"), "title": .string("a"), "keywords": .array([.number(1)])], "keywords"),
            (["id": .string("1"), "title": .string("a\u{0}b")], "title"),
            (["id": .string("1\u{0}"), "title": .string("a")], "id"),
            (["id": .string("1"), "title": .string("a"), "created": .number(1_700_000_000_000)], "created"),
            (["id": .string("1"), "title": .string(String(repeating: "a", count: 5_000))], "title"),
        ] as [([String: JSONValue], String)])
    func refused(object: [String: JSONValue], name: String) {
        let error = #expect(throws: IndexError.self) { try SearchableItem(json: .object(object)) }
        #expect(error?.code == .invalidInput && error?.message.contains("“\(name)”") == true, "\(error?.message ?? "")")
    }

    @Test("Items are read from JSON")
    func json() throws {
        let item = try SearchableItem(
            json: .object([
                "id": .string("1"), "title": .string("a"), "domain": .string("x.y"), "keywords": .string("k"),
                "created": .string("2026-11-01T00:00:00Z"), "mine": .boolean(true), "expires": .number(5),
                "protected": .boolean(true), "album": .null,
            ]))
        #expect(item.domain == "x.y" && item.attributes["keywords"] == .texts(["k"]) && item.protection == .unlocked)
        #expect(item.attributes["created"] == .number(1_793_491_200) && item.attributes["mine"] == .flag(true))
        #expect(item.expiry == Date(timeIntervalSince1970: 5) && item.attributes["album"] == nil)
    }
}
