import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct GazetteerCommandTests {
    private struct Position: Decodable, Equatable {
        var latitude: Double
        var longitude: Double
    }

    private struct Address: Decodable {
        var country: String?
        var state: String?
        var formatted: String
    }

    private struct Candidate: Decodable {
        var name: String
        var address: Address?
        var coordinate: Position
        var kind: String
        var confidence: Double
        var matched: [String]
        var distance: Double?
    }

    private struct Failure: Decodable {
        var code: String
        var message: String
    }

    private struct Geocoding: Decodable {
        var input: String
        var candidates: [Candidate]
        var error: Failure?
    }

    private struct Reverse: Decodable {
        var coordinate: Position
        var candidates: [Candidate]
    }

    private struct Source: Decodable {
        var name: String
        var placeCount: Int
        var licence: String
        var attribution: String
        var fileDate: String
        var importDate: String
    }

    private struct Status: Decodable {
        var path: String
        var placeCount: Int
        var sources: [Source]
    }

    private func row(_ name: String, _ latitude: Double) -> String {
        "1\t\(name)\t\(name)\t\t\(latitude)\t2\tP\tPPL\tDE\t\t07\t\t\t\t1000\t\t10\tEurope/Berlin\t2024-01-01"
    }

    @Test("The first use fills the gazetteer")

    func theFirstUseFillsTheGazetteer() async throws {
        try await withHunch { hunch async throws in
            let empty = try await hunch("geocode", "Paris")
            #expect(empty.status == .exited(3))
            #expect(empty.standardError.contains("libtimezonemap-data or libgweather-4-common"))

            try hunch.installPlaceList()
            // A request without a place fails before the gazetteer is filled.
            for (text, code) in [("Zoom", "notAPlace"), ("!!!", "emptyQuery"), ("https://example.org", "notAPlace")] {
                let refused = try await hunch("geocode", text, "--json")
                #expect(
                    refused.status == .exited(2) && refused.standardOutput.contains(#""code":"\#(code)""#), "\(refused)"
                )
                #expect(!refused.standardError.contains("filling the gazetteer"), "\(refused)")
                for arguments in [["directions", text], ["directions", "52.5,13.4", "--from", text]] {
                    let way = try await run(builtProduct("hunch"), arguments, environment: hunch.home.environment)
                    #expect(way.status == .exited(2) && !way.standardError.contains("filling"), "\(arguments): \(way)")
                }
            }
            let lines = try await hunch("geocode", "-", input: "Zoom\nRoom 3B\n")
            #expect(lines.status == .exited(2) && !lines.standardError.contains("filling"), "\(lines)")
            let answers = try await hunch.json(Geocoding.self, "geocode", "Paris, Texas", "--json")
            #expect(answers.count == 1)
            #expect(answers.first?.input == "Paris, Texas")
            #expect(answers.first?.candidates.count == 1)
            let paris = try #require(answers.first?.candidates.first)
            #expect(paris.coordinate == Position(latitude: 33.660939, longitude: -95.555513))
            #expect(paris.address?.formatted == "Paris, Texas, United States")
            #expect(paris.matched == ["Paris", "Texas"])
            #expect(paris.kind == "city")
            #expect(FileManager.default.fileExists(atPath: "\(hunch.home.data)/hunch/gazetteer.sqlite"))
        }
    }

    @Test("A gazetteer of an earlier version is rebuilt from its files")
    func earlierVersion() async throws {
        try await withHunch { hunch async throws in
            let town = try hunch.home.directory.write(row("Beta", 50), to: "towns.txt")
            #expect(try await hunch("gazetteer", "import", town).status == .exited(0))
            func makeEarlier() async throws {
                let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version = 3')"
                let file = "\(hunch.home.data)/hunch/gazetteer.sqlite"
                _ = try await run("python3", ["-c", script, file], environment: hunch.home.environment).output()
            }
            try await makeEarlier()
            let found = try await hunch("geocode", "Beta")
            #expect(found.status == .exited(0), "\(found)")
            #expect(found.standardError.contains("rebuilding the gazetteer"), "\(found)")
            #expect(try await !hunch("geocode", "Beta").standardError.contains("rebuilding"))

            try await makeEarlier()
            try FileManager.default.removeItem(atPath: town)
            let lost = try await hunch("geocode", "Beta")
            #expect(lost.status == .exited(3) && lost.standardError.contains("towns.txt cannot be read"), "\(lost)")
            #expect(FileManager.default.fileExists(atPath: "\(hunch.home.data)/hunch/gazetteer.sqlite"))
        }
    }

    @Test("Lines are answered one by one")

    func answersLineByLine() async throws {
        try await withHunch { hunch async throws in
            try hunch.installPlaceList()
            let answers = try await hunch.json(
                Geocoding.self, "geocode", "-", "--limit", "1", "--json", input: "Paris\n\nAtlantis\nsydney")
            #expect(answers.map(\.input) == ["Paris", "", "Atlantis", "sydney"])
            #expect(answers.map(\.candidates.count) == [1, 0, 0, 1])
            #expect(answers.map(\.error?.code) == [nil, "emptyQuery", "notFound", nil])
            let none = try await hunch("geocode", "Atlantis")
            #expect(none.status == .exited(1))
            #expect(try await hunch("geocode", "Paris", "--limit", "0").status == .exited(2))
            #expect(try await hunch("geocode", "Paris", "--near", "somewhere").status == .exited(2))
            let near = try await hunch("geocode", "Paris", "--near=33,-95")
            #expect(near.standardOutput.hasPrefix("Paris, "))
        }
    }

    @Test("hunch reverse accepts negative numbers")

    func reverseTakesNegativeNumbers() async throws {
        try await withHunch { hunch async throws in
            try hunch.installPlaceList()
            let answers = try await hunch.json(Reverse.self, "reverse", "-33.87", "151.21", "--json")
            #expect(answers.first?.coordinate == Position(latitude: -33.87, longitude: 151.21))
            #expect(answers.first?.candidates.map(\.name) == ["Sydney"])
            #expect(answers.first?.candidates.first?.distance ?? 0 > 1_000)
            #expect(try await hunch("reverse", "-33", "-151").standardOutput.hasPrefix("Sydney"))
            for wrong in [["91", "0"], ["1"], ["a", "b"], ["1", "2", "3"], ["--nonsense", "1", "2"]] {
                let result = try await run(
                    builtProduct("hunch"), ["reverse"] + wrong, environment: hunch.home.environment)
                #expect(result.status == .exited(2))
                #expect(result.standardError.hasPrefix("hunch: "))
            }
        }
    }

    @Test("Sources are imported, listed and removed")

    func importStatusAndRemove() async throws {
        try await withHunch { hunch async throws in
            #expect(try await hunch("gazetteer", "status").status == .exited(1))
            #expect(try await hunch("gazetteer", "import").status == .exited(2))
            try hunch.installPlaceList()
            try hunch.home.directory.write(
                [row("Alpha", 1), row("Beta", 2), "broken"].joined(separator: "\n"), to: "c.txt")
            let imported = try await hunch("gazetteer", "import", "c.txt")
            #expect(imported.standardOutput == "geonames-c: 2 places, 1 broken entries left out\n")
            #expect(imported.standardError.isEmpty)
            #expect(try await hunch("gazetteer", "import").standardOutput == "gnome-places: 3 places\n")

            let status = try #require(await hunch.json(Status.self, "gazetteer", "status", "--json").first)
            #expect(status.placeCount == 5)
            #expect(status.sources.map(\.name) == ["geonames-c", "gnome-places"])
            #expect(status.sources.allSatisfy { !$0.licence.isEmpty && !$0.attribution.isEmpty })
            #expect(status.path == "\(hunch.home.data)/hunch/gazetteer.sqlite")
            #expect(try await hunch("gazetteer", "status").standardOutput.hasPrefix("geonames-c\t2\t"))

            #expect(try await hunch("gazetteer", "remove", "nothing").status == .exited(1))
            #expect(try await hunch("gazetteer", "remove", "geonames-c").status == .exited(0))
            #expect(try await hunch("geocode", "Alpha").status == .exited(1))
            #expect(try await hunch("gazetteer", "remove", "--all").status == .exited(0))
            #expect(try await hunch("gazetteer", "remove", "--all").status == .exited(1))
            let refused = try await hunch("gazetteer", "import", "missing.txt")
            #expect(refused.status == .exited(2))
            #expect(refused.standardError.contains("missing.txt cannot be read"))
        }
    }

    @Test("A killed import keeps the old places")

    func aKilledImportLeavesTheOldPlaces() async throws {
        try await withHunch { hunch async throws in
            try hunch.home.directory.write(row("Alpha", 1), to: "small.txt")
            _ = try await hunch("gazetteer", "import", "small.txt").output()
            let many = (0..<100_000).map { row("Town\($0)", Double($0 % 90)) }.joined(separator: "\n")
            let large = try hunch.home.directory.write(many, to: "large.txt")
            let partial = "\(hunch.home.data)/hunch/gazetteer.sqlite.partial"

            let command = Command(
                try builtProduct("hunch"), ["gazetteer", "import", large], environment: hunch.home.environment,
                ready: .file(partial))
            try await withDaemon(command) { importing async throws in
                importing.signal(SIGKILL)
                #expect(try await importing.waitForExit() == .signalled(SIGKILL))
            }
            let status = try #require(await hunch.json(Status.self, "gazetteer", "status", "--json").first)
            #expect(status.sources.map(\.name) == ["geonames-small"])
            #expect(try await hunch("geocode", "Alpha").status == .exited(0))

            // The leftovers of the killed import do not disturb the next one.
            try hunch.home.directory.write(row("Beta", 1), to: "other.txt")
            _ = try await hunch("gazetteer", "import", "other.txt").output()
            #expect(try await hunch("geocode", "Alpha").status == .exited(0))
            #expect(try await hunch("geocode", "Beta").status == .exited(0))
            #expect(!FileManager.default.fileExists(atPath: partial))
        }
    }
}
