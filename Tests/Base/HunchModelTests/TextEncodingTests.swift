@testable import TextEncodings
import HunchModel
import Testing

@Suite("Character encodings") struct TextEncodingTests {
    private func text(_ bytes: [UInt8], _ label: String) -> String {
        String(decoding: TextEncoding.utf8(bytes, labelled: label), as: UTF8.self)
    }

    @Test(
        "A text is read in the encoding that it names",
        arguments: [
            ([0x48, 0xFC, 0x74, 0x74, 0x65], "windows-1252", "Hütte"), ([0x48, 0xFC], "ISO-8859-1", "Hü"),
            ([0x80], "iso-8859-1", "€"), ([0xD5, 0xE8, 0xE6, 0xE0], "windows-1251", "Хижа"),
            ([0xCB, 0xC9], "KOI8-R", "ки"), ([0xB1, 0xB1, 0xBE, 0xA9], "gbk", "北京"),
            ([0xB1, 0xB1, 0xBE, 0xA9], "GB2312", "北京"), ([0x93, 0x8C, 0x8B, 0x9E], "Shift_JIS", "東京"),
            ([0xA4], "iso-8859-15", "€"), ([0xA5, 0x78, 0xA5, 0x5F], "big5", "台北"), ([0xFC], "", "ü"),
            ([0xFC], "no-such-encoding", "ü"),
            // The first character is “ȸ” in UTF-8, and the second is invalid there or cut.
            ([0xC8, 0xB8, 0xC0, 0xC7], "EUC-KR", "회의"), ([0xC8, 0xB8, 0xBB, 0xE7], "euc-kr", "회사"),
            ([0x4B, 0x20, 0xC8, 0xB8], "euc-kr", "K 회"), ([0xC7, 0xB0], "gb2312", "前"),
            ([0x1B, 0x24, 0x42, 0x45, 0x6C, 0x1B, 0x28, 0x42], "iso-2022-jp", "東"),
        ] as [([UInt8], String, String)])
    func labelled(bytes: [UInt8], label: String, expected: String) { #expect(text(bytes, label) == expected) }

    @Test("A text in UTF-8 stays as it is, whatever it names")
    func mislabelled() {
        #expect(text(Array("Hütte".utf8), "windows-1252") == "Hütte")
        #expect(text(Array("Hütte".utf8), "UTF-8") == "Hütte")
        for label in ["gbk", "shift_jis", "big5", "euc-kr"] {
            for words in ["Hütte", "Москва", "Łódź", "Ȝ山", "회의"] { #expect(text(Array(words.utf8), label) == words) }
        }
        #expect(text([0x48, 0xFC], "utf-8") == "H\u{FFFD}")
    }

    @Test("A long text in UTF-8 may be cut within a character")
    func cut() {
        let long = String(repeating: "Hütte ", count: 100)
        #expect(text(Array(long.utf8) + [0xE5, 0x8C], "euc-kr") == long + "\u{FFFD}")
    }

    @Test("A byte order mark takes precedence over the name")
    func mark() {
        #expect(text([0xFF, 0xFE, 0x48, 0, 0xFC, 0], "windows-1251") == "Hü")
        #expect(text([0xFE, 0xFF, 0, 0x48, 0, 0xFC], "") == "Hü")
        #expect(text([0xEF, 0xBB, 0xBF] + Array("ü".utf8), "") == "ü")
    }

    @Test(
        "The escapes in a parameter are resolved",
        arguments: [
            ("Café ^'Le Lion^'", "Café \"Le Lion\""), ("a^nb", "a\nb"), ("^^n", "^n"), ("^^^'", "^\""), ("a^b", "a^b"),
        ])
    func parameters(value: String, text: String) { #expect(TextEncoding.parameter(value) == text) }

    @Test("Bytes outside UTF-8 count as windows-1252 in a mixed text")
    func mixed() {
        let mixed = Array("Zürich, H".utf8) + [0xFC] + Array("tte 北".utf8) + [0x80, 0xC3]
        #expect(String(decoding: TextEncoding.utf8(mixed: mixed), as: UTF8.self) == "Zürich, Hütte 北€Ã")
    }
}
