@testable import FullText
import GRDB
import HunchModel
import Testing

@testable import SearchIndexes

@Suite("Lengths and tokens of items")
struct ItemLengthsTests {
    @Test("Lengths are rounded by at most a twentieth, and fit into a row's number")
    func rounding() {
        for words in [1, 2, 3, 7, 18, 100, 999, 40_000] {
            let lengths = ItemLengths(
                row: Int64(5 << ItemLengths.bits | ItemLengths(title: 0, names: 0, text: words).code))
            #expect(abs(lengths.text / Double(words) - 1) < 0.05)
        }
        let lengths = ItemLengths(row: Int64(ItemLengths(title: 7, names: 9, text: .max).code))
        #expect(lengths.title == 7 && lengths.names == 12 && lengths.text > 60_000)
        let largest = ItemLengths(title: .max, names: .max, text: .max)
        #expect(largest.code == 1 << ItemLengths.bits - 1)
        #expect(ItemLengths(title: 0, names: 0, text: 0).code == 0)
    }

    @Test(
        "Encoded tokens are those of the text",
        arguments: [
            "", "a", "Anna's running shoes", "東京タワー and ไทย", "\u{1}\u{2}4100\u{3}1 Dim sum at Yank Sing", "é “ß” …",
        ])
    func encoding(_ text: String) throws {
        struct Token: Equatable {
            let letters: String
            let isColocated: Bool
        }
        let stemmer = try #require(Stemmer(language: "en"))
        var (scanned, decoded): ([Token], [Token]) = ([], [])
        var copy = text
        copy.withUTF8 { bytes in
            IndexTokenizer.scan(bytes, stemmer: stemmer) { letters, _, isColocated in
                scanned.append(Token(letters: String(decoding: letters, as: UTF8.self), isColocated: isColocated))
                return true
            }
        }
        let encoded = EncodedTokens(text, stemmer: stemmer)
        var tokens = encoded.text
        tokens.withUTF8 { bytes in
            EncodedTokens.decode(bytes) { letters, isColocated in
                decoded.append(Token(letters: String(decoding: letters, as: UTF8.self), isColocated: isColocated))
                return true
            }
        }
        #expect(scanned == decoded)
        #expect(encoded.count == scanned.count { !$0.isColocated })
    }

    @Test("Very frequent words are left out only if there are rarer ones")
    func frequentWords() throws {
        func terms(_ counts: [Double]) -> [SearchTerm] {
            counts.map { count in
                var term = SearchTerm(stem: "word")
                term.count = count
                return term
            }
        }
        #expect(IndexStore.compared(terms([700_000, 30, 150_000]), density: 1).map(\.count) == [30, 150_000])
        #expect(IndexStore.compared(terms([700_000, 300_000]), density: 1).map(\.count) == [300_000, 700_000])
        #expect(IndexStore.compared(terms([700_000, 30]), density: 0.1).map(\.count) == [30, 700_000])
    }

    @Test("Numbers of deleted items make no word frequent")
    func density() async throws {
        try await IndexRig.with { rig in
            try rig.add(Dictionary(uniqueKeysWithValues: (0..<40).map { ("\(100 + $0)", "note \($0)") }))
            try rig.store.write([.delete((100..<130).map(String.init))], to: IndexRig.notes, now: IndexRig.now)
            try rig.add(["last": "note"])
            try rig.store.database.read { db in
                var frequencies = WordFrequencies()
                try frequencies.update(db, SearchScope(sources: nil, hidden: nil))
                #expect(try frequencies.density("\"note\"", db) == 11.0 / 41)
            }
        }
    }

    @Test("A row's tokens are those of the view", arguments: [1, 99, 100, 12_345], [0, 1])
    func starts(_ source: Int, _ protection: Int) {
        var item = SearchableItem(id: "1", attributes: ["title": .text("2001 odyssey"), "keywords": .texts(["space"])])
        item.protection = protection == 0 ? .none : .unlocked
        let marks = ["\u{2}\(source)"] + (protection == 0 ? [] : ["\u{3}\(protection)"])
        let encoded = ItemColumns(item, stemmer: nil).starts.text(after: marks)
        let text = "\u{1}" + marks.joined() + " 2001 odyssey space"
        #expect(encoded == EncodedTokens(text, stemmer: nil).text)
    }
}
