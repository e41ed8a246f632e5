import BulkFiles
import GazetteerImport
import Geocoding
import HunchModel
import Gazetteers
import TestSupport
import Testing

@Suite struct GeoNamesTests {
    @Test("Names, areas and kinds are read")
    func readsNamesAreasAndKinds() async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            let outcome = try fixture.add(
                [
                    geoNamesRow("Paris", latitude: "33.66", longitude: "-95.55", state: "TX", population: "25171"),
                    geoNamesRow(
                        "Paris", alternates: "Lutece,パリ", latitude: "48.85", longitude: "2.35", code: "PPLC",
                        country: "FR", state: "11", population: "2138551"),
                    geoNamesRow(
                        "Île-de-France", latitude: "48.5", feature: "A", code: "ADM1", country: "FR", state: "11"),
                    geoNamesRow("Bielefeld", ascii: "Bielefeld", country: "DE", state: "07"),
                    geoNamesRow("Łódź", ascii: "Lodz", country: "PL", state: "00"),
                    geoNamesRow("O'Hare", feature: "S", code: "AIRP", state: "IL"),
                    geoNamesRow("Nowhere", country: "", state: ""),
                ].joined(separator: "\r\n"), as: "cities500.txt")
            #expect(outcome.skipped == 0)
            #expect(outcome.source.name == "geonames-cities500")
            #expect(outcome.source.placeCount == 7)
            #expect(outcome.source.licence == "CC BY 4.0")
            #expect(outcome.source.importDate == ImportFixture.date)

            #expect(
                try fixture.found("Paris") == [
                    "Paris | Île-de-France | France | city", "Paris | Texas | United States | city",
                ])
            #expect(try fixture.found("paris tx") == ["Paris | Texas | United States | city"])
            #expect(try fixture.found("パリ ile-de-france") == ["Paris | Île-de-France | France | city"])
            #expect(try fixture.found("Ile de France") == ["Île-de-France | Île-de-France | France | state"])
            #expect(try fixture.found("Bielefeld, Allemagne") == ["Bielefeld | - | Germany | city"])
            #expect(try fixture.found("lodz") == ["Łódź | - | Poland | city"])
            #expect(try fixture.found("O'Hare") == ["O'Hare | Illinois | United States | airport"])
            #expect(try fixture.found("Nowhere") == ["Nowhere | - | - | city"])
        }
    }

    @Test("The list of states next to the dump names its states")

    func theListBesideTheDumpNamesStates() async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            try directory.write(
                "FR.11\tÎle-de-France\tIle-de-France\t3012874\nbroken line\n", to: "admin1CodesASCII.txt")
            try fixture.add(geoNamesRow("Paris", country: "FR", state: "11"), as: "cities.txt")
            #expect(try fixture.found("Paris, Ile-de-France") == ["Paris | Île-de-France | France | city"])
        }
    }

    @Test("The list of states next to the installed list of towns names states")
    func installedStates() async throws {
        try await withTemporaryDirectory { directory in
            let folder = "share/libtimezonemap/ui"
            try directory.write("", to: "\(folder)/cities15000.txt")
            try directory.write("JP.19\tKanagawa\tKanagawa\t1860291\n", to: "\(folder)/admin1Codes.txt")
            let fixture = ImportFixture(directory, data: directory.file("share"))
            try fixture.add(geoNamesRow("Hakone", country: "JP", state: "19"), as: "cities500.txt")
            #expect(try fixture.found("Hakone") == ["Hakone | Kanagawa | Japan | city"])
        }
    }

    @Test("A ward of Tokyo in another prefecture is left out")
    func misplacedWard() async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            let outcome = try fixture.add(
                [
                    geoNamesRow("Bunkyo", alternates: "Bunkyo City", country: "JP", state: "19", population: "240069"),
                    geoNamesRow("Meguro", alternates: "Meguro City,目黒区", country: "JP", state: "40"),
                    geoNamesRow("Gifu", alternates: "Gifu City,岐阜市", country: "JP", state: "09"),
                ].joined(separator: "\n"), as: "cities500.txt")
            #expect(outcome.skipped == 0 && outcome.source.placeCount == 2)
            #expect(try fixture.found("Bunkyo").isEmpty)
        }
    }

    @Test("Broken rows are counted and skipped")

    func brokenRowsAreCountedAndLeftOut() async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            let invalid = Array(geoNamesRow("X").utf8).map { $0 == UInt8(ascii: "X") ? 0xFF : $0 }
            let rows = [
                geoNamesRow("Good"), geoNamesRow("North", latitude: "91"), geoNamesRow("Words", latitude: "north"),
                geoNamesRow(""), geoNamesRow("Endless", longitude: "inf"), "too\tfew\tcolumns", geoNamesRow("A\tB"),
            ]
            let content = Array(rows.joined(separator: "\n").utf8) + [0x0A] + invalid + [0x0A, 0x0A]
            let outcome = try fixture.add(content, as: "c.txt")
            #expect(outcome.source.placeCount == 1)
            #expect(outcome.skipped == 7)
            #expect(try fixture.found("Good").count == 1)
        }
    }

    @Test("Larger towns rank first")

    func largerTownsComeFirst() async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            let rows = [("10", "1"), ("5000000", "2"), ("x", "3"), ("-5", "4"), ("20000", "5")].map {
                geoNamesRow("Springfield", latitude: $0.1, population: $0.0)
            }
            try fixture.add(rows.joined(separator: "\n"), as: "c.txt")
            let found = try Gazetteer(fixture.file).candidates(for: GeocodingQuery("Springfield"))
            #expect(found.compactMap(\.item.coordinate?.latitude).prefix(3) == [2, 5, 1])
        }
    }

    @Test(
        "Invalid files are refused",
        arguments: [
            ("PK\u{3}\u{4}…", .malformed), ("just text\n", .unknownFormat), ("", .unknownFormat),
            (geoNamesRow("Bad", latitude: "x"), .malformed),
            (geoNamesRow("Long") + "\n" + String(repeating: "a", count: 1 << 20), .tooLong),
        ] as [(String, ImportError.Code)])
    func filesThatAreRefused(content: String, code: ImportError.Code) async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            try fixture.add(geoNamesRow("Before"), as: "before.txt")
            let error = #expect(throws: ImportError.self) { try fixture.add(content, as: "after.txt") }
            #expect(error?.code == code)
            #expect(try fixture.found("Before").count == 1)
            #expect(try fixture.file.sources().map(\.name) == ["geonames-before"])
        }
    }

    @Test("A missing file or a folder is refused")

    func whatIsNoFileIsRefused() async throws {
        try await withTemporaryDirectory { directory in
            for path in [directory.path, directory.file("missing.txt"), "/dev/null"] {
                let error = #expect(throws: ImportError.self) {
                    try GazetteerImport(into: ImportFixture(directory).file).importFile(
                        at: path, date: ImportFixture.date)
                }
                #expect(error?.code == .unreadable)
            }
        }
    }

    @Test("Progress is reported for reading, then for indexing")

    func progressGoesFromReadingToIndexing() async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            let path = try directory.write(
                (0..<6_000).map { geoNamesRow("P\($0)") }.joined(separator: "\n"), to: "c.txt")
            var steps: [GazetteerProgress] = []
            _ = try GazetteerImport(into: fixture.file).importFile(at: path, date: ImportFixture.date) {
                steps.append($0)
            }
            #expect(steps.first.map { if case .reading = $0 { true } else { false } } == true)
            #expect(steps.contains(.reading(fraction: 1, places: 6_000)))
            #expect(steps.last == .indexing(fraction: 1, places: 6_000))
        }
    }
}
