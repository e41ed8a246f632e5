import HunchModel
import Localization

/// References of grids: UTM, MGRS, the British, Irish and Swiss grids, Maidenhead locators and geohashes.
///
/// `33U 391545 5820089` · `33UUU9154520089` · `TQ 300 804` · `O 15904 34671` · `2600000 1200000` · `JO62qm` ·
/// `Locator: JO62` · `geohash:u33dc0`
enum GridReference {
    /// A word before a reference that names the grid.
    private enum Mark {
        case utm, military, irish, irishTransverseMercator, lv95, lv03, maidenhead, geohash
        /// A word that does not say which grid it is, such as “grid” or “ref”.
        case some
    }

    private typealias Degrees = (latitude: Double, longitude: Double)

    /// The maximum length of a reference.
    private static let maximumLength = 64
    private static let longestMark = 10
    private static let colon = UInt8(ascii: ":")
    private static let marks: [String: Mark] = [
        "UTM": .utm, "ZONE": .utm, "MGRS": .military, "USNG": .military, "IG": .irish,
        "ITM": .irishTransverseMercator,
        "LV95": .lv95, "CH1903+": .lv95, "LV03": .lv03, "CH1903": .lv03, "LOCATOR": .maidenhead, "QTH": .maidenhead,
        "MAIDENHEAD": .maidenhead, "GEOHASH": .geohash, "GRID": .some, "REF": .some, "REFERENCE": .some,
        "SQUARE": .some, "OS": .some, "OSGB": .some, "NGR": .some,
    ]

    /// Returns the coordinate of a text that contains nothing else; `nil` for other texts.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` if it has the form of a reference but there is no such square.
    static func coordinate(in text: String) throws(PlaceError) -> Coordinate? {
        guard text.utf8.count <= maximumLength, let degrees = try degrees(of: Array(text.utf8)[...]) else { return nil }
        return try PlaceText.coordinate(degrees.latitude, degrees.longitude)
    }

    private static func degrees(of text: ArraySlice<UInt8>) throws(PlaceError) -> Degrees? {
        var rest = text
        var mark: Mark?
        while let (next, length) = self.mark(at: rest) {
            if mark == nil || next != .some { mark = next }
            rest = rest.dropFirst(length)
        }
        guard let mark else { return try unmarkedDegrees(of: rest) }
        let tokens = GridToken.tokens(of: rest) ?? []
        switch mark {
        case .utm: return try UTMPosition.degrees(of: tokens)
        case .military:
            if let degrees = MilitaryGrid.polarDegrees(of: tokens, isMarked: true) { return degrees }
            return try MilitaryGrid.degrees(of: tokens, isMarked: true)
        case .irish: return tokens.first?.text.utf8.count == 1 ? BritishIrishGrid.degrees(of: tokens) : nil
        case .irishTransverseMercator: return try BritishIrishGrid.transverseMercatorDegrees(of: tokens)
        case .lv95: return SwissGrid.degrees(of: rest, grids: [.lv95])
        case .lv03: return SwissGrid.degrees(of: rest, grids: [.lv03])
        case .maidenhead: return Maidenhead.degrees(of: rest)
        case .geohash: return try geohashDegrees(of: rest)
        case .some:
            if let degrees = Maidenhead.degrees(of: rest) { return degrees }
            return try unmarkedDegrees(of: rest)
        }
    }

    /// Returns the coordinate of a text without a mark. Looks at the first characters before anything else, because
    /// nearly all texts are names.
    private static func unmarkedDegrees(of text: ArraySlice<UInt8>) throws(PlaceError) -> Degrees? {
        guard let last = text.last, text.count >= 6 else { return nil }
        let letters = text.prefix(while: \.isASCIILetter).count
        guard letters <= 2 || letters == 3 && last.isASCIIDigit else { return nil }
        if letters == 0 {
            // Up to two digits are a zone, up to seven a number of the Swiss grid.
            let digits = text.prefix(while: \.isASCIIDigit).count
            guard (1...7).contains(digits) else { return nil }
            if let degrees = SwissGrid.degrees(of: text) { return degrees }
            let word = text.dropFirst(digits).drop(while: \.isASCIISpace).prefix(while: \.isASCIILetter)
            // The band, the band and a square, or "north" and "south".
            guard digits <= 2, [1, 3, 5].contains(word.count), last.isASCIIDigit || last.isASCIILetter,
                let tokens = GridToken.tokens(of: text)
            else { return nil }
            if let degrees = try MilitaryGrid.degrees(of: tokens, isMarked: false) { return degrees }
            return try UTMPosition.degrees(of: tokens)
        }
        if Maidenhead.isUnmistakable(text), let degrees = Maidenhead.degrees(of: text) { return degrees }
        guard last.isASCIIDigit, let tokens = GridToken.tokens(of: text) else { return nil }
        if let degrees = MilitaryGrid.polarDegrees(of: tokens, isMarked: false) { return degrees }
        return letters <= 2 ? BritishIrishGrid.degrees(of: tokens) : nil
    }

    private static func geohashDegrees(of code: ArraySlice<UInt8>) throws(PlaceError) -> Degrees? {
        // "Geohash meeting, 5 Main Street" is a text.
        guard code.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit }) else { return nil }
        guard let degrees = Geohash.degrees(of: String(decoding: code, as: UTF8.self)) else {
            throw PlaceError(
                .badCoordinate, localized("a geohash has 1 to 12 digits and letters without a, i, l and o"))
        }
        return degrees
    }

    /// Returns the mark at the beginning of a text, with its length in bytes.
    private static func mark(at text: ArraySlice<UInt8>) -> (mark: Mark, length: Int)? {
        guard text.first?.isASCIILetter == true else { return nil }
        let word = text.prefix(longestMark + 1).prefix { $0 != colon && !$0.isASCIISpace }
        guard word.count < text.count, word.count <= longestMark,
            let mark = marks[String(decoding: word, as: UTF8.self).uppercased()]
        else { return nil }
        var rest = text.dropFirst(word.count).drop(while: \.isASCIISpace)
        if rest.first == colon { rest = rest.dropFirst().drop(while: \.isASCIISpace) }
        return (mark, text.count - rest.count)
    }
}
