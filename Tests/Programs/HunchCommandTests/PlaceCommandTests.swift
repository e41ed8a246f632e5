import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct PlaceCommandTests {
    @Test("The JSON always has every key")
    func everyKeyIsAlwaysThere() async throws {
        try await withHunch { hunch async throws in
            let inputs = [
                "geo:37.79,-122.39?z=15", "geo:0,0?q=1,2(Here)", "Yank Sing", "https://example.org/x", "", "91,0",
            ]
            let result = try await hunch("place", "-", "--json", input: inputs.joined(separator: "\n") + "\n")
            #expect(
                result.standardOutput == """
                    {"address":null,"coordinate":{"latitude":37.79,"longitude":-122.39},"error":null,\
                    "input":"geo:37.79,-122.39?z=15","name":null,"query":null,"rule":"geo","source":null,"zoom":15}
                    {"address":null,"coordinate":{"latitude":1,"longitude":2},"error":null,\
                    "input":"geo:0,0?q=1,2(Here)","name":"Here","query":null,"rule":"geo","source":null,"zoom":null}
                    {"address":null,"coordinate":null,"error":null,\
                    "input":"Yank Sing","name":null,"query":"Yank Sing","rule":"text","source":null,"zoom":null}
                    {"address":null,"coordinate":null,"error":{"code":"unsupportedLink","message":\
                    "links to example.org are not supported; give coordinates, an address or a name"},\
                    "input":"https://example.org/x","name":null,"query":null,"rule":null,"source":null,"zoom":null}
                    {"address":null,"coordinate":null,"error":{"code":"notAPlace","message":\
                    "the input is empty; give a place"},\
                    "input":"","name":null,"query":null,"rule":null,"source":null,"zoom":null}
                    {"address":null,"coordinate":null,"error":{"code":"badCoordinate","message":\
                    "latitude 91 is outside −90…90 degrees"},\
                    "input":"91,0","name":null,"query":null,"rule":null,"source":null,"zoom":null}

                    """)
            #expect(result.status == .exited(2))
            #expect(result.standardError == "hunch: of 6 lines, 3 could not be understood\n")
        }
    }

    @Test("The call server and the name of calls of the user are not places, and a faulty file is reported")
    func ownCalls() async throws {
        try await withHunch { hunch async throws in
            let link = "https://konf.example.org/weekly"
            #expect(
                try await hunch("place", link).standardError.contains("links to konf.example.org are not supported"))
            try hunch.home.directory.write(
                "[Acme]\nHosts=konf.example.org;\nNames=Plausch;\n[Zoom]\nHost=zoom.us;\n",
                to: "data/hunch/video-calls.conf")
            #expect(try await hunch("place", link).standardError.contains("leads to a meeting at konf.example.org"))
            #expect(try await hunch("place", "https://zoom.us/j/1").standardError.contains("leads to a meeting"))
            #expect(try await hunch("geocode", "Plausch").standardError.contains("“Plausch” names no place"))
            let findings = try await hunch("doctor").standardOutput
            #expect(findings.contains("/data/hunch/video-calls.conf:5: unknown key “Host”; use one of "), "\(findings)")
        }
    }

    @Test("A map link keeps its travel mode and source")

    func aMapLinkBringsWhatItSaysOfTheRoute() async throws {
        try await withHunch { hunch async throws in
            let links = [
                "https://maps.apple.com/?saddr=1,2&daddr=37.79,-122.39&dirflg=w",
                "https://www.google.com/maps/search/coffee/@37.79,-122.39,14z", "https://maps.app.goo.gl/abc",
            ]
            let result = try await hunch("place", "-", "--json", input: links.joined(separator: "\n") + "\n")
            let lines = result.standardOutput.split(separator: "\n")
            try #require(lines.count == 3)
            #expect(lines[0].contains(#""modes":["pedestrian"]"#) && lines[0].contains(#""rule":"apple""#))
            #expect(lines[1].contains(#""coordinate":{"latitude":37.79,"longitude":-122.39}"#))
            #expect(lines[1].contains(#""query":"coffee""#) && lines[1].contains(#""uncertainty":1933"#))
            #expect(lines[2].contains(#""code":"needsNetwork""#))
        }
    }

    @Test(
        "Words next to the view of a map keep both, with the radius of the view",
        arguments: [
            ("https://maps.apple.com/?q=Museum&sll=48.8606,2.3376&z=12", "48.8606,2.3376", "Museum", "6437"),
            (
                "https://www.google.com/maps/dir//Gare+de+Lyon,+Paris/@48.8443,2.3744,15z", "48.8443,2.3744",
                "Gare de Lyon, Paris", "805"
            ),
            ("https://www.bing.com/maps?q=Prado&cp=40.4138~-3.6921&lvl=16", "40.4138,-3.6921", "Prado", "466"),
        ])
    func wordsAndView(link: String, coordinate: String, words: String, radius: String) async throws {
        try await withHunch { hunch async throws in
            let output = try await hunch("place", link).output()
            #expect(
                output.contains(coordinate) && output.contains(words) && output.contains("\(radius).0 m"), "\(output)")
        }
    }

    @Test("A route has its source")

    func aRouteHasItsSource() async throws {
        try await withHunch { hunch async throws in
            let result = try await hunch("place", "directions:?from=1,2&to=37.79,-122.39&to.name=Yank%20Sing", "--json")
            #expect(
                result.standardOutput.contains(#""source":{"address":null,"coordinate":{"latitude":1,"longitude":2}"#))
            #expect(result.standardOutput.contains(#""name":"Yank Sing""#))
            #expect(result.status == .exited(0))
        }
    }

    @Test("Arguments need no quotes and may be negative")

    func argumentsNeedNoQuotesAndMayBeNegative() async throws {
        try await withHunch { hunch async throws in
            #expect(try await hunch("place", "Yank", "Sing").standardOutput == "query\tYank Sing\nrule\ttext\n")
            #expect(
                try await hunch("place", "-33.87,151.21").standardOutput
                    == "coordinate\t-33.87,151.21\nrule\tcoordinates\n")
        }
    }

    @Test(
        "Errors are one line",
        arguments: [
            (["place", "geo:95,0"], 2, "hunch: latitude 95 is outside −90…90 degrees\n"),
            (["place", "geo:1,2;crs=nad27"], 2, "only wgs84"), (["place"], 2, "hunch: give a place"),
            (["nonsense"], 2, "hunch: "), (["place", ""], 2, "hunch: the input is empty"),
        ])
    func errorsAreOneLine(arguments: [String], status: Int32, message: String) async throws {
        try await withHunch { hunch async throws in
            let result = try await run(builtProduct("hunch"), arguments, environment: hunch.home.environment)
            #expect(result.status == .exited(status))
            #expect(result.standardError.contains(message))
            #expect(result.standardError.split(separator: "\n").count == 1)
            #expect(result.standardOutput.isEmpty)
        }
    }

    @Test("Overlong lines and lines that are not UTF-8 are answered")
    func linesBeyondTheLimitAndLinesThatAreNotTextAreAnswered() async throws {
        try await withHunch { hunch async throws in
            let input = Array(repeating: UInt8(ascii: "a"), count: 1_200_000) + [0x0A, 0xFF, 0x0A] + Array("1,2".utf8)
            let result = try await run(
                builtProduct("hunch"), ["place", "-", "--json"], environment: hunch.home.environment, input: input)
            let lines = result.standardOutput.split(separator: "\n")
            #expect(lines.count == 3)
            #expect(lines.first?.contains(#""code":"tooLong""#) == true)
            #expect(lines.dropFirst().first?.contains(#""code":"notAPlace""#) == true)
            #expect(lines.last?.contains(#""latitude":1"#) == true)
        }
    }

    @Test(
        "The help shows an example",
        arguments: [
            ["place"], ["geocode"], ["reverse"], ["gazetteer"], ["gazetteer", "import"], ["gazetteer", "status"],
            ["gazetteer", "remove"],
        ])
    func helpShowsAnExample(command: [String]) async throws {
        try await withHunch { hunch async throws in
            let result = try await run(
                builtProduct("hunch"), command + ["--help"], environment: hunch.home.environment)
            #expect(result.status == .exited(0))
            #expect(result.standardOutput.contains("Example:"))
        }
    }
}
