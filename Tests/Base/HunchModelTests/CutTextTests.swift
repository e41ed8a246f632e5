import HunchModel
import Testing

@Suite("Truncation of text") struct CutTextTests {
    @Test("A text within its limits is unchanged")
    func whole() {
        for text in ["", "a", "né", "👩‍👩‍👧‍👦", "e\u{301}"] {
            #expect(text.cut(to: text.count) == text && text.cut(toBytes: text.utf8.count) == text)
            #expect(text[...].cut(to: 100) == text)
        }
    }

    @Test("Text is cut between characters, or between scalars by bytes")
    func cut() {
        #expect("abcdef".cut(to: 3) == "abc" && "abcdef".cut(to: 0).isEmpty)
        #expect("👩‍👩‍👧‍👦👩‍👩‍👧‍👦".cut(to: 1) == "👩‍👩‍👧‍👦")
        #expect("aé€😀".cut(toBytes: 2) == "a" && "aé€😀".cut(toBytes: 3) == "aé")
        #expect("aé€😀".cut(toBytes: 5) == "aé" && "aé€😀".cut(toBytes: 9) == "aé€")
        #expect("xxaé€".dropFirst(2).cut(toBytes: 4) == "aé" && "😀".cut(toBytes: 3).isEmpty)
    }

    @Test("A character of megabytes is cut to a few hundred bytes")
    func marks() {
        let text = "e" + String(repeating: "\u{301}", count: 3_500_000)
        #expect(text.cut(to: 40).utf8.count <= 224)
        #expect(text.cut(to: 40).unicodeScalars.first == "e")
        #expect(text.dropFirst(0).cut(toBytes: 512).utf8.count == 511)
    }
}
