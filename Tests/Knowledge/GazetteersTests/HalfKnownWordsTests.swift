@testable import GazetteerImport
import Directions
import Gazetteers
import HunchModel
import TestSupport
import Testing

@testable import Geocoding
@testable import JourneyWords

/// Mistyped names, and addresses and common nouns in a town of which nothing but the name is known.
@Suite("Mistyped and half-known words") struct HalfKnownWordsTests {
    private static let ohio = try? Coordinate(latitude: 39.96, longitude: -83)
    private static let tokyo = try? Coordinate(latitude: 35.68, longitude: 139.76)

    private func withGazetteer<Value>(_ body: (Gazetteer) throws -> Value) async throws -> Value {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            _ = try file.importSource(GazetteerFixture.source("half")) { writer in
                let germany = try writer.add(
                    GazetteerArea(name: "Germany", aliases: ["DE"], countryCode: "DE", isCountry: true))
                let berlin = try writer.add(
                    GazetteerArea(name: "Berlin", aliases: [], countryCode: "DE", isCountry: false), in: germany)
                func city(
                    _ name: String, _ alternates: [String] = [], _ latitude: Double, _ longitude: Double,
                    _ importance: Double, kind: PlaceKind = .city, area: GazetteerArea.ID? = nil,
                    doubtful: [String] = []
                ) throws {
                    try writer.add(
                        GazetteerPlace(
                            name: name, alternates: alternates, doubtfulNames: doubtful, kind: kind,
                            coordinate: try Coordinate(latitude: latitude, longitude: longitude),
                            importance: importance, area: area,
                            category: kind == .airport ? PlaceCategory(code: "airport") : nil))
                }
                try city("Berlin", [], 52.52, 13.4, 0.86, area: berlin)
                try city("Munich", ["München"], 48.14, 11.58, 0.74, area: germany)
                try city("Halle (Saale)", ["Halle"], 51.48, 11.97, 0.66, area: germany)
                try city("Halle", [], 50.73, 4.23, 0.57)
                try city("Werder", [], 52.38, 12.93, 0.54, area: germany)
                try city("Philadelphia", [], 39.95, -75.16, 0.74)
                try city("Amman", ["Philadelphia"], 31.95, 35.93, 0.82)
                try city("Columbus", ["Colombus"], 29.7, -96.5, 0.45)
                try city("Columbus", [], 39.96, -83, 0.72)
                try city("Dayton", [], 39.76, -84.19, 0.64)
                try city("Cox Dayton International Airport", [], 39.9, -84.22, 0.4, kind: .airport)
                try city("Cincinnati International Airport", [], 39.05, -84.66, 0.63, kind: .airport)
                try city("Ichihara", [], 35.51, 140.08, 0.65)
                try city("Canberra", [], -35.28, 149.13, 0.78, doubtful: ["kainabara"])
                try city("Tokyo", ["東京都"], 35.69, 139.69, 0.95)
                try city("Uno", ["1"], 27.9, -101.17, 0.3)
                try city("Alexander City", [], 32.94, -85.95, 0.52)
                try city("Port Alexander Seaplane Base", [], 56.24, -134.65, 0.3, kind: .weatherStation)
                try city("Rothenburg ob der Tauber", [], 49.38, 10.19, 0.5, area: germany)
                try city("Bukhara", ["Satagay"], 39.77, 64.43, 0.66)
                try city("Berriane", [], 32.83, 3.77, 0.56)
            }
            return try body(try Gazetteer(file))
        }
    }

    private func outcome(_ text: String, from here: Coordinate? = nil) async throws -> GeocodingOutcome {
        try await withGazetteer { GeocodingOutcome(try $0.candidates(for: GeocodingQuery(text, near: here))) }
    }

    @Test(
        "A typing error has the likeliest place as its first guess",
        arguments: [
            ("Münchne", "Munich"), ("Phillidelphia", "Philadelphia"), ("Phildaelphia", "Philadelphia"),
            ("Berln", "Berlin"), ("Munchen Berlni", nil), ("Columbsu", "Columbus"),
        ] as [(String, String?)])
    func mistyped(_ text: String, expected: String?) async throws {
        for here in [Self.ohio, nil] {
            let outcome = try await outcome(text, from: here)
            #expect(!outcome.isCertain && outcome.guesses.first?.item.name == expected, "\(outcome)")
        }
    }

    @Test("A misspelling that a list has only for a smaller namesake means the city")
    func listedMisspelling() async throws {
        let first = try await outcome("Colombus", from: Self.ohio).candidates.first
        #expect(first?.item.coordinate == Self.ohio, "\(String(describing: first))")
    }

    @Test(
        "Names that differ in two letters are distinct",
        arguments: ["Ichikawa", "Akihabara", "Kainabera", "Setagaya"])
    func otherName(_ text: String) async throws {
        #expect(try await outcome(text, from: Self.tokyo).candidates.isEmpty)
    }

    @Test("A town with only the beginning of a name, or that is small and far, is not a guess")
    func unlikeGuess() async throws {
        let berlin = try Coordinate(latitude: 52.52, longitude: 13.405)
        for text in ["Alexanderplatz", "Mun", "Berriano"] {
            #expect(try await outcome(text, from: berlin).guesses.isEmpty, "\(text)")
        }
        for (text, name) in [
            ("Werdre", "Werder"), ("Werdre Germany", "Werder"), ("Rothenbrug", "Rothenburg ob der Tauber"),
        ] { #expect(try await outcome(text, from: berlin).guesses.first?.item.name == name, "\(text)") }
    }

    @Test("The name of a town without its river is its own, and one with an unknown river is ambiguous")
    func rivers() async throws {
        #expect(try await outcome("Halle").candidates.first?.item.name == "Halle (Saale)")
        let werder = try await outcome("Werder (Havel)")
        #expect(!werder.isCertain && werder.candidates.first?.item.name == "Werder", "\(werder)")
    }

    @Test(
        "The town of an address or a common noun is kept",
        arguments: [
            ("Torstraße 1, Berlin", "Berlin"), ("pharmacy in Werder", "Werder"), ("zum Bahnhof in Berlin", "Berlin"),
            ("pharmacy near me in Berlin", "Berlin"), ("東京都新宿区西新宿2-8-1", "Tokyo"),
            ("〒160-0023 東京都新宿区西新宿2-8-1", "Tokyo"), ("2-8-1 Nishi-Shinjuku, Shinjuku-ku, Tokyo", "Tokyo"),
        ])
    func townOf(_ text: String, expected: String) async throws {
        let outcome = try await outcome(text)
        #expect(!outcome.isCertain && outcome.candidates.first?.item.name == expected, "\(outcome)")
        #expect(outcome.candidates.first?.match == .partial)
    }

    @Test("An airport that bears the name of the town comes before a larger one")
    func airport() async throws {
        let first = try await outcome("Dayton airport").candidates.first
        #expect(first?.item.name == "Cox Dayton International Airport", "\(String(describing: first))")
        let hotel = try await outcome("hotel near Dayton airport")
        #expect(!hotel.isCertain)
    }
}
