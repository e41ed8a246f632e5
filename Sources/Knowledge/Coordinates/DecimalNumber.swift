internal import HunchModel

/// Decimal numbers of coordinates: digits with at most one point, without exponent and grouping.
public enum DecimalNumber {
    /// The maximum length of a number. More digits are meaningless for a place on Earth.
    public static let maximumLength = 128

    /// Returns the value of `[sign] digits [ "." digits ]`.
    ///
    /// - Parameters:
    ///   - text: at most ``maximumLength`` characters.
    ///   - plusSign: whether a leading `+` is allowed besides `-`.
    /// - Returns: `nil` for anything else, and for values that are not finite.
    public static func value(of text: Substring, plusSign: Bool = false) -> Double? {
        guard text.utf8.count <= maximumLength else { return nil }
        var digits = 0
        var seenPoint = false
        for (index, byte) in text.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "-") where index == 0: break
            case UInt8(ascii: "+") where index == 0 && plusSign: break
            case UInt8(ascii: ".") where !seenPoint && digits > 0:
                seenPoint = true
                digits = 0
            case _ where byte.isASCIIDigit: digits += 1
            default: return nil
            }
        }
        guard digits > 0, let value = Double(String(text)), value.isFinite else { return nil }
        return value == 0 ? 0 : value
    }

    /// Returns the value of a whole text. Other modules would not specialize a generic function.
    public static func value(of text: String, plusSign: Bool = false) -> Double? {
        value(of: text[...], plusSign: plusSign)
    }

    /// Returns the shortest digits that read back as the same number, without an exponent.
    public static func text(of value: Double) -> String {
        let plain = value == 0 ? "0" : "\(value)"
        guard let mark = plain.firstIndex(of: "e"), let exponent = Int(plain[plain.index(after: mark)...]) else {
            return plain.hasSuffix(".0") ? String(plain.dropLast(2)) : plain
        }
        let sign = value < 0 ? "-" : ""
        let mantissa = plain[..<mark].drop { $0 == "-" }
        let parts = mantissa.split(separator: ".")
        let whole = String(parts[0])
        let fraction = parts.count > 1 && parts[1] != "0" ? String(parts[1]) : ""
        if exponent < 0 {
            return sign + "0." + String(repeating: "0", count: -exponent - 1) + whole + fraction
        }
        // Swift prints an exponent only from 2^53 on, where the shortest digits never extend beyond the point.
        return sign + whole + fraction + String(repeating: "0", count: max(0, exponent - fraction.count))
    }
}
