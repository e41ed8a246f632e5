import BulkFiles
import Directions
import FoundationEssentials
import GazetteerImport
import Geocoding
import HunchModel
import Gazetteers
import TestSupport
import Testing

@Suite("Files as their publishers distribute them") struct PublishedFileTests {
    private static let dump = [
        geoNamesRow(
            "Köln", latitude: "50.93", longitude: "6.95", country: "DE", state: "07", population: "963395",
            number: 2_886_242),
        geoNamesRow(
            "Paris", latitude: "48.85", longitude: "2.35", code: "PPLC", country: "FR", state: "11", number: 2_988_507),
    ].joined(separator: "\n")

    private func bytes(_ directory: TemporaryDirectory, _ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: directory.file(name))))
    }

    @Test("Zip and gzip archives are imported", arguments: [true, false])
    func archives(deflate: Bool) async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            try await zipArchive(
                of: ["cities500.txt": Self.dump, "readme.txt": "Read me\nplease"], into: directory, as: "cities500.zip",
                deflate: deflate)
            let outcome = try fixture.add(at: directory.file("cities500.zip"))
            #expect(
                outcome.source.name == "geonames-cities500" && outcome.source.placeCount == 2 && outcome.skipped == 0)
            #expect(try fixture.found("Koeln") == ["Köln | - | Germany | city"])

            try await zipArchive(of: ["readme.txt": "Read me\n"], into: directory, as: "other.zip")
            let bytes = try bytes(directory, "cities500.zip")
            try directory.write(Array(bytes.dropLast(30)), to: "cut.zip")
            try directory.write(bytes.indices.map { $0 > 40 && $0 < 60 ? 0xFF : bytes[$0] }, to: "damaged.zip")
            for (name, code) in [("other.zip", ImportError.Code.unknownFormat), ("cut.zip", .malformed)] {
                let error = #expect(throws: ImportError.self) {
                    try GazetteerImport(into: fixture.file).importFile(
                        at: directory.file(name), date: ImportFixture.date)
                }
                #expect(error?.code == code)
            }
            #expect(throws: ImportError.self) {
                try GazetteerImport(into: fixture.file).importFile(
                    at: directory.file("damaged.zip"), date: ImportFixture.date)
            }
            #expect(try fixture.file.sources().map(\.name) == ["geonames-cities500"])
        }
    }

    @Test("Files are read through gzip")

    func gzip() async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            let feature =
                #"{"type":"Feature","properties":{"hash":"x","number":"1600","street":"Main St","unit":"","city":"Berkeley","region":"CA","postcode":"94702"},"geometry":{"type":"Point","coordinates":[-122.29,37.87]}}"#
            for (name, content) in [
                ("cities500.txt", Self.dump),
                ("berkeley.geojson", feature + "\n" + feature.replacing("1600", with: "1602")),
            ] {
                let packed = try await run(
                    "gzip", ["-k", directory.write(content, to: "us/ca/\(name)")], environment: [:])
                #expect(packed.status == .exited(0))
                let outcome = try GazetteerImport(into: fixture.file).importFile(
                    at: directory.file("us/ca/\(name).gz"), date: ImportFixture.date)
                #expect(outcome.skipped == 0)
                let cut = try directory.write(
                    Array(bytes(directory, "us/ca/\(name).gz").dropLast(20)), to: "cut/\(name).gz")
                #expect(throws: ImportError.self) {
                    try GazetteerImport(into: fixture.file).importFile(at: cut, date: ImportFixture.date)
                }
            }
            #expect(try fixture.file.sources().map(\.name) == ["geonames-cities500", "openaddresses-berkeley"])
            #expect(try fixture.file.sources().map(\.houseCount) == [0, 2])
            #expect(
                try fixture.found("1602 Main Street, Berkeley, California 94702").first
                    == "1602 Main St | California | United States | house")
        }
    }

    @Test("OpenAddresses folders set the country and state")
    func openAddresses() async throws {
        try await withTemporaryDirectory { directory in
            let heading = "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\r\n"
            try await zipArchive(
                of: [
                    "us/ca/berkeley.csv": heading
                        + "-122.29,37.87,1600,\"Main \"\"Old\"\" St, North\",,Berkeley,,,94702,,a\r\n-122.3,37.88,12,Oak Avenue,,Berkeley,,CA,94702,,b\r\n",
                    "de/berlin.csv": heading
                        + "13.4,52.5,5,Unter den Linden,,Berlin,,,10117,,c\nx,y,5,Nowhere,,,,,,,d\n",
                    "LICENSE.txt": "Open\n", "us/ca/berkeley.vrt": "<x/>",
                ], into: directory, as: "collected.zip")
            let fixture = ImportFixture(directory)
            let outcome = try GazetteerImport(into: fixture.file).importFile(
                at: directory.file("collected.zip"), date: ImportFixture.date)
            #expect(outcome.source.houseCount == 3 && outcome.skipped == 1)
            #expect(
                try fixture.found("12 Oak Ave, Berkeley CA").first
                    == "12 Oak Avenue | California | United States | house")
            #expect(
                try fixture.found("1600 Main Old St North").first
                    == "1600 Main \"Old\" St, North | California | United States | house")
            #expect(
                try fixture.found("unter den linden 5 berlin deutschland").first
                    == "Unter den Linden 5 | - | Germany | house")
            #expect(try fixture.found("Berkeley").first == "Berkeley | California | United States | city")
            #expect(try fixture.found("10117 Berlin").first == "10117 | - | Germany | postalCode")
        }
    }

    @Test("GeoNames postal codes import next to its dumps")
    func postalCodes() async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            try fixture.add(Self.dump, as: "DE.txt")
            let outcome = try fixture.add(
                [
                    "DE\t50667\tKöln\tNordrhein-Westfalen\tNW\tReg.-Bez. Köln\t053\tKöln, Stadt\t05315\t50.9387\t6.9547\t4",
                    "GB\tSW1A 1AA\tWestminster\tEngland\tENG\t\t\t\t\t51.501\t-0.1416\t6",
                    "US\t94104\tSan Francisco\tCalifornia\tCA\tSan Francisco\t075\t\t\t37.7915\t-122.4018\t4",
                    "XX\t1\tbroken\t\t\t\t\t\t\tnorth\teast\t",
                ].joined(separator: "\n"), as: "DE.txt")
            #expect(
                outcome.source.name == "geonames-postal-DE" && outcome.source.placeCount == 3 && outcome.skipped == 1)
            #expect(try fixture.file.sources().count == 2)
            for text in ["50667", "50667 Köln", "Köln 50667", "50667 Koeln, Deutschland"] {
                #expect(
                    try fixture.found(text).first == "50667 | Nordrhein-Westfalen | Germany | postalCode", "\(text)")
            }
            #expect(try fixture.found("SW1A 1AA").first == "SW1A 1AA | England | United Kingdom | postalCode")
            #expect(try fixture.found("sw1a1aa").first == "SW1A 1AA | England | United Kingdom | postalCode")
            #expect(
                try fixture.found("San Francisco CA 94104").first == "94104 | California | United States | postalCode")
            #expect(try fixture.found("Köln").first == "Köln | - | Germany | city")
        }
    }

    @Test("GeoNames alternate names find the places of its dumps", arguments: [8, 10])
    func alternateNames(columns: Int) async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            let rows = [
                "1\t2886242\tit\tColonia", "2\t2886242\tlink\thttps://en.wikipedia.org/wiki/Cologne",
                "3\t2886242\tja\tケルン", "4\t99\tde\tUnbekanntes",
                "5\t2886242\ten\tCologne", "6\t2988507\tde\tParis", "broken\trow\tde\tx",
            ].map { $0 + String(repeating: "\t", count: columns - 4) }.joined(separator: "\n")
            let early = #expect(throws: ImportError.self) { try fixture.add(rows, as: "alternateNamesV2.txt") }
            #expect(early?.code == .incomplete)
            try fixture.add(Self.dump, as: "cities500.txt")
            let outcome = try fixture.add(rows, as: "alternateNamesV2.txt")
            #expect(
                outcome.source.name == "geonames-alternateNamesV2" && outcome.source.placeCount == 1
                    && outcome.skipped == 1)
            for text in ["Colonia", "ケルン", "cologne, Germany"] {
                #expect(try fixture.found(text) == ["Köln | - | Germany | city"], "\(text)")
            }
            #expect(try fixture.found("Köln") == ["Köln | - | Germany | city"])
            #expect(try fixture.found("Unbekanntes").isEmpty && fixture.found("wikipedia").isEmpty)
        }
    }

    @Test("An airport code finds the airport, not a town of that name")
    func airportCodes() async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            let airports = [
                geoNamesRow(
                    "San Francisco International Airport", alternates: "KSFO", feature: "S", code: "AIRP", number: 1),
                geoNamesRow(
                    "Chicago O'Hare International Airport", latitude: "41.9", feature: "S", code: "AIRP", number: 2),
            ]
            let towns = [
                geoNamesRow("San Francisco", alternates: "SFO,Frisco", population: "864816", number: 3),
                geoNamesRow("Ord", latitude: "41.6", population: "2100", number: 4),
            ]
            try fixture.add((airports + towns).joined(separator: "\n"), as: "US.txt")
            let codes = ["1\t1\tiata\tSFO", "3\t2\tiata\tORD"]
            try fixture.add(codes.map { $0 + "\t\t\t\t" }.joined(separator: "\n"), as: "alternateNamesV2.txt")
            for (text, name) in [("SFO", "San Francisco"), ("KSFO", "San Francisco"), ("ORD", "Chicago O'Hare")] {
                let outcome = GeocodingOutcome(
                    try Gazetteer(fixture.file).candidates(for: GeocodingQuery(text)))
                #expect(
                    outcome.isCertain && outcome.candidates.first?.item.name == "\(name) International Airport",
                    "\(text)")
            }
            // Written as a name it is the town.
            #expect(try fixture.found("Ord").first == "Ord | - | United States | city")
        }
    }
}
