internal import TextEncodings
internal import HunchModel

/// Turns the bytes of a document into UTF-8, without its XML declaration.
///
/// expat knows four encodings, refuses white space before the declaration, and refuses a document for a single byte that
/// is not of its encoding. So the declaration is read here (XML 1.0, appendix F), and expat does not see it.
struct XMLDecoder {
    private enum Mode {
        /// UTF-16, which expat reads.
        case utf16
        /// UTF-8, in which other bytes count as windows-1252.
        case utf8
        /// Another encoding, whose text is converted as a whole.
        case other(String)
    }

    private static let longestDeclaration = 256
    /// The labels of UTF-8. Programs that convert a document to UTF-8 keep its label of UTF-16.
    private static let utf8Labels: Set<String> = [
        "", "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be",
    ]

    private let mode: Mode
    /// The bytes before the content: a byte order mark, white space and the declaration.
    private var head: Int
    /// A character that is cut by the end of a piece, or the whole text of another encoding.
    private var rest: [UInt8] = []

    /// Creates a decoder.
    ///
    /// - Parameter start: the first bytes of the document, with its declaration.
    init(_ start: [UInt8]) {
        let isWide =
            start.prefix(2).contains(0) || start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE])
        guard !isWide else {
            (mode, head) = (.utf16, 0)
            return
        }
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let blank = start.prefix(while: isSpace).count
        let mark = start.dropFirst(blank).starts(with: [0xEF, 0xBB, 0xBF]) ? blank + 3 : 0
        let space = start.dropFirst(mark).prefix(while: isSpace).count
        let declaration = Self.declaration(in: start.dropFirst(mark + space))
        let label = declaration.label.lowercased()
        mode = mark > 0 || Self.utf8Labels.contains(label) ? .utf8 : .other(label)
        head = mark + space + declaration.length
    }

    /// Whether the bytes are UTF-16, whatever the document declares. They are passed on as they are.
    var isUTF16: Bool { if case .utf16 = mode { true } else { false } }

    /// Returns the next bytes in UTF-8.
    ///
    /// - Parameter bytes: the next bytes of the document; none at the end.
    mutating func decoded(_ bytes: [UInt8]) -> [UInt8] {
        let content = bytes.dropFirst(head)
        // Keeps the lines of the document.
        let lines = [UInt8](repeating: 0x0A, count: bytes.prefix(head).count { $0 == 0x0A })
        head = max(0, head - bytes.count)
        switch mode {
        case .utf16: return bytes
        case .utf8:
            let text = rest + content
            let cut = bytes.isEmpty ? 0 : Self.cutLength(text)
            rest = Array(text.suffix(cut))
            return lines + TextEncoding.utf8(mixed: text.dropLast(cut))
        case .other(let label):
            rest += content
            guard bytes.isEmpty else { return lines }
            defer { rest = [] }
            return TextEncoding.utf8(rest, labelled: label)
        }
    }

    /// Returns the length of a character at the end of a text that continues in the next piece; 0 if there is none.
    private static func cutLength(_ text: [UInt8]) -> Int {
        for (index, byte) in text.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return length > index + 1 ? index + 1 : 0
        }
        return 0
    }

    /// Returns the length of the declaration at the beginning of a text, and the encoding that it names.
    private static func declaration(in text: ArraySlice<UInt8>) -> (length: Int, label: String) {
        let start = String(decoding: text.prefix(longestDeclaration), as: UTF8.self)
        guard start.hasPrefix("<?xml"), start.dropFirst(5).first?.isWhitespace == true,
            let end = start.utf8.firstIndex(of: UInt8(ascii: ">"))
        else { return (0, "") }
        let declaration = start[...end]
        let length = start.utf8.distance(from: start.startIndex, to: end) + 1
        guard let name = declaration.firstRange(of: "encoding") else { return (length, "") }
        let label = declaration[name.upperBound...].drop { $0.isWhitespace || "=\"'".contains($0) }
            .prefix { !$0.isWhitespace && !"?\"'".contains($0) }
        return (length, String(label))
    }
}
