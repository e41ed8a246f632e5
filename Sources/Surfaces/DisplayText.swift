internal import HunchModel

/// Text from outside, such as a title that a web page gave to a player, made harmless to show on one line.
///
/// - White space, line ends and control characters become single spaces; there is none at either end.
/// - Embeddings, overrides and isolates of the bidirectional algorithm are gone: they could turn what stands behind them
///   around. The marks LRM, RLM and ALM stay, they act on nothing but themselves.
/// - Annotation characters, byte order marks and noncharacters are gone.
/// - A character has at most 16 scalars: what is piled on top of that is gone.
/// - A text longer than its limit ends in “…”.
///
/// At most the first 4,096 scalars are looked at.
///
/// Source: Unicode Standard Annex 9 (bidirectional controls); Unicode Technical Report 36, 2.
public struct DisplayText: Hashable, Sendable, CustomStringConvertible {
    /// The most scalars of the original that are looked at.
    public static let examinedScalars = 4_096
    /// The most scalars in one character: the longest emoji sequences have 10.
    public static let scalarsPerCharacter = 16

    /// The harmless text, on one line.
    public let text: String

    /// Makes a text harmless.
    ///
    /// - Parameter limit: the most characters (extended grapheme clusters) of the result, at least 1.
    public init(_ original: String, limit: Int) {
        if Self.isHarmless(original, limit: limit) {
            text = original
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

    /// The harmless text.
    public var description: String { text }

    /// Whether there is nothing to see.
    public var isEmpty: Bool { text.isEmpty }

    /// The text with the characters escaped that mean something in the markup of notification bodies.
    ///
    /// Source: Desktop Notifications Specification 1.2, "Markup".
    public var escapedForMarkup: String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    /// Whether a text can stay as it is, as far as a look at its bytes tells: printable ASCII, not too long, single spaces
    /// within. Most are like this, and they are shown often.
    private static func isHarmless(_ text: String, limit: Int) -> Bool {
        guard text.utf8.count <= min(limit, examinedScalars) else { return false }
        let space = UInt8(ascii: " ")
        var last = space
        for byte in text.utf8 {
            guard (0x21...0x7E).contains(byte) || (byte == space && last != space) else { return false }
            last = byte
        }
        return last != space || text.isEmpty
    }

    private enum Role {
        case kept
        case space
        case dropped
    }

    private static func role(of scalar: Unicode.Scalar) -> Role {
        switch scalar.value {
        // Embeddings and overrides, isolates.
        case 0x202A...0x202E, 0x2066...0x2069: return .dropped
        // Deprecated formatting, byte order mark, annotations, object replacement.
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
