@testable import GazetteerImport
import Directions
import Gazetteers
import Geocoding
import HunchModel
import TestSupport
import Testing

/// Words that are rather another thing than the town that a list has under them.
@Suite("Towns that are called like other things")
struct OtherThingTests {
    private static let (tokyo, berlin, ohio) = ((35.68, 139.76), (52.52, 13.4), (39.96, -83.0))

    private func outcome(_ text: String, from here: (Double, Double)?) async throws -> GeocodingOutcome {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            _ = try file.importSource(GazetteerFixture.source("towns"), read: Self.fill)
            let near = try here.map { try Coordinate(latitude: $0.0, longitude: $0.1) }
            return try GeocodingOutcome(Gazetteer(file).candidates(for: GeocodingQuery(text, near: near)))
        }
    }

    private static func fill(_ writer: GazetteerWriter) throws {
        var areas: [String: GazetteerArea.ID] = [:]
        func city(
            _ name: String, _ alternates: [String], _ country: String, _ latitude: Double, _ longitude: Double,
            _ importance: Double, kind: PlaceKind = .city
        ) throws {
            let area =
                try areas[country]
                ?? writer.add(
                    GazetteerArea(
                        name: "Country \(country)", aliases: [country], countryCode: country, isCountry: true))
            areas[country] = area
            try writer.add(
                GazetteerPlace(
                    name: name, alternates: alternates, kind: kind,
                    coordinate: try Coordinate(latitude: latitude, longitude: longitude), importance: importance,
                    area: area))
        }
        // Small towns and quarters are known around Berlin and Ohio.
        for index in 1...5 {
            let step = 0.03 * Double(index)
            try city("Dorf \(index)", [], "DE", 52.4 + step, 13.1, 0.45)
            try city("Village \(index)", [], "US", 39.9 + step, -83.2, 0.45)
            try city("Mura \(index)", [], "JP", 35.5 + step, 139.5, 0.45)
        }
        try city("Ichihara", ["原", "市原市"], "JP", 35.52, 140.08, 0.717)
        try city("Ichikawa-minami", ["川", "市川南"], "JP", 35.73, 139.9, 0.4)
        try city("Hara", ["原村"], "JP", 35.97, 138.55, 0.51)
        try city("Tsu", ["津", "津市"], "JP", 34.73, 136.51, 0.658)
        try city("Kashiwa", ["柏", "柏市"], "JP", 35.87, 139.98, 0.74)
        try city("Toyota", ["豊田", "豊田市"], "JP", 35.08, 137.15, 0.74)
        try city("Toyota", ["トヨタ", "豊田"], "JP", 40.75, 141.25, 0.55)
        try city("Edd", ["Eid"], "ER", 13.93, 41.69, 0.533)
        try city("Er", [], "FR", 48.3, -1.2, 0.4)
        try city("New York City", ["New York"], "US", 40.71, -74.01, 0.91)
        try city("Mosul", ["Mosel", "Мосул", "モースル", "الموصل"], "IQ", 36.34, 43.12, 0.82)
        try city("Mülheim", ["Mulheim am Mosel"], "DE", 49.91, 7.02, 0.4)
        try city("Cairo", ["Kairo", "Каир", "カイロ", "القاهرة"], "EG", 30.04, 31.24, 0.92)
        try city("Heide", [], "DE", 54.2, 9.1, 0.533)
        try city("Jena", [], "DE", 50.93, 11.59, 0.614)
        try city("Grove City", ["Grove"], "US", 39.75, -83.2, 0.605)
        try city("Weil am Rhein", ["Weil"], "DE", 52.3, 13.0, 0.58)
        try city("Honchō", ["Funabashi", "船橋", "船橋市", "本町"], "JP", 35.7, 139.99, 0.76)
        try city("Halle", [], "DE", 51.5, 12.0, 0.65)
        try city("Halle (Saale)", ["Halle"], "DE", 51.48158, 11.97947, 0.651)
        try city("Ayase", ["綾瀬"], "JP", 35.43, 139.43, 0.601)
        try city("Fujisawa", ["藤沢"], "JP", 35.35, 139.48, 0.678)
        try city("Tokyo", ["東京", "Токио", "도쿄"], "JP", 35.69, 139.69, 0.98)
        try city("Ózd", ["Center"], "HU", 48.22, 20.3, 0.58)
        try city("Adler", [], "RU", 43.43, 39.92, 0.6)
        try city("Leuven", ["Löwen"], "BE", 50.88, 4.7, 0.65)
        try city("Lincoln", [], "US", 40.81, -96.68, 0.71)
    }

    @Test(
        "A part of a name, one in another script, and the name of another thing are questions",
        arguments: [
            ("川", Self.tokyo), ("原", Self.tokyo), ("トヨタ", Self.tokyo), ("綾瀬", Self.tokyo), ("Mosel", Self.berlin),
            ("Eider", Self.berlin), ("Heide", Self.berlin), ("grove", Self.ohio), ("Lincoln", Self.ohio),
        ])
    func doubtful(_ words: String, from here: (Double, Double)) async throws {
        let outcome = try await outcome(words, from: here)
        #expect(!outcome.isCertain, "\(outcome)")
    }

    @Test(
        "Without a position, an everyday word is a question, and so is a town behind a word that stands before no town",
        arguments: ["center", "the center", "Zum Löwen", "zum Adler", "ins Center"])
    func withoutPosition(_ words: String) async throws {
        let outcome = try await outcome(words, from: nil)
        #expect(!outcome.isCertain, "\(outcome)")
    }

    @Test("A town behind a word for “to” that stands before towns is certain", arguments: ["nach Löwen", "to Adler"])
    func behindTo(_ words: String) async throws {
        let outcome = try await outcome(words, from: nil)
        #expect(outcome.isCertain, "\(outcome)")
    }

    @Test(
        "A Japanese city under the name of its main quarter has the name that was asked",
        arguments: ["船橋", "船橋市", "Funabashi", "Honchō"])
    func quarter(_ words: String) async throws {
        let outcome = try await outcome(words, from: Self.tokyo)
        #expect(outcome.isCertain && outcome.candidates.first?.item.name == words, "\(outcome)")
    }

    @Test("The position of a town in whole minutes of arc gives way to an exact one")
    func minutes() async throws {
        let outcome = try await outcome("Halle", from: Self.berlin)
        #expect(outcome.candidates.first?.item.coordinate == (try Coordinate(latitude: 51.48158, longitude: 11.97947)))
    }

    @Test(
        "A city by its name, also of one character or in another language, is certain",
        arguments: [
            ("津", Self.tokyo, "Tsu"), ("柏", Self.tokyo, "Kashiwa"), ("豊田市", Self.tokyo, "Toyota"),
            ("藤沢", Self.tokyo, "Fujisawa"),
            ("Kairo", Self.berlin, "Cairo"), ("Jena", Self.berlin, "Jena"), ("Weil", Self.berlin, "Weil am Rhein"),
            ("NewYork", Self.ohio, "New York City"), ("Grove City", Self.ohio, "Grove City"),
        ])
    func certain(_ words: String, from here: (Double, Double), name: String) async throws {
        let outcome = try await outcome(words, from: here)
        #expect(outcome.isCertain && outcome.candidates.first?.item.name == name, "\(outcome)")
    }
}
