import HunchModel

/// Positions of ISO 6709: two signed numbers without a separator, `±DD.D±DDD.D/`, `±DDMM.M±DDDMM.M/` or
/// `±DDMMSS.S±DDDMMSS.S/`; height and reference system behind them, and the closing solidus may be missing.
enum ISO6709 {
    /// The position that the whole text is; `nil` when it is something else.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` when the numbers are no position, `unsupportedDatum` for another
    ///   reference system than WGS 84.
    static func coordinate(in text: some StringProtocol) throws(PlaceError) -> Coordinate? {
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
        // Without the solidus "+1+2+3" might be anything.
        guard rest.isEmpty, isClosed || height == nil else { return nil }
        if let system, !["WGS_84", "WGS84", "EPSG4326"].contains(String(decoding: system, as: UTF8.self)) {
            throw PlaceError(.unsupportedDatum, "the reference system of the position is not WGS 84")
        }
        guard let north = degrees(latitude, wholeDigits: 2), let east = degrees(longitude, wholeDigits: 3) else {
            throw PlaceError(.badCoordinate, "the position has not the digits of ISO 6709, such as +37.79-122.39/")
        }
        return try PlaceText.coordinate(north, east)
    }

    private struct Number {
        var isNegative: Bool
        var whole: [UInt8]
        var fraction: [UInt8]
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

    /// Degrees, from which two digits of minutes and two of seconds may follow.
    private static func degrees(_ number: Number, wholeDigits: Int) -> Double? {
        // Degrees alone are taken with fewer digits too, since programs leave leading zeros out.
        let extra = max(0, number.whole.count - wholeDigits)
        guard extra == 0 || extra == 2 || extra == 4 else { return nil }
        let head = number.whole.count - extra
        var parts = [String(decoding: number.whole[..<head], as: UTF8.self)]
        for start in stride(from: head, to: number.whole.count, by: 2) {
            parts.append(String(decoding: number.whole[start..<start + 2], as: UTF8.self))
        }
        if !number.fraction.isEmpty { parts[parts.count - 1] += "." + String(decoding: number.fraction, as: UTF8.self) }
        let values = parts.compactMap { Double($0) }
        guard values.count == parts.count, values.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let value = values.reversed().reduce(0) { $0 / 60 + $1 }
        return number.isNegative ? -value : value
    }
}
