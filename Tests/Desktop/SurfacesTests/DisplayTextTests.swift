import SeededRandom
import TestSupport
import Testing

@testable import HunchModel
@testable import Surfaces

@Suite("Text from other programs")
struct DisplayTextTests {
    @Test(
        "Text is cleaned for display",
        arguments: [
            ("Episode 41", "Episode 41"), ("", ""), (" \t\n", ""), ("  a \n\r\n b\u{2028}c ", "a b c"),
            ("a\u{0}b\u{7}c\u{1B}[2Jd\u{9B}e", "a b c [2Jd e"), ("\u{FEFF}a\u{FEFF}", "a"),
            ("abc\u{202E}fdp.exe", "abcfdp.exe"), ("\u{2066}a\u{2069}\u{202A}b\u{202C}", "ab"),
            ("שלום\u{200F}!", "שלום\u{200F}!"), ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"),
            ("\u{FFFE}\u{1FFFF}x\u{FFFC}", "x"), ("café", "café"), ("a\u{3000}b", "a b"),
        ])
    func cases(_ original: String, _ expected: String) {
        #expect(DisplayText(original, limit: 100).text == expected)
    }

    @Test("Text is cut with an ellipsis only if it is too long")
    func limits() {
        #expect(DisplayText("abcdef", limit: 6).text == "abcdef")
        #expect(DisplayText("abcdefg", limit: 6).text == "abcde…")
        #expect(DisplayText("abcd efg", limit: 6).text == "abcd…")
        #expect(DisplayText("abc", limit: 1).text == "…")
        #expect(DisplayText("abc", limit: 0).text == "…")
        #expect(DisplayText("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", limit: 2).text == "👩‍👩‍👧‍👦…")
    }

    @Test("Plain text has the same result as text that is read scalar by scalar")
    func plainText() {
        var generator = SplitMix64(seed: 7)
        for _ in 0..<3_000 {
            let letters = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                ["a", "b", " ", " ", "~", "\n", "é"].randomElement(using: &generator) ?? "a"
            }
            let text = letters.joined()
            let limit = Int.random(in: 0...8, using: &generator)
            // A byte order mark is dropped.
            #expect(
                DisplayText(text, limit: limit) == DisplayText("\u{FEFF}" + text, limit: limit), "\(letters), \(limit)")
        }
    }

    @Test("Combining marks are limited")
    func piles() {
        let pile = "Z" + String(repeating: "\u{0335}", count: 3_000)
        #expect(DisplayText(pile, limit: 100).text.unicodeScalars.count == 16)
        #expect(DisplayText(String(repeating: "\u{0335}", count: 1_000_000), limit: 10).text.unicodeScalars.count <= 17)
    }

    @Test("Only the start of a very long text is read, with an ellipsis")
    func endless() {
        let text = DisplayText(String(repeating: "a ", count: 1 << 20), limit: 100_000)
        #expect(text.text.count <= 4_097)
        #expect(text.text.hasSuffix("a…"))
    }

    @Test("Random text becomes one short line, and cleaning is stable")
    func properties() {
        var generator = SplitMix64(seed: 41)
        let interesting: [ClosedRange<UInt32>] = [
            0...0x7F, 0x80...0x24F, 0x300...0x36F, 0x590...0x6FF, 0x2000...0x206F, 0xFE00...0xFFFF,
            0x1F1E6...0x1FAFF, 0xE0000...0xE01FF, 0...0x10FFFF,
        ]
        for _ in 0..<3_000 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...60, using: &generator) {
                let range = interesting[Int.random(in: 0..<interesting.count, using: &generator)]
                if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { scalars.append(scalar) }
            }
            let limit = Int.random(in: 1...30, using: &generator)
            let result = DisplayText(String(scalars), limit: limit)
            #expect(result.text.count <= limit)
            #expect(DisplayText(result.text, limit: limit) == result)
            for scalar in result.text.unicodeScalars {
                #expect(scalar.properties.generalCategory != .control)
                #expect(!(0x202A...0x202E).contains(scalar.value) && !(0x2066...0x206F).contains(scalar.value))
                #expect(!scalar.properties.isWhitespace || scalar == " ")
            }
            #expect(!result.text.hasPrefix(" ") && !result.text.hasSuffix(" "))
            #expect(!result.text.escapedForMarkup.contains("<"))
        }
    }
}
