import FoundationEssentials
import TestSupport
import Testing

@Suite("hunch-dev from-gtfs", .timeLimit(.minutes(15))) struct RegionsFromFeedTests {
    private struct Feature: Decodable {
        struct Properties: Decodable {
            struct Origin: Decodable {
                var claim: String
                var source: String
                var date: String
                var modes: [String]?
            }
            var name: String
            var kind: String?
            var modes: [String]?
            var uri: [String: String]?
            var coverage: String
            var origin: Origin
        }
        struct Geometry: Decodable { var coordinates: [[[[Double]]]] }
        var id: String
        var properties: Properties
        var geometry: Geometry
    }

    private static let tables = [
        "agency.txt":
            "agency_name,agency_url,agency_timezone\nTown Transport,https://www.town.example/en,Europe/Helsinki",
        "stops.txt": "stop_id,stop_lat,stop_lon\nA,60.1,24.9\nB,60.2,25.0\nC,60.15,25.1\nD,0,0",
        "routes.txt": "route_id,route_type\n1,3\n2,900",
        "trips.txt": "route_id,service_id,trip_id\n1,S,a\n2,S,b",
        "stop_times.txt": "trip_id,stop_id\na,A\na,B\nb,C\nb,D",
        "calendar_dates.txt": "service_id,date,exception_type\nS,20261121,1",
        "feed_info.txt": "feed_publisher_name,feed_version,feed_end_date\nRegion,v7,20261231",
    ]

    @Test("The output covers the stops and is named after the feed")
    func area() async throws {
        try await withHunch { hunch async throws in
            let directory = hunch.home.directory
            try await zipArchive(of: Self.tables, into: directory, as: "town.zip")
            let (feed, file) = (directory.file("town.zip"), directory.file("town.geojson"))
            let written = try await hunch.dev("from-gtfs", feed, "-o", file, "--date", "2026-11-01")
            #expect(written.status == .exited(0) && written.standardOutput == "")
            #expect(written.standardError == "hunch: \(feed): 1 of the stops are at 0, 0 and were left out\n")
            let feature = try JSONDecoder().decode(Feature.self, from: Data(directory.read("town.geojson").utf8))
            #expect(feature.id == "example.town" && feature.properties.name == "Town Transport")
            #expect(feature.properties.kind == nil && feature.properties.modes == nil)
            let origin = feature.properties.origin
            #expect(origin.modes == ["bus", "streetcar"] && origin.date == "2026-11-01")
            #expect(origin.claim == "bus, streetcar: the 3 stops that are served on or after 2026-11-01.")
            #expect(origin.source == "GTFS feed town.zip of Region, version v7, valid …2026-12-31")
            #expect(try await hunch("regions", "validate", file).output() == "\(file): valid, 1 feature usable\n")
            for stop in [("60.1", "24.9"), ("60.2", "25.0"), ("60.15", "25.1")] {
                let found = try await hunch("regions", "check", stop.0, stop.1, "--regions", file)
                #expect(found.standardOutput == "example.town\n")
            }
            #expect(try await hunch("regions", "check", "60.3", "25", "--regions", file).status == .exited(1))
        }
    }

    @Test("Options override the feed's values; the output validates")
    func given() async throws {
        try await withHunch { hunch async throws in
            let directory = hunch.home.directory
            try await zipArchive(of: Self.tables, into: directory, as: "town.zip")
            let text = try await hunch.dev(
                "from-gtfs", directory.file("town.zip"), "--date", "20261121", "--id", "my.town", "--name",
                "My town", "--mode", "transit", "--mode", "walk", "--uri", "https://town.example/?to={lat},{lon}",
                "--buffer", "50", "--simplify", "0", "--concaveness", "1"
            ).output()
            let feature = try JSONDecoder().decode(Feature.self, from: Data(text.utf8))
            #expect(feature.id == "my.town" && feature.properties.name == "My town" && feature.properties.kind == "web")
            #expect(feature.properties.modes == ["bus", "train", "subway", "streetcar", "ferry", "pedestrian"])
            #expect(feature.properties.uri == ["to": "https://town.example/?to={lat},{lon}"])
            #expect(feature.geometry.coordinates.count == 1)
            try directory.write(text, to: "a.geojson")
            #expect(try await hunch("regions", "validate", directory.file("a.geojson")).status == .exited(0))
        }
    }

    @Test("A bad option, bad feed or expired feed prints one line")
    func faults() async throws {
        try await withHunch { hunch async throws in
            let directory = hunch.home.directory
            var tables = Self.tables
            tables["stops.txt"]? += "\nE,north,1"
            tables["stop_times.txt"]? += "\na,E"
            try await zipArchive(of: tables, into: directory, as: "town.zip")
            let feed = directory.file("town.zip")
            for options in [
                ["--buffer", "0"], ["--buffer", "100", "--simplify", "91"], ["--concaveness", "1.1"], ["--gap", "5"],
                ["--date", "2026-02-30"], ["--mode", "teleport"], ["--uri", "https://x.example/{height}"],
            ] {
                let result = try await run(
                    builtProduct("hunch-dev"), ["from-gtfs", feed] + options, environment: hunch.home.environment
                )
                #expect(result.status == .exited(2) && result.standardOutput == "", "\(options)")
            }
            let broken = try await hunch.dev("from-gtfs", feed, "--date", "20261121")
            #expect(broken.status == .exited(2))
            #expect(
                broken.standardError
                    == "hunch: stops.txt in \(feed), line 6, column stop_lat: “north” is not a number of degrees within ±90\n"
            )
            let past = try await hunch.dev("from-gtfs", feed, "--date", "20270101")
            #expect(
                past.status == .exited(2)
                    && past.standardError.contains("no trip of the feed runs on or after 2027-01-01"))
        }
    }
}
