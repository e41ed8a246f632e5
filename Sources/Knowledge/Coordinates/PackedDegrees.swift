import HunchModel
import Localization

/// Degrees, minutes and seconds without marks, as in aviation: `5231N01324E`, `523112N 0132418E`, `N5231.2 E01324.3`,
/// and in amateur radio: `4851.50N/00217.67E`.
///
/// Degrees alone, `46N078W`, are read by ``AngleScanner``.
///
/// Sources: ICAO Doc 4444 appendix 3 item 15 for minutes; Doc 8126 for seconds; APRS Protocol Reference 1.0.1 chapter
/// 6.
enum PackedDegrees {
    private static let maximumLength = 48

    /// Returns the coordinate of a text that contains nothing else; `nil` for other texts.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` if the numbers are out of range.
    static func coordinate(in text: String) throws(PlaceError) -> Coordinate? {
        guard text.utf8.count <= maximumLength, let first = text.utf8.first,
            first.isASCIIDigit || "NSns".utf8.contains(first)
        else { return nil }
        var rest = Array(text.utf8)[...]
        guard let latitude = angle(&rest, letters: "NS", wholeDigits: 2) else { return nil }
        // In APRS, the identifier of a symbol table, "/" or "\", is between the two.
        rest = rest.drop { $0.isASCIISpace || ",/\\".utf8.contains($0) }
        guard let longitude = angle(&rest, letters: "EW", wholeDigits: 3), rest.isEmpty,
            latitude.beginsWithLetter == longitude.beginsWithLetter, latitude.extraDigits == longitude.extraDigits
        else { return nil }
        guard let north = latitude.degrees, let east = longitude.degrees else {
            throw PlaceError(.badCoordinate, localized("minutes and seconds of a coordinate are less than 60"))
        }
        return try PlaceText.coordinate(north, east)
    }

    private struct Angle {
        var beginsWithLetter: Bool
        /// The digits after the degrees: two for minutes, four with seconds.
        var extraDigits: Int
        /// The value; `nil` if the minutes or seconds are out of range.
        var degrees: Double?
    }

    /// Removes an angle from the beginning of a text and returns it.
    private static func angle(_ rest: inout ArraySlice<UInt8>, letters: String, wholeDigits: Int) -> Angle? {
        func letter() -> UInt8? {
            guard let first = rest.first, letters.utf8.contains(first & 0xDF) else { return nil }
            rest.removeFirst()
            return first & 0xDF
        }
        let before = letter()
        let whole = Array(rest.prefix(while: \.isASCIIDigit))
        rest = rest.dropFirst(whole.count)
        var fraction: [UInt8] = []
        if rest.first == UInt8(ascii: ".") {
            fraction = Array(rest.dropFirst().prefix(while: \.isASCIIDigit))
            rest = rest.dropFirst(fraction.count + 1)
        }
        let extra = whole.count - wholeDigits
        guard extra == 2 || extra == 4, let direction = before ?? letter() else { return nil }
        let degrees = ISO6709.degrees(whole, fraction: fraction, wholeDigits: wholeDigits)
        let isNegative = direction == UInt8(ascii: "S") || direction == UInt8(ascii: "W")
        return Angle(
            beginsWithLetter: before != nil, extraDigits: extra, degrees: degrees.map { isNegative ? -$0 : $0 })
    }
}
