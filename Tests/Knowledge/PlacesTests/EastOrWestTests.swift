import HunchModel
import Testing

@testable import Coordinates

@Suite("The letter O") struct EastOrWestTests {
    @Test(
        "The user's language decides",
        arguments: [
            (35.68, 139.69, "de_DE.UTF-8", 139.69), (35.68, 139.69, "nl", 139.69), (40.71, 74.0, "fr_FR.UTF-8", -74.0),
            (40.71, 74.0, "es_MX@euro", -74.0), (-1.29, 36.82, "pt_BR", -36.82), (61.2, 149.9, "it", -149.9),
            (50.85, 4.35, "de_BE", 4.35), (50.85, 4.35, "de:en", 4.35),
        ])
    func language(latitude: Double, longitude: Double, language: String, expected: Double) throws {
        let found = try EastOrWest.coordinate(latitude, longitude, language: language)
        #expect(found.latitude == latitude && found.longitude == expected)
    }

    @Test(
        "Words of the text precede the language",
        arguments: [
            ("Latitud: 40° 25' N, Longitud: 3° 42' O", "de_DE", -3.7), ("40 gradi N, 3 gradi O", "de", -3.7),
            ("Breite: 50° N, Länge: 3° O", "fr_FR", 3.7), ("33° Süd, 3° O", "es", 3.7),
        ])
    func words(text: String, language: String, expected: Double) throws {
        #expect(try EastOrWest.coordinate(40.4, 3.7, in: text, language: language).longitude == expected)
    }

    @Test(
        "Both sides are offered if the degrees contradict the language",
        arguments: [
            (48.2, 16.37, "fr_FR"), (40.4, 3.7, "de_DE"),
        ])
    func contradiction(latitude: Double, longitude: Double, language: String) {
        #expect(throws: PlaceError.self) { try EastOrWest.coordinate(latitude, longitude, language: language) }
    }

    @Test("In other languages the sea on one side decides")
    func degrees() throws {
        #expect(try EastOrWest.coordinate(48.2, 16.37, language: "en_GB").longitude == 16.37)
        #expect(try EastOrWest.coordinate(40.4, 3.7, language: "en_GB").longitude == -3.7)
    }

    @Test("Both sides are offered if nothing decides", arguments: ["C", "", "en_GB.UTF-8", "da", "pl_PL"])
    func both(language: String) throws {
        let error = #expect(throws: PlaceError.self) {
            try EastOrWest.coordinate(35.68, 139.69, language: language)
        }
        #expect(error?.code == .badCoordinate)
        #expect(error?.message.contains("35.68,139.69 or 35.68,-139.69") == true)
    }

    @Test("The offered sides have the right signs", arguments: [36.82, -36.82])
    func signs(longitude: Double) {
        let error = #expect(throws: PlaceError.self) {
            try EastOrWest.coordinate(-1.28, longitude, language: "C")
        }
        #expect(error?.message.contains("give -1.28,36.82 or -1.28,-36.82") == true)
    }

    @Test("A number out of range is refused without a question", arguments: [(95.2, 139.69), (35.68, 190.0)])
    func range(latitude: Double, longitude: Double) {
        let error = #expect(throws: PlaceError.self) {
            try EastOrWest.coordinate(latitude, longitude, language: "C")
        }
        #expect(error?.message.contains("outside") == true)
    }
}
