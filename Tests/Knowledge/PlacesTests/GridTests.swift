import HunchModel
import SeededRandom
import Testing

@testable import Coordinates
@testable import MapLinks
@testable import Places

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// References of grids, compared with those that GeographicLib and PROJ computed, and written and read back.
@Suite struct GridTests {
    private struct Row {
        var tolerance: Double
        var reference: String
        var latitude: Double
        var longitude: Double
    }

    /// The rows of `gridpoints.tsv`, whose head has the commands that made them.
    private static func rows() throws -> [Row] {
        let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Links"
        let text = try String(contentsOf: URL(filePath: "\(folder)/gridpoints.tsv"), encoding: .utf8)
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let fields = line.split(separator: "\t").map(String.init)
            try #require(fields.count == 4, "\(line)")
            return Row(
                tolerance: try #require(Double(fields[3])), reference: fields[0],
                latitude: try #require(Double(fields[1])), longitude: try #require(Double(fields[2])))
        }
    }

    private func position(_ text: String) throws -> Coordinate {
        try #require(try PlaceParser().parse(text).item.coordinate, "\(text)")
    }

    @Test("Random grid references agree with GeographicLib and PROJ")
    func references() throws {
        let rows = try Self.rows()
        #expect(rows.count >= 200)
        for row in rows {
            let found = try position(row.reference)
            #expect(abs(found.latitude - row.latitude) <= row.tolerance, "\(row.reference): \(found)")
            #expect(abs(found.longitude - row.longitude) <= row.tolerance, "\(row.reference): \(found)")
        }
    }

    @Test("All spellings of an MGRS reference yield the same place")
    func militarySpellings() throws {
        for row in try Self.rows() {
            let words = row.reference.prefix { !$0.isWhitespace }
            guard words == row.reference, let digits = row.reference.dropFirst(2).firstIndex(where: \.isNumber) else {
                continue
            }
            let (head, tail) = (row.reference[..<digits], row.reference[digits...])
            let half = tail.index(tail.startIndex, offsetBy: tail.count / 2)
            let place = try position(row.reference)
            for spelling in [
                "\(head) \(tail[..<half]) \(tail[half...])", "MGRS: \(row.reference)", row.reference.lowercased(),
                "\(head)\(tail[..<half]) \(tail[half...])", "USNG \(head) \(tail)",
            ] {
                #expect(try position(spelling) == place, "\(spelling)")
            }
        }
    }

    @Test("A Maidenhead locator surrounds its coordinate")
    func locators() throws {
        var random = SplitMix64(seed: 21)
        for _ in 0..<300 {
            let latitude = Double.random(in: -89.99...89.99, using: &random)
            let longitude = Double.random(in: -179.99...179.99, using: &random)
            var (north, east, height) = (latitude + 90, longitude + 180, 180.0)
            var code = ""
            for (pair, divisor) in [18, 10, 24, 10, 24].enumerated() {
                height /= Double(divisor)
                let first: UInt8 = pair == 0 ? 65 : divisor == 10 ? 48 : 97
                for (angle, size) in [(east, 2 * height), (north, height)] {
                    code += String(UnicodeScalar(first + (UInt8(exactly: (angle / size).rounded(.down)) ?? 0)))
                }
                east.formTruncatingRemainder(dividingBy: 2 * height)
                north.formTruncatingRemainder(dividingBy: height)
                guard pair > 0 else { continue }
                let place = try position("Locator: \(code)")
                #expect(abs(place.latitude - latitude) <= height / 2 + 1e-9, "\(code)")
                #expect(abs(place.longitude - longitude) <= height + 1e-9, "\(code)")
                if pair > 1 { #expect(try position(code) == place) }
            }
        }
    }

    @Test("Web Mercator coordinates convert to degrees and back")
    func webMercator() throws {
        // echo "1492232 6894701" | cs2cs -f %.9f EPSG:3857 EPSG:4326
        let berlin = WebMercator.degrees(x: 1_492_232, y: 6_894_701)
        #expect(abs(berlin.latitude - 52.520006552) < 1e-7 && abs(berlin.longitude - 13.404948131) < 1e-7)
        let edge = WebMercator.degrees(x: 20_037_508.342789244, y: -20_037_508.342789244)
        #expect(abs(edge.latitude + 85.0511287798) < 1e-9 && abs(edge.longitude - 180) < 1e-9)
    }

    @Test("A projection with an origin off the equator is converted")
    func koreanProjection() {
        // echo "198242 451586" | cs2cs -f %.9f +proj=tmerc +lat_0=38 +lon_0=127 +k=1 +x_0=200000 +y_0=500000 +ellps=GRS80 \
        //   +to EPSG:4326
        let korea = TransverseMercator(
            .grs80, scale: 1, latitude: 38, longitude: 127, falseEasting: 200_000, falseNorthing: 500_000)
        let place = korea.degrees(easting: 198_242, northing: 451_586)
        #expect(abs(place.latitude - 37.563806119) < 1e-7 && abs(place.longitude - 126.980101901) < 1e-7)
    }

    @Test("Extreme numbers never trap")
    func extremes() {
        let numbers = [0, -1, 1e6, 1e9, 1e18, -1e18, 1e300, .greatestFiniteMagnitude, .infinity, .nan]
        let korea = TransverseMercator(
            .grs80, scale: 1, latitude: 38, longitude: 127, falseEasting: 200_000, falseNorthing: 500_000)
        for first in numbers {
            for second in numbers {
                _ = korea.degrees(easting: first, northing: second)
                _ = NationalGrid.british.degrees(easting: first, northing: second)
                _ = WebMercator.degrees(x: first, y: second)
            }
        }
        let digits = String(repeating: "9", count: 40)
        for input in [
            "33U \(digits) \(digits)", "33UUU\(digits)", "TQ \(digits)", "\(digits) / \(digits)",
            "ITM \(digits) \(digits)",
            "JO\(digits)", "geohash:\(digits)", "UTM", "UTM ", "MGRS:", "Zone 33", "Grid", "Grid :", "geohash:",
            "LV95 1",
            "2'6'0 / 1'2'0", "' / '", "99UUU9154520089", "0UUU9154520089", "33U 391545 58200899", "O", "O 1",
            "TQ 12 34 56",
        ] {
            let place = try? PlaceParser().parse(input)
            #expect(place?.item.coordinate == nil, "\(input)")
        }
    }
}
