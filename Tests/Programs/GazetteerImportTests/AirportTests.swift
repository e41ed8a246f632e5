import Directions
import Foundation
import GazetteerImport
import Gazetteers
import Geocoding
import HunchModel
import TestSupport
import Testing

/// The large airports that Hunch installs, and towns of the same names.
@Suite struct AirportTests {
    /// The list in this repository.
    private static let list =
        Surroundings.packageRoot + "/Sources/Programs/GazetteerImport/Data/hunch/places/airports.txt"

    private static func town(
        _ number: Int, _ name: String, _ place: String, _ country: String, _ people: Int, also other: String = ""
    ) -> String {
        let coordinate = place.split(separator: " ").joined(separator: "\t")
        return
            "\(number)\t\(name)\t\(name)\t\(other)\t\(coordinate)\tP\tPPL\t\(country)\t\t\t\t\t\t\(people)\t\t\tUTC\t2026-01-01"
    }

    private static let towns = [
        town(1, "Heathrow", "28.7633 -81.3723", "US", 5_888), town(2, "Ber", "16.8 -2.5", "ML", 8_900),
        town(3, "Berlin", "52.52 13.405", "DE", 3_426_354), town(4, "London", "51.5074 -0.1278", "GB", 8_961_989),
        town(5, "Narita", "35.7833 140.3167", "JP", 131_190), town(6, "Delmenhorst", "53.05 8.63", "DE", 77_000),
        town(7, "Sol", "40.4168 -3.7038", "ES", 7_000), town(8, "Sopot", "54.4418 18.56", "PL", 38_000),
        town(9, "Zell", "50.03 9.18", "DE", 4_100), town(10, "Atlanta", "33.749 -84.388", "US", 463_878),
        town(11, "Lima", "-12.046 -77.043", "PE", 7_737_002), town(12, "Lima", "40.7426 -84.1052", "US", 37_873),
        town(13, "Ueno-ebisumachi", "34.7667 136.1333", "JP", 98_000, also: "Ueno"),
        town(14, "Frankfurt am Main", "50.1155 8.6842", "DE", 650_000, also: "Frankfurt"),
        town(16, "Dome", "5.65 -0.236", "GH", 78_000, also: "Dom"),
        // Around Berlin, small towns are known.
        town(17, "Erkner", "52.4241 13.7514", "DE", 9_000), town(18, "Velten", "52.6889 13.1833", "DE", 9_000),
        town(19, "Zossen", "52.2167 13.45", "DE", 9_000), town(20, "Werder", "52.3783 12.9344", "DE", 9_000),
        town(21, "Zeuthen", "52.35 13.6167", "DE", 9_000), town(22, "Wandlitz", "52.7444 13.4586", "DE", 9_000),
        town(15, "Newark Heath Airport", "40.0249 -82.4618", "US", 0).replacing("\tP\tPPL\t", with: "\tS\tAIRP\t"),
    ]

    private func outcomes(
        near: Coordinate? = nil, _ texts: [String], isByLand: Bool = false, isByPlane: Bool = false
    ) async throws -> [GeocodingOutcome] {
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
            return try texts.map { text in
                var query = GeocodingQuery(text, near: near)
                (query.isByLand, query.isByPlane) = (isByLand, isByPlane)
                return GeocodingOutcome(try gazetteer.candidates(for: query))
            }
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

    @Test("A town near its airport is asked about, and short words are not codes")
    func notCertain() async throws {
        let outcomes = try await outcomes(["Narita", "Calle del Sol", "ber"])
        #expect(!outcomes[0].isCertain && outcomes[0].candidates.count == 2)
        #expect(outcomes[1].candidates.allSatisfy { $0.kind != .airport })
        #expect(!outcomes[2].isCertain)
    }

    @Test("A town on another continent is not certain if the user is near one of that name")
    func namesakes() async throws {
        let columbus = try Coordinate(latitude: 39.9612, longitude: -82.9988)
        let berlin = try Coordinate(latitude: 52.52, longitude: 13.405)
        let here = try await outcomes(near: columbus, ["Lima", "London"])
        #expect(
            !here[0].isCertain && here[0].candidates.compactMap(\.item.address?.countryCode).sorted() == ["PE", "US"])
        // A small town of that name may be near: London in Ohio.
        #expect(!here[1].isCertain)
        #expect(try await outcomes(near: berlin, ["Lima"])[0].isCertain)
        #expect(try await outcomes(["Lima"])[0].isCertain)
    }

    @Test("“Airport” is one with scheduled flights, and is ambiguous where several are near")
    func nearest() async throws {
        let newark = try Coordinate(latitude: 40.0581, longitude: -82.4013)
        let tokyo = try Coordinate(latitude: 35.68, longitude: 139.76)
        let hounslow = try Coordinate(latitude: 51.47, longitude: -0.43)
        let kingston = try Coordinate(latitude: 51.33, longitude: -0.35)
        for (here, name) in [(newark, "John Glenn Columbus International Airport"), (tokyo, "Tokyo Haneda Airport")] {
            let outcome = try await outcomes(near: here, ["airport"])[0]
            #expect(outcome.isCertain && outcome.candidates.first?.item.name == name, "\(outcome)")
        }
        #expect(try await outcomes(near: hounslow, ["airport"])[0].isCertain)
        let between = try await outcomes(near: kingston, ["airport"])[0]
        #expect(!between.isCertain && between.candidates.count > 1, "Heathrow or Gatwick")
    }

    @Test("A small town is certain only near the user, or with its area")
    func smallTowns() async throws {
        let berlin = try Coordinate(latitude: 52.52, longitude: 13.405)
        let near = try await outcomes(near: berlin, ["Zell", "Sopot", "Heathrow", "Ber, Mali", "Ber"])
        #expect(near.map(\.isCertain) == [false, true, true, true, true])
        let frankfurt = try Coordinate(latitude: 50.11, longitude: 8.68)
        #expect(try await outcomes(near: frankfurt, ["Zell"]).map(\.isCertain) == [true])
        #expect(near[2].candidates.first?.item.address?.countryCode == "GB")
        #expect(near[4].candidates.first?.item.name == "Berlin Brandenburg Airport")
        let columbus = try Coordinate(latitude: 39.9612, longitude: -82.9988)
        #expect(try await outcomes(near: columbus, ["Zell"]).map(\.isCertain) == [false])
        let tokyo = try Coordinate(latitude: 35.68, longitude: 139.76)
        let nagoya = try Coordinate(latitude: 35.18, longitude: 136.91)
        #expect(try await outcomes(near: tokyo, ["Ueno", "Frankfurt"]).map(\.isCertain) == [false, true])
        #expect(try await outcomes(near: nagoya, ["Ueno"]).map(\.isCertain) == [true])
        let cologne = try Coordinate(latitude: 50.94, longitude: 6.96)
        #expect(try await outcomes(near: cologne, ["Dom", "Sol"]).map(\.isCertain) == [false, false])
        // Without a position, nothing is far.
        #expect(try await outcomes(["Zell"]).map(\.isCertain) == [true])
    }

    @Test("Small letters are the code of an airport nearby, in the user's country, or next to a word for flying")
    func smallLetters() async throws {
        let berlin = try Coordinate(latitude: 52.52, longitude: 13.405)
        let columbus = try Coordinate(latitude: 39.9612, longitude: -82.9988)
        #expect(try await outcomes(near: berlin, ["lhr", "lax airport", "LAX"]).allSatisfy(\.isCertain))
        #expect(try await outcomes(near: columbus, ["lax", "jfk"]).allSatisfy(\.isCertain))
        for far in try await outcomes(near: berlin, ["lax", "gig", "bio"]) {
            #expect(!far.isCertain && far.guesses.first?.kind == .airport, "\(far)")
        }
        let flight = try await outcomes(near: berlin, ["gig"], isByPlane: true)
        #expect(flight[0].isCertain)
    }

    @Test(
        "A word, a given name and the code of four letters in small letters are not an airport",
        arguments: ["dad", "sat", "mia", "Mel", "Kind", "egll", "Katl"])
    func words(text: String) async throws {
        let columbus = try Coordinate(latitude: 39.9612, longitude: -82.9988)
        for here in [nil, columbus] {
            let outcome = try await outcomes(near: here, [text])[0]
            #expect(!outcome.isCertain && !outcome.candidates.contains { $0.match > .partial }, "\(outcome)")
        }
    }

    @Test("An airport on another continent is ambiguous if the user travels by land")
    func overland() async throws {
        let berlin = try Coordinate(latitude: 52.52, longitude: 13.405)
        #expect(try await outcomes(near: berlin, ["JFK"])[0].isCertain)
        #expect(try await !outcomes(near: berlin, ["JFK"], isByLand: true)[0].isCertain)
        #expect(try await outcomes(near: berlin, ["LHR"], isByLand: true)[0].isCertain)
    }
}
