import HunchModel
import Localization

/// Coordinates of ISO 6709: two signed numbers without a separator, `±DD.D±DDD.D/`, `±DDMM.M±DDDMM.M/` or
/// `±DDMMSS.S±DDDMMSS.S/`, optionally with height, reference system and closing solidus.
enum ISO6709 {
    /// Returns the coordinate of a text that contains nothing else; `nil` for other texts.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` if the numbers are out of range, `unsupportedDatum` for a
    ///   reference system other than WGS 84.
    static func coordinate(in text: String) throws(PlaceError) -> Coordinate? {
        var rest = Array(text.utf8)[...]
        guard let latitude = number(&rest), let longitude = number(&rest) else { return nil }
        let height = number(&rest)
        var system: ArraySlice<UInt8>?
        if rest.starts(with: "CRS".utf8) {
            system = rest.dropFirst(3).prefix { $0 != UInt8(ascii: "/") }
            rest = rest.dropFirst(3 + (system?.count ?? 0))
        }
        let isClosed = rest.first == UInt8(ascii: "/")
        if isClosed { rest = rest.dropFirst() }
        // Without the solidus, "+1+2+3" might be anything.
        guard rest.isEmpty, isClosed || height == nil else { return nil }
        if let system, !["WGS_84", "WGS84", "EPSG4326"].contains(String(decoding: system, as: UTF8.self)) {
            throw PlaceError(
                .unsupportedDatum,
                localized("the reference system of the position is not supported; only WGS 84 can be used"))
        }
        guard let north = latitude.degrees(wholeDigits: 2), let east = longitude.degrees(wholeDigits: 3) else {
            throw PlaceError(
                .badCoordinate, localized("the position is not valid in ISO 6709; write it like +37.79-122.39/"))
        }
        return try PlaceText.coordinate(north, east)
    }

    private struct Number {
        var isNegative: Bool
        var whole: [UInt8]
        var fraction: [UInt8]

        func degrees(wholeDigits: Int) -> Double? {
            ISO6709.degrees(whole, fraction: fraction, wholeDigits: wholeDigits).map { isNegative ? -$0 : $0 }
        }
    }

    private static func number(_ rest: inout ArraySlice<UInt8>) -> Number? {
        guard let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
        var tail = rest.dropFirst()
        let whole = tail.prefix(while: \.isASCIIDigit)
        tail = tail.dropFirst(whole.count)
        var fraction: ArraySlice<UInt8> = []
        if tail.first == UInt8(ascii: ".") {
            fraction = tail.dropFirst().prefix(while: \.isASCIIDigit)
            tail = tail.dropFirst(fraction.count + 1)
        }
        guard !whole.isEmpty, whole.count <= 9, fraction.count <= 32 else { return nil }
        rest = tail
        return Number(isNegative: sign == UInt8(ascii: "-"), whole: Array(whole), fraction: Array(fraction))
    }

    /// Returns the degrees of digits, optionally followed by two digits of minutes and two of seconds.
    ///
    /// - Returns: `nil` for another number of digits, or for minutes or seconds of 60 and more.
    static func degrees(_ whole: [UInt8], fraction: [UInt8], wholeDigits: Int) -> Double? {
        // Degrees without minutes may have fewer digits, since programs omit leading zeros.
        let extra = max(0, whole.count - wholeDigits)
        guard extra == 0 || extra == 2 || extra == 4 else { return nil }
        let head = whole.count - extra
        var parts = [String(decoding: whole[..<head], as: UTF8.self)]
        for start in stride(from: head, to: whole.count, by: 2) {
            parts.append(String(decoding: whole[start..<start + 2], as: UTF8.self))
        }
        if !fraction.isEmpty { parts[parts.count - 1] += "." + String(decoding: fraction, as: UTF8.self) }
        let values = parts.compactMap { Double($0) }
        guard values.count == parts.count, values.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        return values.reversed().reduce(0) { $0 / 60 + $1 }
    }
}
