import FoundationEssentials
import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import SearchIndexes

/// FTS5 becomes damaged if deleting an item's words does not find exactly those that were inserted.
@Suite("Soundness of the index after random changes")
struct SoundnessTests {
    /// Parts of texts that the tokenizer treats in a special way, and others.
    private static let parts = [
        "Wi-Fi", "e-mail", "d'e-mails", "12-5", "東京タワー", "ไทย", "é", "ß", "\u{1}", "\u{2}7", "\u{3}1", "\u{4}", "\u{5}",
        "\u{6}", "\u{AD}", "\u{2011}", "-", "'", "’", "running", "houses", "a", "10000", " ", " ", ".", "👩‍👩‍👧", "ﬁ", "İ",
        String(repeating: "x", count: 70), "\u{301}", "ｶﾞ", "١٢", "state-of-the-art", "Großstadt",
    ]

    private static func text(_ random: inout SplitMix64) -> String {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
            parts[Int.random(in: 0..<parts.count, using: &random)] + (Bool.random(using: &random) ? " " : "")
        }.joined()
    }

    @Test(
        "Added, replaced and deleted items leave a sound file", arguments: ["en", "de", "fr", "id"],
        1...2 as ClosedRange<UInt64>)
    func random(_ language: String, _ seed: UInt64) async throws {
        try await IndexRig.with(language: language) { rig in
            var random = SplitMix64(seed: seed)
            // Their numbers have one to three digits.
            let sources = (1...102).map { IndexSource(application: "org.example.Notes", name: "index-\($0)") }
            for source in sources { try rig.add(IndexRig.item("first", "First"), to: source) }
            for _ in 0..<300 {
                let source = sources[[0, 50, 101][Int.random(in: 0..<3, using: &random)]]
                let id = "\(Int.random(in: 0..<20, using: &random))"
                let change: IndexChange
                switch Int.random(in: 0..<20, using: &random) {
                case 0: change = .deleteAll
                case 1: change = .deleteDomain("a")
                case 2...4: change = .delete([id])
                default:
                    var item = IndexRig.item(
                        id, "T" + Self.text(&random),
                        [
                            "keywords": .texts([Self.text(&random), Self.text(&random)]),
                            "text": .text(Self.text(&random)),
                            "rating": .number(Double.random(in: 0...5, using: &random)),
                        ])
                    item.domain = Bool.random(using: &random) ? "a.b" : nil
                    item.protection = Bool.random(using: &random) ? .unlocked : .none
                    change = .add(item)
                }
                try rig.store.write([change], to: source, now: IndexRig.now)
                _ = try rig.find(Self.text(&random), isUnfinished: Bool.random(using: &random))
            }
            try rig.checkIntegrity()
            for source in sources { try rig.store.write([.deleteAll], to: source, now: IndexRig.now) }
            try rig.checkIntegrity()
            try rig.store.scrub()
            try rig.checkIntegrity()
        }
    }
}
