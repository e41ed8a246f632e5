import Directions
import Gazetteers
import Geocoding
import HunchModel
import Testing

/// Places by names of other languages and scripts.
extension DoubtTests {
    @Test("A far city is ambiguous under a name that has nothing in common with its own")
    func foreignName() async throws {
        for words in ["Takao", "Aichi"] {
            #expect(try await !outcome(words, from: Self.tokyo).isCertain, "\(words)")
        }
        for words in ["Peking", "Den Haag"] {
            #expect(try await outcome(words, from: Self.berlin).isCertain, "\(words)")
        }
        for here in [nil, Self.berlin] { #expect(try await !outcome("Lithopolis", from: here).isCertain) }
        let first = try await outcome("Lithopolis", from: Self.ohio).candidates.first
        #expect(first?.item.name == "Lithopolis", "\(String(describing: first))")
    }

    @Test("A city abroad is ambiguous in Chinese characters that Japan uses, too")
    func chineseCharacters() async throws {
        for words in ["中山", "松江"] {
            #expect(try await !outcome(words, from: Self.tokyo).isCertain, "\(words)")
        }
        for words in ["北京", "大阪"] { #expect(try await outcome(words, from: Self.tokyo).isCertain, "\(words)") }
        #expect(try await outcome("中山", from: nil).isCertain)
    }

    @Test(
        "At most four letters that are not exactly its name are ambiguous for a town far abroad",
        arguments: ["Road", "nix", "Lodz", "rom"])
    func shortName(words: String) async throws {
        let outcome = try await outcome(words, from: Self.berlin)
        #expect(!outcome.isCertain && !outcome.candidates.isEmpty, "\(outcome)")
    }

    @Test(
        "A short name is certain for a town nearby, a metropolis, or exactly as the town's own",
        arguments: [
            "Rom", "Roma", "Oslo", "Brno",
        ])
    func shortOwnName(words: String) async throws { #expect(try await outcome(words, from: Self.berlin).isCertain) }
}
