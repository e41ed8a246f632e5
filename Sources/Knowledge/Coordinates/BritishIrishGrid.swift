internal import HunchModel
internal import Localization

/// References of the British and the Irish grid: `TQ 30000 80400` and `O 15904 34671`.
///
/// The place is the centre of the square. Four digits are a British reference only if they follow capitals without a
/// space, or in two groups. "SR 1234" is a road. Irish references need six digits, because shorter ones may be
/// postcodes.
///
/// Source: Ordnance Survey, "A guide to coordinate systems in Great Britain".
enum BritishIrishGrid {
    private static let digits: Set = [4, 6, 8, 10]
    /// The squares of 100 km that contain British land, by their first letter. Letters of other squares may be an
    /// Indian state before a postcode.
    private static let britishSquares: [UInt8: Set<UInt8>] = [
        UInt8(ascii: "H"): Set("PTUWXYZ".utf8), UInt8(ascii: "N"): Set("ABCDFGHJKLMNORSTUWXYZ".utf8),
        UInt8(ascii: "O"): Set("V".utf8), UInt8(ascii: "S"): Set("CDEHJKMNOPRSTUVWXYZ".utf8),
        UInt8(ascii: "T"): Set("AFGLMQRV".utf8),
    ]
    /// The squares that contain Irish land.
    private static let irishSquares = Set("BCDFGHJLMNOQRSTVWX".utf8)
    /// The easting and northing of Irish Transverse Mercator on and around the island.
    private static let irishEastings = 400_000.0...850_000.0
    private static let irishNorthings = 450_000.0...1_050_000.0

    /// Reads a reference of either grid; `nil` if the tokens are something else.
    static func degrees(of tokens: ArraySlice<GridToken>) -> (latitude: Double, longitude: Double)? {
        // "No 123 456" is a number.
        guard let word = tokens.first, !word.isNumber, let square = GridSquare(tokens.dropFirst(), digits: digits),
            word.text == word.text.uppercased() || word.text == word.text.lowercased()
        else { return nil }
        let letters = Array(word.text.uppercased().utf8)
        if square.digits == 4 {
            let isJoined = tokens.dropFirst().first?.isJoined == true
            guard letters.count == 2, word.text == word.text.uppercased(), isJoined || tokens.count == 3 else {
                return nil
            }
        }
        switch letters.count {
        case 1:
            // "S 238823" and "S238823" are postcodes of Singapore.
            guard irishSquares.contains(letters[0]), let index = Self.index(of: letters[0]),
                letters[0] != UInt8(ascii: "S") || square.digits > 6 || tokens.count > 2
            else { return nil }
            return NationalGrid.irish.degrees(
                easting: Double(index % 5) * 100_000 + square.easting,
                northing: Double(4 - index / 5) * 100_000 + square.northing)
        case 2:
            guard britishSquares[letters[0]]?.contains(letters[1]) == true, let first = Self.index(of: letters[0]),
                let second = Self.index(of: letters[1])
            else { return nil }
            // The letters of squares of 500 km and, within them, of 100 km go in rows of five from the north-west. The
            // origin of the grid is the south-west corner of the square S.
            let column = (first - 2) % 5 * 5 + second % 5
            let row = 19 - first / 5 * 5 - second / 5
            return NationalGrid.british.degrees(
                easting: Double(column) * 100_000 + square.easting, northing: Double(row) * 100_000 + square.northing)
        default: return nil
        }
    }

    /// Reads an easting and a northing of Irish Transverse Mercator; `nil` if the tokens are something else.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` if they are not in Ireland.
    static func transverseMercatorDegrees(
        of tokens: ArraySlice<GridToken>
    ) throws(PlaceError) -> (latitude: Double, longitude: Double)? {
        var rest = tokens
        guard let easting = rest.takeNumber(wholeDigits: 6...7), let northing = rest.takeNumber(wholeDigits: 6...7),
            rest.isEmpty
        else { return nil }
        guard irishEastings.contains(easting), irishNorthings.contains(northing) else {
            throw PlaceError(.badCoordinate, localized("the position in Irish Transverse Mercator is not in Ireland"))
        }
        return NationalGrid.irishTransverseMercator.degrees(easting: easting, northing: northing)
    }

    /// Returns the index of a letter in the alphabet of the grids, which has no I.
    private static func index(of letter: UInt8) -> Int? {
        guard letter.isASCIILetter, letter != UInt8(ascii: "I") else { return nil }
        return Int(letter) - 65 - (letter > UInt8(ascii: "I") ? 1 : 0)
    }
}
