/// A telephone number that can be dialled, parsed from common notations.
///
///     TelephoneNumber("+1 (415) 555-0100 ext. 7")?.uri   // tel:+14155550100
public struct TelephoneNumber: Hashable, Sendable {
    /// The range of digit counts: from the shortest emergency number to the longest ITU-T E.164 number with a prefix.
    public static let digitCount = 3...20

    /// The digits, after a plus sign if the number is international.
    public let digits: String

    /// Parses a number. An extension is dropped.
    ///
    /// - Returns: `nil` for other texts, and for codes with `*` or `#`, which control devices.
    public init?(_ text: String) {
        var rest = Substring(text.trimmingPrefix { $0 == " " })
        if rest.lowercased().hasPrefix("tel:") { rest = rest.dropFirst(4) }
        let isInternational = rest.first == "+"
        // The trunk prefix “(0)” is only for calls within the country.
        if isInternational { rest = Substring(rest.dropFirst().replacing("(0)", with: "")) }
        var digits = ""
        reading: for character in rest {
            switch character {
            case "0"..."9" where character.isASCII: digits.append(character)
            case " ", "-", ".", "(", ")", "/", "\u{00A0}", "\u{202F}", "\u{2010}"..."\u{2015}": continue
            // The start of an extension: “;ext=7”, “, 7”, “x7”, “ext. 7”.
            case ";", ",", "x", "X", "e", "E": break reading
            default: return nil
            }
        }
        guard Self.digitCount.contains(digits.count) else { return nil }
        self.digits = (isInternational ? "+" : "") + digits
    }

    /// The number as a `tel:` URI (RFC 3966). A local number has no `phone-context`, which the RFC requires, because
    /// dialers know their own.
    public var uri: String { "tel:" + digits }
}
