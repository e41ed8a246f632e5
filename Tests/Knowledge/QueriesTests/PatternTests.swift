import Queries
import Testing

@Suite("Patterns of the query language")
struct PatternTests {
    private func matches(_ text: String, _ pattern: String, _ modifiers: Pattern.Modifiers = []) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
        return Pattern(parts: parts, modifiers: modifiers).matches(text)
    }

    @Test("Without modifiers, the whole text must be the same")
    func plain() {
        #expect(
            matches("Yank Sing", "Yank Sing") && !matches("Yank Sing", "yank sing") && !matches("Yank Sing", "Yank"))
        #expect(matches("", "") && !matches("a", ""))
    }

    @Test("An asterisk stands for any characters")
    func wildcards() {
        #expect(matches("Yank Sing", "Yank*") && matches("Yank Sing", "*Sing") && matches("Yank Sing", "*k S*"))
        #expect(matches("Yank Sing", "*") && matches("", "*") && matches("abab", "*ab") && matches("abab", "ab*ab"))
        #expect(
            !matches("aba", "ab*ba") && !matches("abc", "a*d") && matches("a-b-c", "a*b*c") && matches("aa", "a**a"))
    }

    @Test("c ignores case and d ignores diacritics, each alone")
    func folding() {
        #expect(matches("Über", "über", .ignoresCase) && !matches("Über", "uber", .ignoresCase))
        #expect(matches("Über", "Uber", .ignoresDiacritics) && !matches("Über", "uber", .ignoresDiacritics))
        #expect(matches("ÜBER", "uber", [.ignoresCase, .ignoresDiacritics]))
        #expect(matches("Ørsted", "orsted", [.ignoresCase, .ignoresDiacritics]))
        #expect(matches("cafe\u{301}", "café", .ignoresDiacritics))
    }

    @Test("w matches between boundaries of words")
    func words() {
        #expect(matches("New York City", "York", .words) && matches("New York City", "York City", .words))
        #expect(!matches("New Yorker", "York", .words) && matches("New Yorker", "York*", .words))
        #expect(!matches("Bigapple", "apple", .words) && matches("bigApple", "Apple", .words))
        #expect(matches("room101", "101", .words) && matches("room101", "room", .words))
        #expect(matches("a tale of two cities", "of*cities", .words))
        #expect(
            matches("bigApple", "apple", [.words, .ignoresCase])
                && matches("ÄpfelBaum", "apfel", [.words, .ignoresCase, .ignoresDiacritics]))
        #expect(
            !matches("Straße", "ss", [.words, .ignoresDiacritics]) && matches("x-", "*", .words)
                && matches("", "", .words))
    }

    @Test("Hostile texts and patterns take little time")
    func hostile() {
        let text = String(repeating: "a ", count: 100_000)
        let pattern = String(repeating: "a", count: 8_000) + "b"
        for modifiers in [[], .words, .tokens, .ignoresCase] as [Pattern.Modifiers] {
            #expect(!matches(String(repeating: "a", count: 200_000), "*\(pattern)*", modifiers))
            #expect(!matches(text, "a*b", modifiers) && !matches(text, "a*a*a*a*a*a*b", modifiers))
        }
    }

    @Test("t matches words in any order")
    func tokens() {
        #expect(matches("New York City", "City New", .tokens) && !matches("New York City", "Cit", .tokens))
        #expect(matches("New York City", "Cit* New", .tokens) && !matches("New York City", "Paris New", .tokens))
        #expect(matches("I don't know", "don't", .tokens) && !matches("I don't know", "don", .tokens))
    }
}
