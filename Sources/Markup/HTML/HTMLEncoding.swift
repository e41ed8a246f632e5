internal import Glibc
internal import HunchModel

/// The character encodings of pages. Source: HTML Standard, section 13.2.3.2; WHATWG Encoding.
enum HTMLEncoding {
    /// The number of bytes in which a page may name its encoding.
    private static let prescanned = 4_096

    /// Returns a page in UTF-8.
    ///
    /// A byte order mark counts first. A page that is UTF-8 is read as such, whatever it says. Then the encoding that its
    /// `meta` element names counts, then windows-1252.
    static func utf8(_ page: [UInt8]) -> [UInt8] {
        if page.starts(with: [0xEF, 0xBB, 0xBF]) { return repaired(Array(page.dropFirst(3))) }
        if page.starts(with: [0xFF, 0xFE]) { return converted(page.dropFirst(2), from: "UTF-16LE") }
        if page.starts(with: [0xFE, 0xFF]) { return converted(page.dropFirst(2), from: "UTF-16BE") }
        let label = declared(page)
        // Its bytes are all ASCII.
        if label == "iso-2022-jp" { return converted(page[...], from: "ISO-2022-JP") }
        // A page may be cut inside a character.
        if String(validating: page.dropLast(3), as: UTF8.self) != nil { return repaired(page) }
        return converted(page[...], from: name(of: label))
    }

    /// Returns a text of a known encoding in UTF-8.
    ///
    /// - Parameter label: the name of the encoding in lower case; empty to find it out as for a page.
    static func utf8(_ text: [UInt8], labelled label: String) -> [UInt8] {
        switch label {
        case "": utf8(text)
        case "utf-8", "utf8": repaired(text)
        default: converted(text[...], from: name(of: label))
        }
    }

    /// Returns the name of the encoding that the iconv of the C library knows.
    private static func name(of label: String) -> String {
        switch label {
        case "", "utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "iso8859-1", "latin1", "l1", "windows-1252",
            "cp1252",
            "x-cp1252":
            "WINDOWS-1252"
        case "iso-8859-9", "latin5": "WINDOWS-1254"
        case "iso-8859-11", "tis-620": "WINDOWS-874"
        case "shift_jis", "shift-jis", "sjis", "x-sjis": "CP932"
        case "gb2312", "gbk", "x-gbk", "gb_2312-80": "GB18030"
        case "big5": "BIG5-HKSCS"
        case "euc-kr", "ks_c_5601-1987": "CP949"
        default: label.uppercased()
        }
    }

    /// Returns the encoding that the page names, in lower case; empty if it names none.
    private static func declared(_ page: [UInt8]) -> String {
        let start = Array(page.prefix(prescanned))
        let parser = HTMLParser(start, limit: 200)
        for node in parser.nodes where node.name == .meta {
            func value(_ kind: HTMLAttribute) -> String? {
                parser.attributes[Int(node.attributes.lowerBound)..<Int(node.attributes.upperBound)]
                    .first { $0.kind == kind }.map {
                        let value = start[Int($0.value.lowerBound)..<Int($0.value.upperBound)]
                        return String(decoding: value, as: UTF8.self).lowercased()
                    }
            }
            if let label = value(.charset) { return trimmed(label) }
            guard value(.httpEquivalent) == "content-type", let content = value(.content),
                let label = content.split(separator: "charset", maxSplits: 1).last, label.count < content.count
            else { continue }
            return trimmed(label.prefix { $0 != ";" })
        }
        return ""
    }

    private static func trimmed(_ label: some StringProtocol) -> String {
        String(label.filter { !$0.isWhitespace && $0 != "=" && $0 != "\"" && $0 != "'" })
    }

    /// Replaces what is not UTF-8 by U+FFFD.
    private static func repaired(_ page: [UInt8]) -> [UInt8] {
        String(validating: page, as: UTF8.self) == nil ? Array(String(decoding: page, as: UTF8.self).utf8) : page
    }

    /// Converts a text. What the encoding does not contain becomes U+FFFD. Text in an unknown encoding is read as
    /// windows-1252.
    private static func converted(_ text: ArraySlice<UInt8>, from encoding: String) -> [UInt8] {
        var converter = iconv_open("UTF-8", encoding)
        if converter == iconv_t(bitPattern: -1) { converter = iconv_open("UTF-8", "WINDOWS-1252") }
        guard let converter, converter != iconv_t(bitPattern: -1) else {
            return Array(String(decoding: text, as: UTF8.self).utf8)
        }
        defer { iconv_close(converter) }
        var input = text.map(CChar.init(bitPattern:))
        var result: [UInt8] = []
        result.reserveCapacity(text.count * 3 / 2)
        var output = [CChar](repeating: 0, count: 65_536)
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
                    result += [0xEF, 0xBF, 0xBD]
                    next = next?.advanced(by: 1)
                    remaining -= 1
                }
            }
        }
        return result
    }
}
