/// A telephone number that can be dialled, out of what people write.
///
///     TelephoneNumber("+1 (415) 555-0100 ext. 7")?.uri   // tel:+14155550100
public struct TelephoneNumber: Hashable, Sendable {
    /// The number of digits of a telephone number: from the shortest emergency number to the longest of ITU-T E.164
    /// with a prefix.
    public static let digitCount = 3...20

    /// The digits, a plus sign before those of an international number.
    public let digits: String

    /// Reads a number. An extension is left away.
    ///
    /// - Returns: `nil` for what is no number, and for codes with `*` or `#`, by which devices are controlled.
    public init?(_ text: String) {
        var rest = Substring(text.trimmingPrefix { $0 == " " })
        if rest.lowercased().hasPrefix("tel:") { rest = rest.dropFirst(4) }
        let isInternational = rest.first == "+"
        // A trunk prefix is written for those who call from within the country, and wrong for all others.
        if isInternational { rest = Substring(rest.dropFirst().replacing("(0)", with: "")) }
        var digits = ""
        reading: for character in rest {
            switch character {
            case "0"..."9" where character.isASCII: digits.append(character)
            case " ", "-", ".", "(", ")", "/", "\u{00A0}", "\u{202F}", "\u{2010}"..."\u{2015}": continue
            // The beginning of an extension: “;ext=7”, “, 7”, “x7”, “ext. 7”.
            case ";", ",", "x", "X", "e", "E": break reading
            default: return nil
            }
        }
        guard Self.digitCount.contains(digits.count) else { return nil }
        self.digits = (isInternational ? "+" : "") + digits
    }

    /// The number as a link (RFC 3966, without the context that a local number would need by it: dialers know theirs).
    public var uri: String { "tel:" + digits }
}
