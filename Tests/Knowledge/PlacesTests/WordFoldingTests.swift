import SeededRandom
import Testing

@testable import JourneyWords

@Suite("Word folding: diacritics, case, abbreviations") struct WordFoldingTests {
    @Test(
        "Words are folded",
        arguments: [
            ("São Paulo", "sao paulo"), ("ŁÓDŹ", "lodz"), ("Zürich", "zurich"), ("Zuerich", "zurich"),
            ("Mu\u{308}nchen", "munchen"),
            ("Goethe", "gothe"), ("Ærø", "aro"), ("Œuvre", "ouvre"), ("Straße", "str"), ("STRASSE", "str"),
            ("Str.", "str"),
            ("Hauptstraße", "hauptstr"), ("Hauptstr.", "hauptstr"), ("HAUPTSTRASSE", "hauptstr"),
            ("Kerkstraat", "kerkstr"),
            ("Marienplatz", "marienpl"), ("St. Louis", "st louis"), ("Saint-Louis", "st louis"),
            ("Fifth Avenue", "5th av"), ("Via del Corso", "v del crs"), ("Pº de Gracia", "ps de gracia"),
            ("Václavské nám.", "vaclavske nam"), ("Erzsébet körút", "erzsebet krt"), ("Wien Hauptbahnhof", "wien hbf"),
            ("Av. Paulista", "av paulista"), ("Avenida Paulista", "av paulista"), ("Rue de l’Église", "r de l eglise"),
            ("O'Hare", "o hare"), ("МОСКВА", "москва"), ("Королёв", "королев"), ("Αθήνα", "αθηνα"), ("ΑΘΗΝΑ", "αθηνα"),
            ("東京", "東京"), ("दिल्ली", "दिल्ली"), ("القاهرة", "القاهره"), ("１２３", "123"), ("İstanbul", "istanbul"),
            ("ISTANBUL", "istanbul"),
            ("Nguyễn Huệ", "nguyen hu"), ("", ""), (" ,.;", ""), ("12a/3", "12a 3"),
        ])
    func folds(text: String, words: String) {
        #expect(WordFolding.words(of: text).joined(separator: " ") == words)
    }

    @Test("All spellings of a word fold to the same word")
    func foldsSpellingsAlike() {
        for row in WordForms.rows {
            for word in row.words.split(separator: " ") {
                #expect(WordFolding.words(of: String(word)) == WordFolding.words(of: row.short), "\(word)")
            }
        }
        #expect(WordFolding.words(of: "Piazza Navona") == WordFolding.words(of: "Pza. Navona"))
    }

    @Test("Folding is idempotent, valid and without capital letters")
    func isStable() {
        var random = SplitMix64(seed: 5)
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0xC0...0x24F, 0x370...0x52F, 0x5D0...0x64A, 0x1E00...0x1EFF, 0x4E00...0x4E40,
        ]
        for _ in 0..<2_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...90, using: &random) {
                let range = ranges.randomElement(using: &random) ?? 0x20...0x7E
                if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
            }
            let words = WordFolding.words(of: String(text))
            for word in words {
                #expect(!word.contains("\u{FFFD}") && word.utf8.count <= WordFolding.maximumWordLength)
                #expect(
                    WordFolding.words(of: word.uppercased()).joined() == WordFolding.words(of: word).joined()
                        || !word.utf8.allSatisfy { $0 < 0x80 })
            }
        }
    }
}
