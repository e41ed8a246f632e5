import HunchModel
import Testing

@testable import Places

@Suite("The letter O") struct EastOrWestTests {
    @Test(
        "Where the degrees do not decide, the language does",
        arguments: [
            (35.68, 139.69, "de_DE.UTF-8", 139.69), (35.68, 139.69, "nl", 139.69), (40.71, 74.0, "fr_FR.UTF-8", -74.0),
            (40.71, 74.0, "es_MX@euro", -74.0), (-1.29, 36.82, "pt_BR", -36.82), (61.2, 149.9, "it", -149.9),
        ])
    func language(latitude: Double, longitude: Double, language: String, expected: Double) throws {
        let found = try EastOrWest.coordinate(latitude, longitude, language: language)
        #expect(found.latitude == latitude && found.longitude == expected)
    }

    @Test("The degrees count more than the language")
    func degrees() throws {
        #expect(try EastOrWest.coordinate(48.2, 16.37, language: "fr_FR").longitude == 16.37)
        #expect(try EastOrWest.coordinate(40.4, 3.7, language: "de_DE").longitude == -3.7)
    }

    @Test("In other languages both sides are offered", arguments: ["C", "", "en_GB.UTF-8", "da", "pl_PL"])
    func both(language: String) throws {
        let error = #expect(throws: PlaceError.self) {
            try EastOrWest.coordinate(35.68, 139.69, language: language)
        }
        #expect(error?.code == .badCoordinate)
        #expect(error?.message.contains("35.68,139.69 or 35.68,-139.69") == true)
    }
}
