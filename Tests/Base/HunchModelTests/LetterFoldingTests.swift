import HunchModel
import Testing

@Suite("Folding of letters")
struct LetterFoldingTests {
    @Test("Folded letters stay as they are")
    func idempotence() {
        for value in UInt32(0x80)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value), let letters = LetterFolding.letters(of: scalar) else { continue }
            for letter in letters where !letter.isASCII {
                #expect(LetterFolding.letters(of: letter) == [letter], "U+\(String(value, radix: 16))")
            }
        }
    }
}
