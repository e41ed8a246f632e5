import HunchModel
import SeededRandom
import Testing

@testable import Coordinates
@testable import MapLinks
@testable import Places

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// Positions written as codes and numbers in each format, and read back.
@Suite struct CodeRoundTripTests {
    private func coordinates(_ count: Int, seed: UInt64) throws -> [Coordinate] {
        var random = SplitMix64(seed: seed)
        return try (0..<count).map { _ in
            try Coordinate(
                latitude: Double.random(in: -89.999...89.999, using: &random),
                longitude: Double.random(in: -179.999...179.999, using: &random))
        }
    }

    private func expect(_ input: String, _ expected: Coordinate, within degrees: Double) throws {
        let found = try #require(try PlaceParser().parse(input).item.coordinate, "\(input)")
        #expect(abs(found.latitude - expected.latitude) <= degrees, "\(input)")
        #expect(abs(found.longitude - expected.longitude) <= degrees, "\(input)")
    }

    /// Halves the world bit by bit, as all these codes are defined.
    private func code(
        _ coordinate: Coordinate, alphabet: String, digits: Int, bitsPerDigit: Int, longitudeFirst: Bool
    ) -> String {
        var (south, north, west, east) = (-90.0, 90.0, -180.0, 180.0)
        var isLongitude = longitudeFirst
        var text = ""
        for _ in 0..<digits {
            var digit = 0
            for _ in 0..<bitsPerDigit {
                let middle = isLongitude ? (west + east) / 2 : (south + north) / 2
                let isUpper = (isLongitude ? coordinate.longitude : coordinate.latitude) >= middle
                digit = digit << 1 | (isUpper ? 1 : 0)
                switch (isLongitude, isUpper) {
                case (true, true): west = middle
                case (true, false): east = middle
                case (false, true): south = middle
                case (false, false): north = middle
                }
                isLongitude.toggle()
            }
            text.append(Array(alphabet)[digit])
        }
        return text
    }

    @Test("OpenStreetMap's short codes survive a round trip")

    func shortCodesOfOpenStreetMap() throws {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_~"
        for coordinate in try coordinates(500, seed: 1) {
            let code = code(coordinate, alphabet: alphabet, digits: 10, bitsPerDigit: 6, longitudeFirst: true)
            try expect("https://osm.org/go/\(code)", coordinate, within: 4e-7)
            try expect("https://osm.org/go/\(code.replacing("~", with: "@"))?m=", coordinate, within: 4e-7)
        }
    }

    @Test("Organic Maps' codes survive a round trip")

    func codesOfOrganicMaps() throws {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for coordinate in try coordinates(500, seed: 2) {
            let code = code(coordinate, alphabet: alphabet, digits: 9, bitsPerDigit: 6, longitudeFirst: false)
            try expect("om://o\(code)/A_B", coordinate, within: 2e-6)
            try expect("https://omaps.app/o\(code)", coordinate, within: 2e-6)
        }
    }

    @Test("Waze's geohashes survive a round trip")

    func geohashesOfWaze() throws {
        let alphabet = "0123456789bcdefghjkmnpqrstuvwxyz"
        for coordinate in try coordinates(500, seed: 3) {
            let code = code(coordinate, alphabet: alphabet, digits: 12, bitsPerDigit: 5, longitudeFirst: true)
            try expect("https://waze.com/ul/h\(code)", coordinate, within: 2e-7)
        }
    }

    @Test("Plus Codes survive a round trip")

    func plusCodes() throws {
        var random = SplitMix64(seed: 4)
        for coordinate in try coordinates(500, seed: 4) {
            let code = PlusCode(coordinate)
            try expect(code.text, coordinate, within: 0.00007)
            try expect(PlusCode(coordinate, length: 15).text, coordinate, within: 1e-7)
            #expect(PlusCode(code.text)?.text == code.text)
            // Without its first four digits, and a place at most a third of their area away.
            let short = try #require(PlusCode(code.text.dropFirst(4)))
            #expect(!short.isFull)
            let reference = try Coordinate(
                latitude: max(-90, min(90, coordinate.latitude + Double.random(in: -0.3...0.3, using: &random))),
                longitude: coordinate.longitude + Double.random(in: -0.3...0.3, using: &random))
            #expect(short.recovered(near: reference) == code, "\(code.text) near \(reference)")
        }
    }

    // From the Open Location Code specification's own text: its lengths, clipping and padding.
    @Test("Plus Codes at the poles and the antimeridian are read")
    func plusCodesAtTheEdges() throws {
        let pole = PlusCode(try Coordinate(latitude: 90, longitude: 1))
        #expect(try #require(pole.center).latitude > 89.9)
        #expect(PlusCode(try Coordinate(latitude: 1, longitude: 180)).text.hasPrefix("62"))
        #expect(PlusCode(try Coordinate(latitude: 47.365590, longitude: 8.524997), length: 4).text == "8FVC0000+")
        #expect(PlusCode(try Coordinate(latitude: 47.365590, longitude: 8.524997)).text == "8FVC9G8F+6X")
        for broken in [
            "", "+", "8FVC9G8F+6", "8FVC+0000", "8F0C0000+", "8FVC00+", "8FVC0000+22", "XX000000+", "8FVCA+6X",
        ] {
            #expect(PlusCode(broken) == nil, "\(broken)")
        }
        // Over the antimeridian and at the poles the nearest area is on the other side.
        let fiji = try #require(PlusCode("22+22"))
        #expect(fiji.missing == 6)
    }

    @Test("Degrees, minutes and seconds survive a round trip")

    func degreesMinutesAndSeconds() throws {
        func parts(_ value: Double) -> (degrees: Int, minutes: Int, seconds: Double) {
            let total = (abs(value) * 3_600 * 1_000).rounded() / 1_000
            let degrees = Int(total / 3_600)
            let minutes = Int((total - Double(degrees) * 3_600) / 60)
            return (degrees, minutes, max(0, total - Double(degrees) * 3_600 - Double(minutes) * 60))
        }
        for coordinate in try coordinates(500, seed: 5) {
            let north = parts(coordinate.latitude)
            let east = parts(coordinate.longitude)
            let seconds = [north.seconds, east.seconds].map { "\(($0 * 1_000).rounded() / 1_000)" }
            let letters = [coordinate.latitude < 0 ? "S" : "N", coordinate.longitude < 0 ? "W" : "E"]
            let texts = [
                "\(north.degrees)°\(north.minutes)'\(seconds[0])\"\(letters[0]) \(east.degrees)°\(east.minutes)'\(seconds[1])\"\(letters[1])",
                "\(letters[0]) \(north.degrees) \(north.minutes) \(seconds[0]), \(letters[1]) \(east.degrees) \(east.minutes) \(seconds[1])",
                "\(east.degrees)º \(east.minutes)′ \(seconds[1])″ \(letters[1]); \(north.degrees)º \(north.minutes)′ \(seconds[0])″ \(letters[0])",
            ]
            for text in texts where !text.contains("e-") { try expect(text, coordinate, within: 3e-7) }
        }
    }

    @Test("The number formats of every publisher are read")

    func numbersOfEveryPublisher() throws {
        for coordinate in try coordinates(200, seed: 6) {
            let latitude = DecimalNumber.text(of: coordinate.latitude)
            let longitude = DecimalNumber.text(of: coordinate.longitude)
            let inputs = [
                "\(latitude),\(longitude)", "\(latitude) \(longitude)", "geo:\(latitude),\(longitude)",
                "https://www.google.com/maps/@\(latitude),\(longitude),15z",
                "https://www.google.com/maps/place/A/@1,2,3z/data=!4m2!3m1!8m2!3d\(latitude)!4d\(longitude)",
                "https://maps.google.com/?q=\(latitude),\(longitude)",
                "https://maps.apple.com/?ll=\(latitude),\(longitude)&q=A",
                "https://maps.apple.com/place?coordinate=\(latitude),\(longitude)",
                "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=5/1/2",
                "https://www.openstreetmap.org/#map=9/\(latitude)/\(longitude)",
                "https://osmand.net/go?lat=\(latitude)&lon=\(longitude)", "om://map?ll=\(latitude),\(longitude)",
                "https://share.here.com/l/\(latitude),\(longitude),A",
                "https://bing.com/maps?cp=\(latitude)~\(longitude)",
                "https://waze.com/ul?ll=\(latitude),\(longitude)",
                "https://yandex.com/maps/?pt=\(longitude),\(latitude)",
                "https://yandex.com/maps/?rtext=1,2~\(latitude),\(longitude)",
                "https://mapy.com/fnc/v1/showmap?center=\(longitude),\(latitude)",
                "https://mapy.com/en/?x=\(longitude)&y=\(latitude)", "GEO:\(latitude);\(longitude)",
                "See https://maps.google.com/?q=\(latitude),\(longitude)!",
            ]
            for input in inputs { try expect(input, coordinate, within: 1e-12) }
        }
    }
}
