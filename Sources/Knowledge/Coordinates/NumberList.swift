import HunchModel
import Localization

/// The numbers of a position in a link. Every rule reads them here.
///
/// Some programs write numbers in the language of their user: `48,2082,16,3738` is 48.2082, 16.3738, and so is
/// `48,2082;16,3738`. Two numbers with commas would otherwise be read as another place, silently.
package enum NumberList {
    /// Returns the value of a number in degrees, with a point or a comma before its decimals.
    package static func value(of text: Substring) -> Double? {
        if let value = DecimalNumber.value(of: text, plusSign: true) { return value }
        guard text.utf8.count <= DecimalNumber.maximumLength, !text.utf8.contains(UInt8(ascii: ".")),
            text.utf8.count(where: { $0 == UInt8(ascii: ",") }) == 1
        else { return nil }
        return DecimalNumber.value(of: String(text).replacing(",", with: "."), plusSign: true)
    }

    /// Returns the value of a whole text.
    package static func value(of text: String) -> Double? { value(of: text[...]) }

    /// Returns the parts of a list that was split at commas, with the first two numbers whole if their decimals follow
    /// commas.
    ///
    /// - Parameters:
    ///   - parts: the parts between the commas.
    ///   - mayHaveMore: whether further numbers may follow the position, such as the zoom level of a view. Then four
    ///     whole numbers are two only if the second one is not a longitude.
    /// - Throws: ``PlaceError`` with `badCoordinate` if both readings are possible.
    package static func joined(
        _ parts: [Substring], mayHaveMore: Bool
    ) throws(PlaceError) -> [Substring] {
        guard parts.count >= 4, parts[..<4].allSatisfy(isWhole), [parts[1], parts[3]].allSatisfy(isUnsigned) else {
            return parts
        }
        // 1,2,3,4 are just numbers.
        guard max(parts[1].utf8.count, parts[3].utf8.count) > 1 else { return parts }
        let pair = [parts[0] + "." + parts[1], parts[2] + "." + parts[3]]
        guard let first = Int(parts[0]), let second = Int(parts[2]), first.magnitude <= 180, second.magnitude <= 180
        else {
            return parts
        }
        let isLongitude = parts[1].utf8.count <= 3 && (Int(parts[1]) ?? .max) <= 180
        if isLongitude, mayHaveMore || parts.count > 4 {
            throw PlaceError(
                .badCoordinate,
                localized(
                    "“%1” in the link may be two or four numbers; give %2 or %3,%4",
                    parts.prefix(4).joined(separator: ",").cut(to: 40), pair.joined(separator: ",").cut(to: 40),
                    parts[0], parts[1])
            )
        }
        return pair + parts.dropFirst(4)
    }

    /// Returns the parts of a position, as ``joined(_:mayHaveMore:)`` does. A title may follow, but no further numbers
    /// if decimals may follow a comma: `48,16,3738`.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` if several readings are possible.
    package static func position(_ parts: [Substring]) throws(PlaceError) -> [Substring] {
        let joined = try joined(parts, mayHaveMore: false)
        let numbers = joined.prefix { value(of: $0) != nil }
        let mayHaveCommas =
            joined.count < parts.count
            || zip(numbers, numbers.dropFirst()).prefix(2).contains { isWhole($0) && isUnsigned($1) }
        guard numbers.count > 2, mayHaveCommas else { return joined }
        throw PlaceError(
            .badCoordinate,
            localized(
                "“%1” in the link may have decimal commas; give the latitude and longitude with decimal points",
                parts.prefix(6).joined(separator: ",").cut(to: 40))
        )
    }

    private static func isWhole(_ text: Substring) -> Bool {
        isUnsigned(text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text)
    }

    private static func isUnsigned(_ text: Substring) -> Bool {
        !text.isEmpty && text.utf8.count <= DecimalNumber.maximumLength && text.utf8.allSatisfy(\.isASCIIDigit)
    }
}
