import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Coordinates
@testable import Places

/// RFC 5870, sections 3.3 (grammar), 3.4 (meaning) and 6 (examples).
@Suite struct GeoURITests {
    @Test(
        "Coordinates are read",
        arguments: [
            ("geo:13.4125,103.8667", 13.4125, 103.8667),
            ("geo:48.2010,16.3695,183", 48.2010, 16.3695),
            ("geo:48.198634,16.371648;crs=wgs84;u=40", 48.198634, 16.371648),
            ("GEO:-48.876667,-123.393333", -48.876667, -123.393333),
            ("geo:66,30;u=6.500;FOo=this%2dthat", 66, 30),
            ("geo:66.0,30;u=6.5;foo=this-that", 66, 30),
            ("geo:70,20;foo=1.00;bar=white", 70, 20),
            ("geo:22.300;crs=wgs84", nil, nil),
            ("geo:-0,-0.0", 0, 0),
            ("geo:37.79%2C-122.39", 37.79, -122.39),
            ("geo:1,2;bare", 1, 2),
            ("geo:1,2;u=3;CRS=WGS84", 1, 2),
        ])
    func coordinates(uri: String, latitude: Double?, longitude: Double?) throws {
        guard let latitude, let longitude else {
            #expect(throws: PlaceError.self) { try GeoURI(uri) }
            return
        }
        let coordinate = try GeoURI(uri).coordinate
        #expect(coordinate.latitude == latitude)
        #expect(coordinate.longitude == longitude)
    }

    @Test("Height and uncertainty are read")

    func heightAndUncertainty() throws {
        let everest = try GeoURI("geo:27.988056,86.925278,8848.86;u=0.5")
        #expect(everest.altitude == 8848.86)
        #expect(everest.uncertainty == 0.5)
        #expect(try GeoURI("geo:11.373333,142.591667,-10920").altitude == -10920)
        #expect(try GeoURI("geo:1,2,0").altitude == 0)
        #expect(try GeoURI("geo:1,2").altitude == nil)
        #expect(try GeoURI("geo:1,2").uncertainty == nil)
    }

    @Test("At the poles, all longitudes are equal")

    func allLongitudesAreOneAtThePoles() throws {
        #expect(try GeoURI("geo:90,-22.43;crs=WGS84") == GeoURI("geo:90,46"))
        #expect(try GeoURI("geo:-90,180").coordinate.longitude == 0)
    }

    @Test("Longitudes 180 and −180 are equal")

    func theAntimeridianIsOneLine() throws {
        #expect(try GeoURI("geo:22.300,-118.44") == GeoURI("geo:22.3,-118.4400"))
        #expect(try GeoURI("geo:10,-180") == GeoURI("geo:10,180"))
    }

    @Test("Decimals may follow commas")
    func decimalCommas() throws {
        #expect(try GeoURI("geo:48,2082,16,3738") == GeoURI("geo:48.2082,16.3738"))
        #expect(try GeoURI("geo:-33,8568,151,2153;u=9") == GeoURI("geo:-33.8568,151.2153;u=9"))
        #expect(try GeoURI("geo:48,20,16") == GeoURI("geo:48,20,16"))
    }

    @Test(
        "Invalid geo: links are refused",
        arguments: [
            ("geo:90.000001,0", .badCoordinate), ("geo:-90.1,0", .badCoordinate),
            ("geo:10,190", .badCoordinate), ("geo:51.3,999", .badCoordinate), ("geo:47,458037", .badCoordinate),
            ("geo:48,2082,16", .badCoordinate),
            ("geo:1", .badCoordinate), ("geo:", .badCoordinate), ("geo:1,2,3,4", .badCoordinate),
            ("geo:1,", .badCoordinate), ("geo:,1", .badCoordinate), ("geo:1, 2", .badCoordinate),
            ("geo:+1,2", .badCoordinate), ("geo:1e1,2", .badCoordinate), ("geo:.5,2", .badCoordinate),
            ("geo:5.,2", .badCoordinate), ("geo:nan,2", .badCoordinate), ("geo:0x10,2", .badCoordinate),
            ("geo:--1,2", .badCoordinate), ("geo:1,2,x", .badCoordinate), ("geo:１,2", .badCoordinate),
            ("geo:1,2;crs=nad27", .unsupportedDatum), ("geo:323482,4306480;crs=EPSG-32618;u=20", .unsupportedDatum),
            ("geo:1,2;crs", .unsupportedDatum), ("geo:1,2;crs=wgs84;crs=wgs84", .malformedLink),
            ("geo:1,2;u=1;u=1", .malformedLink), ("geo:1,2;u=-1", .malformedLink), ("geo:1,2;u=-0", .malformedLink),
            ("geo:1,2;u=", .malformedLink), ("geo:1,2;", .malformedLink), ("geo:1,2;=x", .malformedLink),
            ("geo:1,2;a b=x", .malformedLink), ("geo:1,2;foo=%G0", .malformedLink), ("geo:1,2;foo=%4", .malformedLink),
            ("geo:1,2;foo=%FF", .malformedLink), ("geo:1,2;foo=%C0%80", .malformedLink),
            ("geo:1,2;foo=%00", .malformedLink), ("geo:1,2;foo=%ED%A0%80", .malformedLink),
            ("gear:1,2", .malformedLink),
        ] as [(String, PlaceError.Code)])
    func refused(uri: String, code: PlaceError.Code) {
        let error = #expect(throws: PlaceError.self) { try GeoURI(uri) }
        #expect(error?.code == code)
        #expect(error?.message.isEmpty == false)
    }

    @Test("A formatted coordinate is read back")

    func formattingReadsBackAsTheSame() throws {
        var random = SplitMix64(seed: 5870)
        for _ in 0..<2_000 {
            let scale = Double.random(in: -12...0, using: &random)
            let coordinate = try Coordinate(
                latitude: Double.random(in: -90...90, using: &random) * exponent10(scale),
                longitude: Double.random(in: -180...180, using: &random) * exponent10(scale))
            let uri = GeoURI(
                coordinate,
                altitude: Bool.random(using: &random) ? Double.random(in: -12_000...1e19, using: &random) : nil,
                uncertainty: Bool.random(using: &random) ? Double.random(in: 0...1e-5, using: &random) : nil)
            #expect(try GeoURI(uri.description) == uri)
            #expect(!uri.description.contains("e-") && !uri.description.contains("e+"))
        }
    }

    @Test(
        "Numbers are written without an exponent",
        arguments: [
            (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-122.39, "-122.39"), (0.00001, "0.00001"), (-1.25e-7, "-0.000000125"),
            (1e20, "100000000000000000000"), (1.5e17, "150000000000000000"),
        ])
    func numbersAreWrittenWithoutExponent(value: Double, text: String) {
        #expect(DecimalNumber.text(of: value) == text)
    }

    private func exponent10(_ power: Double) -> Double {
        var result = 1.0
        for _ in 0..<Int(-power) { result /= 10 }
        return result
    }
}
