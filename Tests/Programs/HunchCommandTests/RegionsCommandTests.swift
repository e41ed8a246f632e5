import TestSupport
import Testing

@Suite("hunch regions", .timeLimit(.minutes(15)))
struct RegionsCommandTests {
    private struct Check: Decodable, Equatable {
        struct Failure: Decodable, Equatable { var code: String }
        var latitude: Double?
        var longitude: Double?
        var regions: [String]
        var error: Failure?
        var input: String?
    }

    private struct Report: Decodable {
        struct Problem: Decodable {
            var code: String
            var feature: String?
            var polygon: Int?
            var ring: Int?
            var longitude: Double?
            var latitude: Double?
            var message: String
        }
        struct Feature: Decodable {
            struct Repair: Decodable {
                var areaBefore: Double
                var areaAfter: Double
                var changePercent: Double?
            }
            var id: String
            var everywhere: Bool
            var area: Double?
            var repair: Repair?
        }
        var file: String
        var valid: Bool
        var features: [Feature]
        var problems: [Problem]
    }

    private func feature(_ id: String, _ ring: String) -> String {
        """
        {"type":"Feature","id":"\(id)","properties":{"name":"The \(id)"},
         "geometry":{"type":"Polygon","coordinates":[\(ring)]}}
        """
    }

    private let square = "[[150,-40],[155,-40],[155,-30],[150,-30],[150,-40]]"
    private let bow = "[[0,0],[10,10],[10,0],[0,10],[0,0]]"

    @Test("check accepts negative numbers; without a region it exits 1")
    func check() async throws {
        try await withHunch { hunch async throws in
            let folder = hunch.home.directory.file("areas")
            try hunch.home.directory.write(feature("sydney", square), to: "areas/a.geojson")
            #expect(try await hunch("regions", "check", "-33.8", "151.2", "--regions", folder).output() == "sydney\n")
            #expect(try await hunch("regions", "check", "--regions", folder, "-33.8,151.2").output() == "sydney\n")
            let json = try await hunch.json(
                Check.self, "regions", "check", "-33.8", "151.2", "--regions", folder, "--json")
            #expect(json == [Check(latitude: -33.8, longitude: 151.2, regions: ["sydney"])])
            let none = try await hunch("regions", "check", "0", "0", "--regions", folder)
            #expect(
                none
                    == CommandResult(
                        status: .exited(1), standardOutput: "", standardError: "hunch: no area holds 0.0, 0.0\n"))
        }
    }

    @Test("check prefers the user's files to the system's")
    func installed() async throws {
        try await withHunch { hunch async throws in
            try hunch.home.directory.write(feature("here", square), to: "share/hunch/regions/a.geojson")
            let found = try await hunch("regions", "check", "-35", "152").output()
            #expect(found.split(separator: "\n").contains("here"))
            try hunch.home.directory.write(
                feature("here", "[[0,0],[1,0],[1,1],[0,0]]"), to: "data/hunch/regions/mine.geojson")
            let moved = try await hunch("regions", "check", "-35", "152").output()
            #expect(!moved.split(separator: "\n").contains("here"))
        }
    }

    @Test("check - answers each line and reports bad lines at the end")
    func batch() async throws {
        try await withHunch { hunch async throws in
            let folder = hunch.home.directory.file("areas")
            try hunch.home.directory.write(feature("sydney", square), to: "areas/a.geojson")
            let input = "-33.8 151.2\n\n0,0\r\nnowhere\n91 0\n-33.8 511.2\n"
            let result = try await hunch("regions", "check", "-", "--regions", folder, input: input)
            #expect(result.status == .exited(2))
            #expect(result.standardError == "hunch: 2 of the lines are not a latitude and a longitude\n")
            let lines = try await hunch.json(
                Check.self, "regions", "check", "-", "--regions", folder, input: input)
            #expect(lines.map(\.regions) == [["sydney"], [], [], [], ["sydney"]])
            #expect(lines.map { $0.error?.code } == [nil, nil, "badCoordinate", "badCoordinate", nil])
            #expect(lines[2].input == "nowhere")
            let many = String(repeating: "-33.8 151.2\n", count: 20_000)
            let answers = try await hunch("regions", "check", "-", "--regions", folder, input: many).output()
            let line = #"{"latitude":-33.8,"longitude":151.2,"regions":["sydney"]}"# + "\n"
            #expect(answers == String(repeating: line, count: 20_000))
        }
    }

    @Test("A broken file is reported; --make-valid repairs it")
    func broken() async throws {
        try await withHunch { hunch async throws in
            let folder = hunch.home.directory.file("areas")
            try hunch.home.directory.write(feature("sydney", square), to: "areas/a.geojson")
            try hunch.home.directory.write(feature("bow", bow), to: "areas/b.geojson")
            let result = try await hunch("regions", "check", "-33.8", "151.2", "--regions", folder)
            #expect(result.status == .exited(0) && result.standardOutput == "sydney\n")
            #expect(
                result.standardError
                    == "hunch: \(folder)/b.geojson: feature \"bow\": polygon 1, ring 1: "
                    + "Self-intersection at longitude 5.0, latitude 5.0\n")
            let repaired = try await hunch("regions", "check", "5", "1", "--regions", folder, "--make-valid")
            #expect(repaired.status == .exited(0) && repaired.standardOutput == "bow\n")
            #expect(repaired.standardError.contains("km² after"))
        }
    }

    @Test("validate names file, feature, ring and point, and exits 2")
    func validate() async throws {
        try await withHunch { hunch async throws in
            let sound = try hunch.home.directory.write(feature("sydney", square), to: "sound.geojson")
            let broken = try hunch.home.directory.write(feature("bow", bow), to: "bow.geojson")
            let good = try await hunch("regions", "validate", sound)
            #expect(
                good
                    == CommandResult(
                        status: .exited(0), standardOutput: "\(sound): valid, 1 feature usable\n", standardError: ""))
            let result = try await hunch("regions", "validate", sound, broken)
            #expect(result.status == .exited(2))
            #expect(result.standardError.contains("polygon 1, ring 1: Self-intersection"))
            let report = try #require(try await hunch.json(Report.self, "regions", "validate", broken, "--json").first)
            #expect(!report.valid && report.file == broken && report.features.isEmpty)
            let problem = try #require(report.problems.first)
            #expect(problem.code == "invalidGeometry" && problem.feature == "bow" && problem.message.contains(broken))
            #expect(problem.polygon == 1 && problem.ring == 1 && problem.longitude == 5 && problem.latitude == 5)
            let repaired = try #require(
                try await hunch.json(Report.self, "regions", "validate", broken, "--make-valid", "--json").first)
            #expect(repaired.valid && repaired.features.first?.repair?.areaAfter ?? 0 > 600_000)
            let missing = try await hunch("regions", "validate", "/nonexistent.geojson")
            #expect(missing.status == .exited(2) && missing.standardError.contains("No such file"))
        }
    }

    @Test("validate reports invalid app values and infinite numbers")
    func apps() async throws {
        try await withHunch { hunch async throws in
            let odd = try hunch.home.directory.write(
                #"{"type":"Feature","id":"x","properties":{"modes":["broom"]},"geometry":null}"#, to: "odd.geojson")
            let result = try await hunch("regions", "validate", odd)
            #expect(result.status == .exited(2) && result.standardError.contains("broom"))
            let far = try hunch.home.directory.write(feature("far", "[[0,0],[1e999,0],[1,1],[0,0]]"), to: "far.geojson")
            let report = try #require(try await hunch.json(Report.self, "regions", "validate", far, "--json").first)
            #expect(report.problems.first?.code == "badPosition" && report.problems.first?.longitude == nil)
        }
    }

    @Test("validate refuses an empty collection and a missing id")
    func incomplete() async throws {
        try await withHunch { hunch async throws in
            let empty = try hunch.home.directory.write(#"{"type":"FeatureCollection","features":[]}"#, to: "e.geojson")
            let nothing = try await hunch("regions", "validate", empty)
            #expect(nothing.status == .exited(2) && nothing.standardError.contains("no feature"), "\(nothing)")
            let nameless = try hunch.home.directory.write(
                #"{"type":"Feature","properties":{},"geometry":null}"#, to: "nameless.geojson")
            let result = try await hunch("regions", "validate", nameless)
            #expect(result.status == .exited(2) && result.standardError.contains(#"has no "id""#), "\(result)")
            let report = try #require(
                try await hunch.json(Report.self, "regions", "validate", nameless, "--json").first)
            #expect(!report.valid && report.problems.map(\.code) == ["noIdentifier"])
            #expect(report.features.map(\.id) == ["nameless"])
        }
    }

    @Test("Other commands summarise a broken file in one line")
    func brief() async throws {
        try await withHunch { hunch async throws in
            let folder = hunch.home.directory.file("two areas")
            let bows = (0..<12).map { feature("bow\($0)", bow) }.joined(separator: ",")
            try hunch.home.directory.write(
                #"{"type":"FeatureCollection","features":[\#(bows)]}"#, to: "two areas/bows.geojson")
            try hunch.home.directory.write(feature("sydney", square), to: "two areas/a.geojson")
            for command in [["regions", "list"], ["regions", "check", "-33.8", "151.2"], ["directions", "1", "2"]] {
                let result = try await run(
                    builtProduct("hunch"), command + ["--regions", folder], environment: hunch.home.environment)
                let lines = result.standardError.split(separator: "\n").filter { $0.contains("bows.geojson") }
                #expect(lines.count == 1, "\(result)")
                let remedy = "hunch regions validate '\(folder)/bows.geojson'"
                #expect(lines.first?.hasSuffix(" … and 11 more problems; see “\(remedy)”") == true, "\(lines)")
            }
            let all = try await hunch("regions", "validate", "\(folder)/bows.geojson")
            #expect(all.standardError.split(separator: "\n").count == 12)
        }
    }

    @Test("show draws each region once, with its name")
    func show() async throws {
        try await withHunch { hunch async throws in
            let folder = hunch.home.directory.file("areas")
            try hunch.home.directory.write(feature("sydney", square), to: "areas/a.geojson")
            let map = try await hunch("regions", "show", "sydney", "--regions", folder).output()
            #expect(map.hasPrefix("<svg xmlns=") && map.hasSuffix("</svg>\n"))
            #expect(map.split(separator: "<title>").count == 2 && map.contains("<title>The sydney</title>"))
            #expect(map.contains("fill-rule=\"evenodd\""))
            let absent = try await hunch("regions", "show", "nowhere", "--regions", folder)
            #expect(absent.status == .exited(1) && absent.standardError.contains("nowhere"))
        }
    }

    @Test("list prints one line per feature")
    func list() async throws {
        try await withHunch { hunch async throws in
            let folder = hunch.home.directory.file("areas")
            try hunch.home.directory.write(feature("sydney", square), to: "areas/a.geojson")
            let line = try await hunch("regions", "list", "--regions", folder).output()
            #expect(line.hasPrefix("sydney\tThe sydney\t\t\t") && line.hasSuffix(" km²\n"))
            try hunch.home.directory.write("{", to: "empty/a.geojson")
            let empty = try await hunch("regions", "list", "--regions", hunch.home.directory.file("empty"))
            #expect(empty.status == .exited(1))
        }
    }

    @Test(
        "Wrong usage exits 2 with one line",
        arguments: [
            ["regions", "check"], ["regions", "check", "1"], ["regions", "check", "1", "x"],
            ["regions", "check", "1", "2", "3"], ["regions", "check", "1", "2", "--regions", "/proc/no-such-folder"],
            ["regions", "validate"],
        ])
    func usage(arguments: [String]) async throws {
        try await withHunch { hunch async throws in
            let result = try await run(
                builtProduct("hunch"), arguments, environment: hunch.home.environment)
            #expect(result.status == .exited(2))
            #expect(result.standardOutput.isEmpty && result.standardError.hasPrefix("hunch: "))
            #expect(result.standardError.split(separator: "\n").count == 1)
        }
    }
}
