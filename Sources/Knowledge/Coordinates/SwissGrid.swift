internal import HunchModel

/// Coordinates of the Swiss grid: `2600000 1200000` of LV95, `600'000 / 200'000` of LV03, in either order.
///
/// Source: swisstopo, "Approximate formulas for the transformation between Swiss projection coordinates and WGS84". They
/// are within a metre in Switzerland.
package struct SwissGrid: Sendable {
    /// The reference frame of 1995, EPSG:2056.
    package static let lv95 = SwissGrid(
        eastings: 2_480_000...2_840_000, northings: 1_070_000...1_300_000, falseEasting: 2_600_000,
        falseNorthing: 1_200_000)
    /// The reference frame of 1903, EPSG:21781.
    package static let lv03 = SwissGrid(
        eastings: 480_000...840_000, northings: 70_000...300_000, falseEasting: 600_000, falseNorthing: 200_000)

    private let eastings: ClosedRange<Double>
    private let northings: ClosedRange<Double>
    private let falseEasting: Double
    private let falseNorthing: Double

    /// The minimum length of two numbers, in bytes.
    private static let minimumLength = 12
    private static let maximumLength = 40
    private static let marks = Array("/,;".utf8)
    private static let apostrophe = UInt8(ascii: "'")

    /// Reads two numbers separated by a mark or, if they contain no spaces, by a space.
    ///
    /// - Parameter grids: the possible grids. Numbers of LV03 look like other numbers, so they need a slash or
    ///   apostrophes if both grids are possible.
    /// - Returns: `nil` if the text is something else or the numbers are not in Switzerland.
    package static func degrees(
        of text: ArraySlice<UInt8>, grids: [SwissGrid] = [.lv95, .lv03]
    ) -> (latitude: Double, longitude: Double)? {
        guard (minimumLength...maximumLength).contains(text.count), !text.contains(where: \.isASCIILetter) else {
            return nil
        }
        let mark = text.first(where: marks.contains)
        let parts = text.split(maxSplits: 2) { mark == nil ? $0.isASCIISpace : $0 == mark }
        guard parts.count == 2, let first = value(of: parts[0]), let second = value(of: parts[1]) else { return nil }
        let isWrittenAsGrid = mark == UInt8(ascii: "/") || parts.allSatisfy { $0.contains(apostrophe) }
        for grid in grids where grid.falseEasting > 1_000_000 || isWrittenAsGrid || grids.count == 1 {
            if let degrees = grid.degrees(first, second) ?? grid.degrees(second, first) { return degrees }
        }
        return nil
    }

    /// Returns the value of digits, optionally in groups of three with apostrophes or spaces.
    private static func value(of text: ArraySlice<UInt8>) -> Double? {
        let trimmed = String(decoding: text, as: UTF8.self).trimmed
        let separator: Character = trimmed.contains("'") ? "'" : " "
        let groups = trimmed.split(separator: separator, omittingEmptySubsequences: false)
        let wholes = groups.map { $0.utf8.prefix { $0 != UInt8(ascii: ".") }.count }
        guard groups.count == 1 || wholes.dropFirst().allSatisfy({ $0 == 3 }),
            groups.dropLast().allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }),
            trimmed.utf8.first?.isASCIIDigit == true
        else { return nil }
        return DecimalNumber.value(of: groups.joined())
    }

    /// Returns the latitude and longitude of a point of the grid; `nil` if it is not in Switzerland.
    private func degrees(_ easting: Double, _ northing: Double) -> (latitude: Double, longitude: Double)? {
        guard eastings.contains(easting), northings.contains(northing) else { return nil }
        let y = (easting - falseEasting) / 1_000_000
        let x = (northing - falseNorthing) / 1_000_000
        let east = 2.6779094 + 4.728982 * y + 0.791484 * y * x + 0.1306 * y * x * x - 0.0436 * y * y * y
        let north =
            16.9023892 + 3.238272 * x - 0.270978 * y * y - 0.002528 * x * x - 0.0447 * y * y * x - 0.0140 * x * x * x
        // The unit of both is 10,000 seconds of arc.
        return (north * 100 / 36, east * 100 / 36)
    }
}
