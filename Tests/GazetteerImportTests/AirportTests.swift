import Directions
import Foundation
import GazetteerImport
import Gazetteers
import HunchModel
import Places
import TestSupport
import Testing

/// The large airports that Hunch installs, beside towns of the same names.
@Suite struct AirportTests {
    /// The list in this repository.
    private static let list = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/GazetteerImport/Data/airports.txt").standardizedFileURL.path

    private static func town(_ number: Int, _ name: String, _ place: String, _ country: String, _ people: Int) -> String
    {
        let coordinate = place.split(separator: " ").joined(separator: "\t")
        return
            "\(number)\t\(name)\t\(name)\t\t\(coordinate)\tP\tPPL\t\(country)\t\t\t\t\t\t\(people)\t\t\tUTC\t2026-01-01"
    }

    private static let towns = [
        town(1, "Heathrow", "28.7633 -81.3723", "US", 5_888), town(2, "Ber", "16.8 -2.5", "ML", 8_900),
        town(3, "Berlin", "52.52 13.405", "DE", 3_426_354), town(4, "London", "51.5074 -0.1278", "GB", 8_961_989),
        town(5, "Narita", "35.7833 140.3167", "JP", 131_190), town(6, "Delmenhorst", "53.05 8.63", "DE", 77_000),
        town(7, "Sol", "40.4168 -3.7038", "ES", 7_000), town(8, "Sopot", "54.4418 18.56", "PL", 38_000),
        town(9, "Zell", "50.03 9.18", "DE", 4_100), town(10, "Atlanta", "33.749 -84.388", "US", 463_878),
    ]

    private func outcomes(near: Coordinate? = nil, _ texts: [String]) async throws -> [GeocodingOutcome] {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            let towns = try directory.write(Self.towns.joined(separator: "\n") + "\n", to: "towns.txt")
            let airports = try directory.write(
                String(contentsOfFile: Self.list, encoding: .utf8), to: "hunch/places/airports.txt")
            #expect(GazetteerImport.isPlaceList(airports))
            for file in [airports, towns] {
                let outcome = try GazetteerImport(into: fixture.file).importFile(at: file, date: ImportFixture.date)
                #expect(outcome.skipped == 0, "\(file)")
            }
            let gazetteer = try Gazetteer(fixture.file)
            #expect(try gazetteer.sources().map(\.licence).sorted() == ["CC BY 4.0", "MIT"])
            return try texts.map { GeocodingOutcome(try gazetteer.candidates(for: GeocodingQuery($0, near: near))) }
        }
    }

    @Test("A large airport is found by its code and its common names")
    func namesAndCodes() async throws {
        let expected = [
            "BER": "Berlin Brandenburg Airport", "LHR": "London Heathrow Airport", "lhr": "London Heathrow Airport",
            "EGLL": "London Heathrow Airport", "Heathrow": "London Heathrow Airport",
            "heathrow airport": "London Heathrow Airport", "Flughafen Berlin Brandenburg": "Berlin Brandenburg Airport",
            "Schiphol": "Amsterdam Airport Schiphol", "JFK": "John F Kennedy International Airport",
            "Charles de Gaulle": "Charles de Gaulle International Airport", "羽田空港": "Tokyo Haneda Airport",
            "O'Hare": "Chicago O'Hare International Airport", "Atlanta": "Atlanta", "Berlin": "Berlin",
        ]
        let texts = expected.keys.sorted()
        for (text, outcome) in zip(texts, try await outcomes(texts)) {
            #expect(outcome.isCertain, "\(text): \(outcome)")
            #expect(outcome.candidates.first?.item.name == expected[text], "\(text)")
        }
    }

    @Test("A town beside its airport is asked about, and short words are no codes")
    func notCertain() async throws {
        let outcomes = try await outcomes(["Narita", "Calle del Sol", "ber"])
        #expect(!outcomes[0].isCertain && outcomes[0].candidates.count == 2)
        #expect(outcomes[1].candidates.allSatisfy { $0.kind != .airport })
        #expect(!outcomes[2].isCertain)
    }

    @Test("A small town is certain only near the person, or with its area")
    func smallTowns() async throws {
        let berlin = try Coordinate(latitude: 52.52, longitude: 13.405)
        let near = try await outcomes(near: berlin, ["Zell", "Sopot", "Heathrow", "Ber, Mali", "Ber"])
        #expect(near.map(\.isCertain) == [true, true, true, true, true])
        #expect(near[2].candidates.first?.item.address?.countryCode == "GB")
        #expect(near[4].candidates.first?.item.name == "Berlin Brandenburg Airport")
        let columbus = try Coordinate(latitude: 39.9612, longitude: -82.9988)
        #expect(try await outcomes(near: columbus, ["Zell"]).map(\.isCertain) == [false])
        // Without a position, nothing is far.
        #expect(try await outcomes(["Zell"]).map(\.isCertain) == [true])
    }
}
