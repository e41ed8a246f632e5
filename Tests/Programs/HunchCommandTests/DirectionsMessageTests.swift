import TestSupport
import Testing

@Suite("Messages about places", .timeLimit(.minutes(15)))
struct DirectionsMessageTests {
    /// Imports towns as a country's dump, with the names of states.
    private func withTowns(_ body: nonisolated(nonsending) (HunchRunner) async throws -> Void) async throws {
        try await withHunch { hunch async throws in
            let rows = [
                ("Columbus", 39.96, -83.0, "US", "OH", 787_000), ("Worthington", 43.62, -95.6, "US", "MN", 13_000),
                ("Heidenheim", 48.68, 10.15, "DE", "01", 48_000), ("Berlin", 52.52, 13.41, "DE", "16", 3_400_000),
            ].map { name, latitude, longitude, country, state, people in
                "\(people)\t\(name)\t\(name)\t\t\(latitude)\t\(longitude)\tP\tPPL\t\(country)\t\t\(state)\t\t\t\t\(people)\t\t10\tEtc/UTC\t2024-01-01"
            }
            let dump = try hunch.home.directory.write(rows.joined(separator: "\n"), to: "dump/towns.txt")
            try hunch.home.directory.write(
                "US.OH\tOhio\tOhio\t1\nUS.MN\tMinnesota\tMinnesota\t2\nDE.01\tBaden-Württemberg\tBaden-Wurttemberg\t3\n",
                to: "dump/admin1CodesASCII.txt")
            #expect(try await hunch("gazetteer", "import", dump).status == .exited(0))
            try await body(hunch)
        }
    }

    @Test("An unknown street names the command that adds streets")
    func unknownStreet() async throws {
        try await withTowns { hunch async throws in
            let result = try await hunch("directions", "Elm Street 3, Worthington, Minnesota")
            #expect(
                result.standardError.contains("only Worthington")
                    && result.standardError.contains("get osm:REGION” adds streets"),
                "\(result)")
        }
    }

    @Test("A message names only what helps: no list has shops, and only OpenStreetMap has houses")
    func helpful() async throws {
        try await withTowns { hunch async throws in
            for (words, said) in [
                ("IKEA", "apps that search get “IKEA”\n"), ("Motel One Ulm", "apps that search get “Motel One Ulm”\n"),
                ("Kirchweg 12a", "adds streets\n"),
                ("Am Hang 3", "apps that search get the words, and “hunch gazetteer get osm:REGION” adds streets\n"),
                (
                    "Columbsu",
                    "did you mean Columbus, Ohio, United States? Otherwise, apps that search get “Columbsu”\n"
                ),
            ] {
                let result = try await hunch("directions", words)
                #expect(result.standardError.hasSuffix(said), "\(result)")
                #expect(result.standardOutput.contains("searches for the words"), "\(result)")
            }
        }
    }

    @Test("Both ends of a route are named, also those that apps search for")
    func ends() async throws {
        try await withTowns { hunch async throws in
            for (words, said) in [
                (
                    "Heidenheim to the zoo by bike",
                    "from Heidenheim, Baden-Württemberg, Germany to “the zoo”, by bike\n"
                ),
                ("IKEA to Heidenheim", "from “IKEA” to Heidenheim, Baden-Württemberg, Germany\n"),
            ] {
                let result = try await hunch("directions", words)
                #expect(result.standardError.hasPrefix("hunch: \(said)"), "\(result)")
            }
        }
    }

    @Test("The command that adds places is that for the country of the time zone, not that of the language")
    func country() async throws {
        try await withTowns { hunch async throws in
            let tokyo = ["TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "en"]
            let result = try await hunch("directions", "Atlantis", also: tokyo)
            #expect(result.standardError.contains("“hunch gazetteer get JP” adds"), "\(result)")
        }
    }

    @Test("A doubtful town is named with its state at home, and with its country abroad")
    func onlyOne() async throws {
        try await withTowns { hunch async throws in
            for (start, written, country) in [
                ("39.97,-83.0", "Worthington, Minnesota", "US"), ("52.52,13.4", "Worthington, United States", "DE"),
            ] {
                let result = try await hunch("directions", "Worthington", "--from", start)
                #expect(
                    result.standardError.contains("the only “Worthington” known here is Worthington, Minnesota"),
                    "\(result)")
                #expect(result.standardError.contains("write “\(written)” if you mean it"), "\(result)")
                #expect(result.standardError.contains("“hunch gazetteer get \(country)” adds places"), "\(result)")
                let named = try await hunch("directions", written, "--from", start)
                #expect(named.standardError.contains("to Worthington, Minnesota"), "\(named)")
            }
        }
    }

    @Test("Planners of the area that need a start are named if none is given")
    func needOfStart() async throws {
        try await withHunch { hunch async throws in
            let result = try await hunch("directions", "52.4,13.06")
            #expect(result.standardError.contains("Deutsche Bahn"), "\(result)")
            #expect(result.standardError.contains("need a start: add “from PLACE”"), "\(result)")
            #expect(!result.standardError.contains("BRouter"), "\(result)")
            let route = try await hunch("directions", "52.4,13.06", "--from", "52.5,13.4")
            #expect(!route.standardError.contains("a start"), "\(route)")
        }
    }

    @Test("A coordinate with the longitude first is pointed out")
    func swapped() async throws {
        try await withHunch { hunch async throws in
            let result = try await hunch("directions", "13.4,52.5", "--from", "52.52,13.4")
            #expect(
                result.status == .exited(0)
                    && result.standardError.contains("write 52.5,13.4, which is 2.2\u{A0}km away"),
                "\(result)")
            for (place, start) in [("52.5,13.4", "52.52,13.4"), ("13.4,52.5", "13.1,52"), ("-33.9,151.2", "52.5,13.4")]
            {
                let other = try await hunch("directions", place, "--from", start)
                #expect(!other.standardError.contains("longitude first"), "\(other)")
            }
        }
    }

    @Test("Modes that no app serves are replaced by the nearest ones, with a message")
    func instead() async throws {
        try await withHunch { hunch async throws in
            let areas = "\(Surroundings.packageRoot)/Regions"
            for (mode, said) in [
                ("taxi", "no app shows the route by taxi; these show it by car"),
                ("plane", "no app shows the route by plane; these show it by public transport"),
            ] {
                let result = try await hunch(
                    "directions", "48.14,11.56", "--from", "52.52,13.4", "--by", mode, "--regions", areas)
                #expect(result.status == .exited(0) && result.standardError.contains(said), "\(result)")
                #expect(result.standardOutput.contains("Google Maps"), "\(result)")
            }
        }
    }
}
