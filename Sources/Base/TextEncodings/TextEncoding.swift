internal import Glibc
internal import HunchModel

/// Converts texts of any character encoding to UTF-8, with the C library's iconv.
///
/// Labels are those of WHATWG Encoding and IANA, in any case. As browsers do, it reads Latin-1 and ASCII as windows-1252,
/// which contains them.
package enum TextEncoding {
    /// The labels of encodings whose texts are valid UTF-8 by accident, since all their bytes are ASCII.
    private static let sevenBit: Set<String> = ["iso-2022-jp", "iso-2022-kr", "iso-2022-cn", "hz-gb-2312", "utf-7"]
    private static let unicode: Set<String> = ["utf-8", "utf8", "unicode-1-1-utf-8", "x-unicode20utf8"]
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
    /// The names in iconv of encodings in which two bytes may be a character of UTF-8 by accident.
    private static let doubleByte: Set<String> = ["CP932", "EUC-JP", "GB18030", "BIG5-HKSCS", "CP949"]
    /// Letters of two bytes in UTF-8 that texts in East Asia do not have: of phonetics, African, Armenian and Syriac.
    private static let foreignLetters: [ClosedRange<UInt32>] = [
        0x0180...0x01CC, 0x01DD...0x0217, 0x021C...0x02FF, 0x0530...0x058F, 0x0700...0x07FF,
    ]
    /// The length in bytes below which no reader cuts a text.
    private static let shortestCut = 512
    /// The number of errors after which a text is not of its encoding. Each costs a call of iconv.
    private static let errorLimit = 10_000

    /// Returns a text in UTF-8.
    ///
    /// A byte order mark counts first. A text that is UTF-8 stays as it is, whatever its label says, since many
    /// programs convert a text and keep its label. Characters that are not in the encoding become U+FFFD.
    ///
    /// - Parameters:
    ///   - text: the bytes. They may be cut inside a character.
    ///   - label: the encoding that the text names. windows-1252 if it is empty or unknown.
    package static func utf8(_ text: some Collection<UInt8>, labelled label: String) -> [UInt8] {
        if let text = unmarked(text) { return text }
        let label = label.lowercased()
        let isUnicode = unicode.contains(label)
        return isUnicode || !sevenBit.contains(label) && isUTF8(text, labelled: name(of: label))
            ? repaired(text) : converted(text, from: name(of: label))
    }

    /// Returns whether a text is UTF-8. Its last character may be cut if it is long and others are not of ASCII.
    private static func isUTF8(_ text: some Collection<UInt8>, labelled encoding: String) -> Bool {
        if let text = String(validating: text, as: UTF8.self) {
            guard doubleByte.contains(encoding) else { return true }
            let letters = text.unicodeScalars.lazy.map(\.value).filter { $0 >= 0x80 }
            // “회” of EUC-KR is “ȸ” in UTF-8. A converted text of East Asia has characters of three bytes.
            return letters.contains { $0 >= 0x800 }
                || !letters.contains { letter in foreignLetters.contains { $0.contains(letter) } }
        }
        guard text.count >= shortestCut else { return false }
        let whole = text.dropLast(3)
        return whole.contains { $0 >= 0x80 }
            && (1...3).contains { String(validating: text.dropLast($0), as: UTF8.self) != nil }
    }

    /// Returns a text with a byte order mark in UTF-8 without the mark; `nil` if it has none.
    package static func unmarked(_ text: some Collection<UInt8>) -> [UInt8]? {
        let head = Array(text.prefix(3))
        if head == [0xEF, 0xBB, 0xBF] { return repaired(text.dropFirst(3)) }
        if head.prefix(2) == [0xFF, 0xFE] { return wide(text.dropFirst(2)) { $0 | $1 << 8 } }
        if head.prefix(2) == [0xFE, 0xFF] { return wide(text.dropFirst(2)) { $0 << 8 | $1 } }
        return nil
    }

    /// Returns a text of UTF-16 in UTF-8.
    private static func wide(_ text: some Collection<UInt8>, _ unit: (UInt16, UInt16) -> UInt16) -> [UInt8] {
        let bytes = Array(text)
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { unit(UInt16(bytes[$0]), UInt16(bytes[$0 + 1])) }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Returns a text in UTF-8, in which each byte that is not part of a UTF-8 character counts as one of windows-1252.
    ///
    /// Programs that paste Latin-1 into UTF-8 write such texts.
    package static func utf8(mixed text: some Collection<UInt8>) -> [UInt8] {
        let text = Array(text)
        if String(validating: text, as: UTF8.self) != nil { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count + text.count / 8)
        var index = 0
        while index < text.count {
            let length = characterLength(text, index)
            result += length > 0 ? text[index..<(index + length)] : windows1252[Int(text[index])][...]
            index += max(1, length)
        }
        return result
    }

    /// Returns a contact or calendar in UTF-8.
    ///
    /// Programs that count bytes fold lines inside a character, and old ones name an encoding in a `CHARSET` parameter.
    package static func utf8(card content: [UInt8]) -> [UInt8] {
        if let text = unmarked(content) { return text }
        // A text of UTF-16 without a byte order mark. It begins with BEGIN.
        if content.starts(with: [0x42, 0, 0x45, 0]) { return wide(content[...]) { $0 | $1 << 8 } }
        if content.starts(with: [0, 0x42, 0, 0x45]) { return wide(content[...]) { $0 << 8 | $1 } }
        if String(validating: content, as: UTF8.self) != nil { return content }
        let unfolded = unfolded(content)
        if String(validating: unfolded, as: UTF8.self) != nil { return unfolded }
        let text = String(decoding: content, as: UTF8.self)
        guard let name = text.firstRange(of: "CHARSET=") ?? text.firstRange(of: "charset=") else {
            return utf8(content, labelled: "")
        }
        let label = text[name.upperBound...].prefix { $0.isLetter || $0.isNumber || "-_\"".contains($0) }
        return utf8(content, labelled: String(label).replacing("\"", with: ""))
    }

    /// Returns the value of a parameter of a contact or calendar without the escapes `^'`, `^n` and `^^` (RFC 6868).
    package static func parameter(_ value: String) -> String {
        value.split(separator: "^^", omittingEmptySubsequences: false)
            .map { $0.replacing("^'", with: "\"").replacing("^n", with: "\n") }.joined(separator: "^")
    }

    /// Removes the line folds between bytes that are not of ASCII.
    private static func unfolded(_ content: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(content.count)
        var index = 0
        while index < content.count {
            if let last = result.last, last >= 0x80 {
                let ends = content[index...].prefix(2).prefix { $0 == 0x0D || $0 == 0x0A }.count
                let next = index + ends + 1
                if ends > 0, next < content.count, content[next] >= 0x80, [0x20, 0x09].contains(content[next - 1]) {
                    index = next
                }
            }
            result.append(content[index])
            index += 1
        }
        return result
    }

    /// Each byte of windows-1252 in UTF-8.
    private static let windows1252: [[UInt8]] = (0...255).map { byte in
        let text = converted([UInt8(byte)], from: "WINDOWS-1252")
        return text.isEmpty ? replacement : text
    }

    /// Returns the length of the UTF-8 character at an index, in bytes; 0 if there is none.
    private static func characterLength(_ text: [UInt8], _ index: Int) -> Int {
        let length =
            switch text[index] {
            case 0..<0x80: 1
            case 0xC2..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0..<0xF5: 4
            default: 0
            }
        guard length > 0, index + length <= text.count,
            String(validating: text[index..<(index + length)], as: UTF8.self) != nil
        else { return 0 }
        return length
    }

    /// Returns the name of the encoding that iconv knows.
    private static func name(of label: String) -> String {
        switch label {
        case "", "us-ascii", "ascii", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "windows-1252", "cp1252",
            "x-cp1252":
            "WINDOWS-1252"
        case "iso-8859-9", "latin5": "WINDOWS-1254"
        case "iso-8859-11", "tis-620": "WINDOWS-874"
        case "shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j": "CP932"
        case "gb2312", "gbk", "x-gbk", "gb_2312-80": "GB18030"
        case "big5": "BIG5-HKSCS"
        case "euc-kr", "ks_c_5601-1987": "CP949"
        default: label.uppercased()
        }
    }

    private static func repaired(_ text: some Collection<UInt8>) -> [UInt8] {
        String(validating: text, as: UTF8.self) == nil
            ? Array(String(decoding: text, as: UTF8.self).utf8) : Array(text)
    }

    private static func converted(_ text: some Collection<UInt8>, from encoding: String) -> [UInt8] {
        var converter = iconv_open("UTF-8", encoding)
        if converter == iconv_t(bitPattern: -1) { converter = iconv_open("UTF-8", "WINDOWS-1252") }
        guard let converter, converter != iconv_t(bitPattern: -1) else {
            return Array(String(decoding: text, as: UTF8.self).utf8)
        }
        defer { iconv_close(converter) }
        var input = Array(text).map(CChar.init(bitPattern:))
        var result: [UInt8] = []
        result.reserveCapacity(text.count * 3 / 2)
        var output = [CChar](repeating: 0, count: min(65_536, max(64, 4 * text.count)))
        var errors = 0
        input.withUnsafeMutableBufferPointer { source in
            var (next, remaining): (UnsafeMutablePointer<CChar>?, Int) = (source.baseAddress, source.count)
            while remaining > 0 {
                let before = remaining
                let failure = output.withUnsafeMutableBufferPointer { target -> CInt in
                    var (end, room): (UnsafeMutablePointer<CChar>?, Int) = (target.baseAddress, target.count)
                    let count = iconv(converter, &next, &remaining, &end, &room)
                    result += target.prefix(target.count - room).map(UInt8.init(bitPattern:))
                    return count == -1 ? errno : 0
                }
                switch failure {
                case 0, E2BIG: if failure == E2BIG, remaining == before { return }
                default:
                    errors += 1
                    guard errors < errorLimit || encoding == "WINDOWS-1252" else { return }
                    result += replacement
                    next = next?.advanced(by: 1)
                    remaining -= 1
                }
            }
        }
        return errors < errorLimit || encoding == "WINDOWS-1252" ? result : converted(text, from: "WINDOWS-1252")
    }
}
