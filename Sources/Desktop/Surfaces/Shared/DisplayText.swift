internal import HunchModel

/// Untrusted text, such as a title that a web page gave to a player, sanitized for display on one line.
///
/// - White space, line ends and control characters become single spaces. Leading and trailing space is removed.
/// - Bidirectional embeddings, overrides and isolates are removed, as they could reorder the text after them. The
///   marks LRM, RLM and ALM stay, as they affect nothing else.
/// - Annotation characters, byte order marks and noncharacters are removed.
/// - A character keeps at most 16 scalars.
/// - A text longer than its limit ends in “…”.
///
/// Only the first 4,096 scalars are read.
///
/// Source: Unicode Standard Annex 9 (bidirectional controls); Unicode Technical Report 36, 2.
public struct DisplayText: Hashable, Sendable, CustomStringConvertible {
    /// The maximum number of scalars that are read.
    public static let examinedScalars = 4_096
    /// The maximum number of scalars in a character. The longest emoji sequences have 10.
    public static let scalarsPerCharacter = 16

    /// The sanitized text, on one line.
    public let text: String

    /// Sanitizes a text.
    ///
    /// - Parameter limit: the maximum number of characters (extended grapheme clusters) in the result, at least 1.
    public init(_ original: String, limit: Int) {
        if let plain = Self.plain(original, limit: limit) {
            text = plain
            return
        }
        var scalars = String.UnicodeScalarView()
        var pendingSpace = false
        var rest = original.unicodeScalars.makeIterator()
        for _ in 0..<Self.examinedScalars {
            guard let scalar = rest.next() else { break }
            switch Self.role(of: scalar) {
            case .space:
                pendingSpace = !scalars.isEmpty
            case .dropped:
                break
            case .kept:
                if pendingSpace { scalars.append(" ") }
                pendingSpace = false
                scalars.append(scalar)
            }
        }
        var result = ""
        var count = 0
        let wasCut = rest.next() != nil
        for character in String(scalars) {
            if count == max(limit, 1) {
                result = Self.ellipsis(after: result.dropLast())
                break
            }
            result.unicodeScalars.append(contentsOf: character.unicodeScalars.prefix(Self.scalarsPerCharacter))
            count += 1
        }
        if wasCut, !result.hasSuffix("…"), count < max(limit, 1) { result = Self.ellipsis(after: result[...]) }
        text = result
    }

    /// The sanitized text.
    public var description: String { text }

    /// Whether there is no visible text.
    public var isEmpty: Bool { text.isEmpty }

    /// Returns the result for a text of printable ASCII with single spaces, as most are; `nil` for any other. The text
    /// after the limit is not read.
    private static func plain(_ original: String, limit: Int) -> String? {
        let limit = min(max(limit, 1), examinedScalars)
        let space = UInt8(ascii: " ")
        var last = space
        var count = 0
        for byte in original.utf8 {
            guard (0x21...0x7E).contains(byte) || (byte == space && last != space) else { return nil }
            if count > limit || count == limit && byte != space {
                // ASCII follows, so the cut splits no character.
                return ellipsis(after: original[..<original.utf8.index(original.startIndex, offsetBy: limit - 1)])
            }
            last = byte
            count += 1
        }
        return last != space || original.isEmpty ? original : nil
    }

    private enum Role {
        case kept
        case space
        case dropped
    }

    private static func role(of scalar: Unicode.Scalar) -> Role {
        switch scalar.value {
        // Embeddings and overrides, then isolates.
        case 0x202A...0x202E, 0x2066...0x2069: return .dropped
        // Deprecated format characters, byte order mark, annotations, object replacement.
        case 0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFC: return .dropped
        default: break
        }
        if scalar.properties.isWhitespace { return .space }
        if scalar.properties.isNoncharacterCodePoint { return .dropped }
        return scalar.properties.generalCategory == .control ? .space : .kept
    }

    private static func ellipsis(after text: Substring) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text + "…"
    }
}
