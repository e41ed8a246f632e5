import FoundationEssentials
import TestSupport
import Testing

/// Files as destinations; `PlaceFilesTests` has what each format means.
@Suite("Place files on the command line", .timeLimit(.minutes(15)))
struct PlaceFileCommandTests {
    private static let folder = "\(Surroundings.packageRoot)/Tests/Programs/PlaceFilesTests/Files"

    private static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try #require(FileManager.default.contents(atPath: "\(folder)/\(name)")))
    }

    private struct Place: Decodable {
        struct Position: Decodable, Equatable { var latitude: Double }
        struct Failure: Decodable { var code: String }
        var coordinate: Position?
        var rule: String?
        var error: Failure?
    }

    @Test("An existing file of another format is not searched for as words")
    func otherFormat() async throws {
        try await withHunch { hunch async throws in
            try hunch.home.directory.write("\u{1}\u{0}\u{2}binary\u{0}", to: "bin.dat")
            let result = try await run(
                builtProduct("hunch"), ["directions", "bin.dat"], environment: hunch.home.environment,
                directory: hunch.home.directory.path)
            #expect(result.status == .exited(2) && result.standardError.contains("bin.dat has an unsupported format"))
        }
    }

    @Test("Pages, mails and passes are destinations, and a page without a place says so")
    func pages() async throws {
        try await withHunch { hunch async throws in
            func write(_ text: String, _ name: String) throws -> String {
                try hunch.home.directory.write(text, to: name)
            }
            let data =
                #"<script type="application/ld+json">{"@type": "Zoo", "name": "Zoo", "geo": {"latitude": 1, "longitude": 2}}</script>"#
            let pass =
                #"{"formatVersion": 1, "passTypeIdentifier": "p", "eventTicket": {}, "locations": [{"latitude": 1, "longitude": 2}]}"#
            try await zipArchive(of: ["pass.json": pass], into: hunch.home.directory, as: "zoo.pkpass")
            let files = [
                try write("<!doctype html><title>Zoo</title>" + data, "zoo.html"),
                try write("From: a@b\nMIME-Version: 1.0\nContent-Type: text/html\n\n" + data, "zoo.eml"),
                hunch.home.directory.file("zoo.pkpass"),
            ]
            for file in files {
                let place = try await hunch.json(Place.self, "place", file, "--json").first
                #expect(place?.rule == "markup" && place?.coordinate?.latitude == 1, "\(file)")
            }
            let nowhere = try await hunch("directions", write("<html><title>x</title>", "x.html"))
            #expect(
                nowhere.status == .exited(2) && nowhere.standardError.contains("names no place; “hunch markup”"),
                "\(nowhere)")
        }
    }

    @Test(
        "A path and a file: link give the same place and rule",
        arguments: [
            ("waypoint.gpx", "gpx", 46.720928), ("point.kml", "kml", 52.5163), ("point.kmz", "kml", 52.5163),
            ("hut.heic", "exif", 46.7209278), ("card.vcf", "vCard", 37.7955),
        ])
    func path(name: String, rule: String, latitude: Double) async throws {
        try await withHunch { hunch async throws in
            for argument in ["\(Self.folder)/\(name)", "file://\(Self.folder)/\(name)"] {
                let place = try await hunch.json(Place.self, "place", argument, "--json").first
                #expect(place?.rule == rule && place?.coordinate?.latitude == latitude, "\(argument)")
            }
            let result = try await run(
                builtProduct("hunch"), ["place", "-", "--json"], environment: hunch.home.environment,
                input: Self.bytes(name))
            let lines = result.standardOutput.split(separator: "\n")
            let place = try JSONDecoder().decode(Place.self, from: Data(result.standardOutput.utf8))
            #expect(lines.count == 1 && place.rule == rule && place.coordinate?.latitude == latitude)
        }
    }

    @Test("A name is a file only with a known extension")
    func names() async throws {
        try await withHunch { hunch async throws in
            try hunch.home.directory.write(Self.bytes("track.gpx"), to: "My run.gpx")
            try hunch.home.directory.write(Self.bytes("track.gpx"), to: "Paris")
            let run = "name\tMorning run\ncoordinate\t-33.8688,151.2093\nrule\tgpx\n"
            #expect(try await hunch("place", "My", "run.gpx").standardOutput == run)
            #expect(try await hunch("place", "./Paris").standardOutput == run)
            #expect(try await hunch("place", "Paris").standardOutput == "query\tParis\nrule\ttext\n")
        }
    }

    @Test("A one-line waypoint is read from a slow pipe")
    func slowPipe() async throws {
        try await withHunch { hunch async throws in
            let script = "(printf '<'; sleep 0.1; printf 'gpx>'; cat) | \"$0\" place -"
            let result = try await run(
                "/bin/sh", ["-c", script, builtProduct("hunch")], environment: hunch.home.environment,
                input: #"<wpt lat="1" lon="2"/></gpx>"#)
            #expect(result.standardOutput == "coordinate\t1.0,2.0\nrule\tgpx\n")
        }
    }

    @Test("Lines on standard input are answered as they arrive")
    func lines() async throws {
        try await withHunch { hunch async throws in
            // The second line is written once the first one is answered.
            let script = """
                mkfifo in out; "$0" place - <in >out & exec 3>in 4<out
                echo '<geo:1,2>' >&3; read answer <&4; echo "$answer"; echo 'B' >&3; exec 3>&-; cat <&4; wait $!
                """
            let result = try await run(
                "/bin/bash", ["-c", script, builtProduct("hunch")], environment: hunch.home.environment,
                directory: hunch.home.directory.path)
            #expect(result.standardOutput == "1.0,2.0\nB\n" && result.status == .exited(0))
        }
    }

    @Test("Errors name the file, suggest a remedy and exit 2")
    func errors() async throws {
        try await withHunch { hunch async throws in
            let none = try await hunch("place", "\(Self.folder)/none.jpg", "--json")
            #expect(none.status == .exited(2))
            #expect(none.standardOutput.contains(#""code":"noPosition""#))
            #expect(none.standardError.contains("none.jpg has no position; give another photo"))
            for (arguments, words) in [
                (["place", "hut.gpx"], "hut.gpx does not exist; check its name and its folder"),
                (["directions", "./"], "./ is a folder; give a file in it"),
                (["directions", "\(Self.folder)/broken.gpx"], "broken.gpx is broken in line 3"),
                (["directions", "1,2", "--from", "\(Self.folder)/none.png"], "none.png has no position"),
            ] {
                let result = try await run(
                    builtProduct("hunch"), arguments, environment: hunch.home.environment,
                    directory: hunch.home.directory.path)
                #expect(result.status == .exited(2) && result.standardError.contains(words), "\(result)")
            }
        }
    }

    @Test("--open opens the place from a file, a link or standard input")
    func opening() async throws {
        try await withHunch { hunch async throws in
            let report = try hunch.installMarble()
            let path = "\(Self.folder)/track.gpx"
            for (argument, input) in [
                (path, []), ("file://\(path)", []), ("-", try Self.bytes("track.gpx")),
                ("-", Array("geo:-33.8688,151.2093\n".utf8)),
            ] {
                let result = try await run(
                    builtProduct("hunch"),
                    [
                        "directions", argument, "--by", "walk", "--open", "--app", "Marble", "--regions",
                        "\(Surroundings.packageRoot)/Regions",
                    ], environment: hunch.home.environment, input: input)
                #expect(result.status == .exited(0), "\(argument): \(result)")
                try await waitForFile(at: report)
                #expect(try hunch.home.directory.read("opened") == "--geo-uri=geo:-33.8688,151.2093\n")
                try FileManager.default.removeItem(atPath: report)
            }
        }
    }

    @Test("A route file gives source and destination")
    func route() async throws {
        try await withHunch { hunch async throws in
            let result = try await hunch(
                "directions", "\(Self.folder)/route.gpx", "--json", "--regions", "\(Surroundings.packageRoot)/Regions")
            #expect(
                result.standardOutput.contains(
                    #""request":"directions:?to=46.75,9.5&to.name=Over%20the%20pass&from=46.5,9.25&from.name=Village"#))
        }
    }
}
