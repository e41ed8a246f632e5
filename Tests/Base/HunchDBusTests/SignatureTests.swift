import CDBus
import HunchDBus
import SeededRandom
import TestSupport
import Testing

@Suite("Signatures")
struct SignatureTests {
    private static func nested(_ open: String, _ inner: String, _ close: String, _ depth: Int) -> String {
        String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    }

    private static let hard = [
        "", "y", "a", "()", "(", ")", "(y", "y)", "{sv}", "a{", "a{s", "a{sv", "a{sv}", "a{svs}", "a{vs}", "a{(s)v}",
        "a{asv}",
        "a{s}", "r", "e", "(r)", "z", "a(y)", "a(", "aa", "(a)", "a{sa{sv}}", "oa{oa{sa{sv}}}", "m", "*", "?", "@", "é",
        "s s",
        nested("a", "y", "", 32), nested("a", "y", "", 33), nested("(", "y", ")", 32), nested("(", "y", ")", 33),
        nested("a(", "y", ")", 32), nested("a(", "y", ")", 33), nested("a{s", "y", "}", 32),
        nested("a{s", "y", "}", 33),
        nested("(", nested("a{s", "y", "}", 20), ")", 20), nested("a", nested("(", "y", ")", 32), "", 32),
        nested("a", nested("(", "y", ")", 33), "", 32), String(repeating: "y", count: 255),
        String(repeating: "y", count: 256),
    ]

    @Test("Signatures match libdbus and survive a round trip")
    func oracle() throws {
        var random = SplitMix64(seed: 5)
        let characters = Array("ybnqiuxtdsoghvaaaa(((()))){{}}rze")
        let texts =
            Self.hard
            + (0..<60_000).map { _ in
                String(
                    (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in
                        characters.randomElement(using: &random)
                    })
            }
        let taken = texts.compactMap { try? Signature($0) }
        #expect(
            taken.map(\.text) == texts.filter { text in text.withCString { dbus_signature_validate($0, nil) } != 0 })
        #expect(taken.count > 1_000)
        #expect(try taken.map { try Signature(of: $0.types) } == taken)
    }

    @Test("Types that no signature can express are refused")
    func impossibleTypes() {
        for types: [ValueType] in [
            [.structure([])], [.array(.structure([]))], [.dictionary(key: .variant, value: .byte)],
            [.dictionary(key: .array(.byte), value: .byte)], Array(repeating: .byte, count: 256),
        ] {
            let error = #expect(throws: DBusError.self) { try Signature(of: types) }
            #expect(error?.name == .invalidSignature)
        }
    }
}
