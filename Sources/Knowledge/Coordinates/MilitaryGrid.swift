internal import HunchModel
internal import Localization

/// References of the Military Grid Reference System and the United States National Grid: `33UUU9154520089`, `33U UU
/// 91545 20089`.
///
/// The place is the centre of the square. Squares of 10 km and more are too large. Near the poles there is no zone: `ZAH
/// 12345 67890`.
///
/// Source: NGA.STND.0037, as for ``UTMPosition``.
package enum MilitaryGrid {
    /// The letters of the columns, 100 km each, by the zone modulo 3.
    private static let columns = ["STUVWXYZ", "ABCDEFGH", "JKLMNPQR"].map { Array($0.utf8) }
    /// The letters of the rows, 100 km each, from the equator in odd zones.
    private static let rows = Array("ABCDEFGHJKLMNPQRSTUV".utf8)
    /// The index of the row letter at the equator in even zones.
    private static let evenZoneRow = 5
    /// The period of the row letters, in metres.
    private static let cycle = 2_000_000.0

    /// Reads `ZONE BAND COLUMN ROW DIGITS`.
    ///
    /// - Parameter isMarked: whether a word such as “MGRS” precedes the reference.
    /// - Returns: `nil` if the tokens are something else.
    /// - Throws: ``PlaceError`` with `badCoordinate` if they have this form but there is no such square.
    package static func degrees(
        of tokens: ArraySlice<GridToken>, isMarked: Bool
    ) throws(PlaceError) -> (latitude: Double, longitude: Double)? {
        guard let number = tokens.first, (1...2).contains(number.digits), let zone = Int(number.text) else {
            return nil
        }
        let words = tokens.dropFirst().prefix { !$0.isNumber }
        let letters = Array(words.reduce("") { $0 + $1.text.uppercased() }.utf8)
        guard words.first?.text.utf8.count == (words.count == 1 ? 3 : 1), words.count <= 2, letters.count == 3,
            let square = GridSquare(tokens.dropFirst(1 + words.count), digits: [4, 6, 8, 10])
        else { return nil }
        // "12 ELM 1234" is probably an address. People write references with few digits without a space before the
        // letters.
        let isJoined = words.allSatisfy(\.isJoined)
        guard isJoined || square.digits > 4 || isMarked else { return nil }
        guard UTMPosition.zones.contains(zone), let band = UTMBand(letters[0]),
            let degrees = Self.degrees(zone, band, column: letters[1], row: letters[2], square)
        else {
            guard isJoined || square.digits > 6 || isMarked else { return nil }
            throw PlaceError(.badCoordinate, localized("there is no such square in the Military Grid Reference System"))
        }
        return degrees
    }

    /// Reads `AREA COLUMN ROW DIGITS` near the poles, in capitals and with eight or more digits, since many words and
    /// numbers look alike.
    static func polarDegrees(
        of tokens: ArraySlice<GridToken>, isMarked: Bool
    ) -> (latitude: Double, longitude: Double)? {
        let words = tokens.prefix { !$0.isNumber }
        let letters = Array(words.reduce("") { $0 + $1.text }.utf8)
        guard words.count <= 2, letters.count == 3, words.first?.text.utf8.count == (words.count == 1 ? 3 : 1),
            let square = GridSquare(tokens.dropFirst(words.count), digits: isMarked ? [4, 6, 8, 10] : [8, 10])
        else { return nil }
        return PolarGrid(letters[0])?.degrees(
            column: letters[1], row: letters[2], easting: square.easting, northing: square.northing)
    }

    private static func degrees(
        _ zone: Int, _ band: UTMBand, column: UInt8, row: UInt8, _ square: GridSquare
    ) -> (latitude: Double, longitude: Double)? {
        guard let column = columns[zone % 3].firstIndex(of: column), let row = rows.firstIndex(of: row) else {
            return nil
        }
        let shift = zone.isMultiple(of: 2) ? rows.count - evenZoneRow : 0
        let first = Double((row + shift) % rows.count) * 100_000 + square.northing
        return stride(from: first, through: 10_000_000, by: cycle).lazy.map { northing in
            UTMPosition(
                zone: zone, isSouth: band.isSouth, easting: Double(column + 1) * 100_000 + square.easting,
                northing: northing
            ).degrees
        }.first { band.overlaps($0.latitude) }
    }
}
