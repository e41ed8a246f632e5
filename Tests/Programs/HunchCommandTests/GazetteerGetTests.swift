import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Tests of downloads with a server on the loopback and the program that D-Bus starts.
@Suite("hunch gazetteer get", .timeLimit(.minutes(15))) struct GazetteerGetTests {
    private struct Source: Decodable {
        var name: String
        var file: String
        var placeCount: Int
        var fileDate: String
    }

    private struct Failure: Decodable {
        struct Detail: Decodable {
            var code: String
            var message: String
        }
        var error: Detail
    }

    /// A home with a server and a bus that starts the program.
    private struct Rig {
        let hunch: HunchRunner
        let server: Daemon
        let url: String
        let environment: [String: String]

        var downloads: String { hunch.home.cache + "/hunch/downloads" }

        func callAsFunction(_ arguments: String..., kind: String = "ok") async throws -> CommandResult {
            try await run(
                builtProduct("hunch"), ["gazetteer", "get"] + arguments + ["--url", "\(url)/\(kind)"],
                environment: environment)
        }

        /// The names of the files in the download folder.
        func files() -> [String] {
            let all = (try? FileManager.default.subpathsOfDirectory(atPath: downloads)) ?? []
            return all.filter { !["geonames", "geofabrik"].contains($0) }.sorted()
        }

        func size(of file: String) throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: "\(downloads)/\(file)")[.size] as? Int)
        }
    }

    private static func row(_ name: String, _ number: Int, country: String = "US", state: String = "TX") -> String {
        "\(number)\t\(name)\t\(name)\t\t\(30 + number % 40)\t2\tP\tPPL\t\(country)\t\t\(state)\t\t\t\t1000\t\t10\tAmerica/Chicago\t2024-01-01"
    }

    /// Runs `body` with a server of GeoNames' files: `cities500.zip` with Alpha and a thousand more towns, `PT.zip` with
    /// Beta.
    private func withRig(
        also: [String: String] = [:], launcher: String? = nil,
        _ body: nonisolated(nonsending) (Rig) async throws -> Void
    ) async throws {
        try await withHunch { hunch async throws in
            let directory = hunch.home.directory
            let towns = (2...1_000).map { Self.row("Town\($0)", $0) }
            try await zipArchive(
                of: ["cities500.txt": ([Self.row("Alpha", 1)] + towns).joined(separator: "\n")], into: directory,
                as: "cities500.zip", deflate: false)
            try await zipArchive(
                of: ["PT.txt": Self.row("Beta", 1, country: "PT", state: "")], into: directory, as: "PT.zip")
            try directory.write("US.TX\tTexas\tTexas\t4736286\n", to: "served/admin1CodesASCII.txt")
            for name in ["cities500.zip", "PT.zip"] {
                try FileManager.default.moveItem(atPath: directory.file(name), toPath: directory.file("served/\(name)"))
            }
            let program = try builtProduct("hunch-geocoder-online")
            try directory.write(
                "[D-BUS Service]\nName=org.hunch.OnlineGeocoder1\nExec=\(launcher.map { "\($0) " } ?? "")\(program)\n",
                to: "services/org.hunch.OnlineGeocoder1.service")
            let home = hunch.home.environment
            try await withPrivateBus(serviceDirectories: [directory.file("services")], environment: home) { bus in
                try await withDownloadServer(of: "served", in: hunch.home) { server, url in
                    let environment = home.merging(bus.environment) { $1 }.merging(also) { $1 }
                    try await body(Rig(hunch: hunch, server: server, url: url, environment: environment))
                }
            }
        }
    }

    @Test("A list is downloaded without “hunch online” and imported with its states")
    func whole() async throws {
        try await withRig { rig in
            let got = try await rig("cities500", "--yes", "--json")
            #expect(got.status == .exited(0), "\(got)")
            let source = try JSONDecoder().decode(Source.self, from: Data(got.standardOutput.utf8))
            #expect(source.name == "geonames-cities500" && source.placeCount == 1_000)
            #expect(source.file == "\(rig.url)/ok/cities500.zip" && source.fileDate.hasPrefix("2024-03-01"))
            #expect(
                got.standardError.contains("from 127.0.0.1: admin1CodesASCII.txt (0.1 MB) and cities500.zip (0.1 MB)"))
            #expect(try await rig.hunch("geocode", "Alpha").standardOutput.contains("Texas"))
            // The large file is not kept. The small one may serve the next list.
            #expect(!rig.files().contains("geonames/cities500.zip"))
            #expect(try await rig.server.waitForLine(containing: "GET /ok/cities500.zip").contains("Hunch/"))
            #expect(try await rig.hunch("online").output().hasPrefix("Places are not looked up online."))

            let country = try await rig("portugal", "--yes")
            #expect(country.status == .exited(0) && country.standardOutput == "geonames-PT: 1 place\n", "\(country)")
            // The names of states were fetched already.
            #expect(rig.server.output.split(separator: "\n").count { $0.contains("GET /ok/admin1") } == 1)
            #expect(try await rig.hunch("forget", "--all").status == .exited(0))
            #expect(rig.files().isEmpty)
        }
    }

    @Test("Nothing is requested without a terminal or --yes")
    func unasked() async throws {
        try await withRig { rig in
            let refused = try await rig("cities500")
            #expect(refused.status == .exited(2) && refused.standardError.contains("--yes"), "\(refused)")
            #expect(refused.standardError.split(separator: "\n").count == 1)
            #expect(!rig.server.output.contains("HEAD"))
        }
    }

    @Test("On a terminal it names the files and their servers, and asks", arguments: ["y", "", "n"])
    func asked(answer: String) async throws {
        try await withRig { rig in
            let shown = try await runOnTerminal(
                builtProduct("hunch"), ["gazetteer", "get", "PT", "--url", "\(rig.url)/ok"], answers: [answer],
                environment: rig.environment)
            let screen = shown.standardOutput
            #expect(screen.contains("127.0.0.1: admin1CodesASCII.txt (0.1 MB) and PT.zip (0.1 MB)"), "\(shown)")
            #expect(screen.contains("Download and import? Type y, or press Enter to leave it: "))
            let agreed = answer == "y"
            #expect(shown.status == .exited(agreed ? 0 : 1), "\(shown)")
            #expect(screen.contains("geonames-PT: 1 place") == agreed)
            #expect(rig.server.output.contains("GET /ok/PT.zip") == agreed)
        }
    }

    @Test("A cut download continues where it ended")
    func resumed() async throws {
        try await withRig { rig in
            try rig.hunch.installPlaceList()
            #expect(try await rig.hunch("gazetteer", "import").status == .exited(0))
            // The states come first, and are cut as well.
            for name in ["admin1CodesASCII.txt", "cities500.zip"] {
                let cut = try await rig("cities500", "--yes", kind: "cut")
                #expect(cut.status == .exited(3), "\(cut)")
                #expect(cut.standardError.contains("the same command continues the download"), "\(cut)")
                #expect(rig.files().contains("geonames/\(name).part"), "\(rig.files())")
            }
            let half = try rig.size(of: "geonames/cities500.zip.part")
            // The old places are still there.
            #expect(try await rig.hunch("geocode", "Paris, Texas").status == .exited(0))
            let got = try await rig("cities500", "--yes", kind: "cut")
            #expect(got.status == .exited(0), "\(got)")
            #expect(got.standardError.contains("MB are here already"))
            try await rig.server.waitForLine(containing: "GET /cut/cities500.zip bytes=\(half)- \"1\"")
            #expect(try await rig.hunch("geocode", "Alpha").status == .exited(0))
        }
    }

    @Test("A file that changed meanwhile is downloaded again", arguments: ["anew", "norange", "badrange"])
    func changed(kind: String) async throws {
        try await withRig { rig in
            _ = try await rig("PT", "--yes", kind: "ok")
            for name in ["geonames/PT.zip", "geonames/PT.zip.json"] { unlink("\(rig.downloads)/\(name)") }
            var results: [CommandResult] = []
            repeat {
                results.append(try await rig("PT", "--yes", kind: kind))
            } while results.last?.status != .exited(0) && results.count < 6
            #expect(results.last?.status == .exited(0), "\(results)")
            #expect(results.count > 1)
            #expect(try await rig.hunch("geocode", "Beta").status == .exited(0))
        }
    }

    @Test(
        "A failed download says why, and the old places stay",
        arguments: [
            ("short", 3, "incomplete", "the same command continues"), ("huge", 2, "tooLarge", "larger than 8 GiB"),
            ("liar", 3, "changed", "changed during the download"), ("away", 3, "badRedirect", "http://localhost:"),
            ("loop", 3, "badRedirect", "redirects to"), ("busy", 3, "refused", "status 503"),
            ("missing", 1, "notFound", "no file http://127.0.0.1:"),
        ])
    func failed(kind: String, status: Int32, code: String, words: String) async throws {
        try await withRig { rig in
            try rig.hunch.installPlaceList()
            #expect(try await rig.hunch("gazetteer", "import").status == .exited(0))
            if kind == "missing" { unlink(rig.hunch.home.directory.file("served/cities500.zip")) }
            let result = try await rig("cities500", "--yes", "--json", kind: kind == "missing" ? "ok" : kind)
            #expect(result.status == .exited(status), "\(result)")
            let failure = try JSONDecoder().decode(Failure.self, from: Data(result.standardOutput.utf8))
            #expect(failure.error.code == code && failure.error.message.contains(words), "\(failure)")
            #expect(!rig.files().contains("geonames/cities500.zip"))
            let status = try await rig.hunch("gazetteer", "status", "--json").output()
            #expect(status.contains("gnome-places") && !status.contains("cities500"))
        }
    }

    @Test("Redirects within the server are followed, and HEAD is not needed", arguments: ["moved", "nohead"])
    func roundabout(kind: String) async throws {
        try await withRig { rig in
            let got = try await rig("PT", "--yes", kind: kind)
            #expect(got.status == .exited(0), "\(got)")
            #expect(got.standardError.contains("of unknown size") == (kind == "nohead"))
        }
    }

    @Test("An archive that is damaged at the server is not kept")
    func damaged() async throws {
        try await withRig { rig in
            let file = rig.hunch.home.directory.file("served/cities500.zip")
            var bytes = Array(try Data(contentsOf: URL(filePath: file)))
            bytes[bytes.count / 2] ^= 0xFF
            try Data(bytes).write(to: URL(filePath: file))
            let result = try await rig("cities500", "--yes")
            #expect(result.status == .exited(2), "\(result)")
            #expect(!rig.files().contains { $0.contains("cities500.zip") }, "\(rig.files())")
        }
    }

    @Test("Ctrl-C stops the download, and the next call continues it")
    func interrupted() async throws {
        try await withRig { rig in
            let command = Command(
                try builtProduct("hunch"), ["gazetteer", "get", "cities500", "--yes", "--url", "\(rig.url)/slow"],
                environment: rig.environment, ready: .immediately)
            try await withDaemon(command) { running async throws in
                try await rig.server.waitForLine(containing: "GET /slow/cities500.zip")
                running.signal(SIGINT)
                #expect(try await running.waitForExit() == .exited(130))
                #expect(running.output.contains("stopped after "), "\(running.output)")
                #expect(running.output.contains("the same command continues the download"))
            }
            // The program stops within a second after its caller. The next call waits for that.
            let again = try await rig("cities500", "--yes")
            #expect(again.status == .exited(0), "\(again)")
        }
    }

    @Test("A full disk is reported, and the rest follows later")
    func diskFull() async throws {
        // A limit on the size of files, in kilobytes, simulates a full disk.
        try await withRig(launcher: "/bin/bash -c 'ulimit -f 20; exec \"$0\"'") { rig in
            let result = try await rig("cities500", "--yes")
            #expect(result.status == .exited(3), "\(result)")
            #expect(result.standardError.contains("cannot be stored: File too large"), "\(result)")
            #expect(try rig.size(of: "geonames/cities500.zip.part") == 20 * 1_024)
        }
    }

    @Test("An extract of OpenStreetMap is checked and read through osmium")
    func openStreetMap() async throws {
        try await withRig { rig in
            let directory = rig.hunch.home.directory
            let region = "europe/germany/berlin"
            try directory.write(
                [0, 0, 0, 13, 0x0A, 0x09] + Array("OSMHeader".utf8) + [UInt8](repeating: 7, count: 5_000),
                to: "served/\(region)-latest.osm.pbf")
            func get(kind: String, _ path: String) async throws -> CommandResult {
                var environment = rig.environment
                environment["PATH"] = path
                return try await run(
                    builtProduct("hunch"),
                    ["gazetteer", "get", "osm:\(region)", "--yes", "--url", "\(rig.url)/\(kind)"],
                    environment: environment)
            }
            let missing = try await get(kind: "ok", "/nonexistent")
            #expect(missing.status == .exited(2) && missing.standardError.contains("install osmium-tool"))
            let program = try directory.write(
                """
                #!/bin/sh
                echo '{"type":"Feature","properties":{"place":"city","name":"Atlantis"},"geometry":{"type":"Point","coordinates":[1,2]}}'
                """, to: "bin/osmium")
            #expect(chmod(program, 0o755) == 0)
            let path = "\(directory.file("bin")):/usr/bin:/bin"
            let wrong = try await get(kind: "wrongsum", path)
            #expect(wrong.status == .exited(3) && wrong.standardError.contains("checksum"), "\(wrong)")
            #expect(!rig.files().contains { $0.contains("berlin-latest.osm") }, "\(rig.files())")
            let got = try await get(kind: "ok", path)
            #expect(got.status == .exited(0), "\(got)")
            #expect(got.standardOutput == "openstreetmap-berlin-latest: 1 place\n")
            let none = try await run(
                builtProduct("hunch"), ["gazetteer", "get", "osm:europe/berln", "--yes", "--url", "\(rig.url)/ok"],
                environment: rig.environment.merging(["PATH": path]) { $1 })
            #expect(none.status == .exited(1) && none.standardError.contains("no region “europe/berln”"), "\(none)")
        }
    }

    @Test(
        "An unknown source names the nearest one",
        arguments: [
            ("Germny", "did you mean “Germany”?"), ("cities50", "did you mean “cities500”?"),
            ("Polnad", "did you mean “Poland”?"), ("QQ", "gazetteer get --help"),
            ("osm:Europe//x", "osm:europe/germany"),
            ("osm:../../x", "is not a region"),
        ])
    func unknown(source: String, words: String) async throws {
        try await withHunch { hunch async throws in
            let environment = hunch.home.environment.merging(["PATH": "/usr/bin:/bin"]) { $1 }
            let result = try await run(
                builtProduct("hunch"), ["gazetteer", "get", source, "--yes"], environment: environment)
            #expect(result.status == .exited(2) && result.standardError.contains(words), "\(result)")
        }
    }

    @Test("An unencrypted server elsewhere must be configured")
    func unencrypted() async throws {
        try await withRig { rig in
            // The host is this machine, which the program does not know before it connects.
            let url = rig.url.replacing("127.0.0.1", with: "127.1") + "/ok"
            let command = ["gazetteer", "get", "PT", "--yes"]
            let refused = try await run(
                builtProduct("hunch"), command + ["--url", url], environment: rig.environment)
            #expect(refused.status == .exited(2) && refused.standardError.contains("is not encrypted"), "\(refused)")
            #expect(!rig.server.output.contains("HEAD"))
            #expect(try await rig.hunch("online", "servers", "--geonames", url).status == .exited(0))
            let got = try await run(builtProduct("hunch"), command, environment: rig.environment)
            #expect(got.status == .exited(0), "\(got)")
        }
    }

    @Test("Only hunch may download")
    func callers() async throws {
        try await withRig { rig in
            let call = [
                "gdbus", "call", "--session", "--dest", "org.hunch.OnlineGeocoder1", "--object-path",
                "/org/hunch/OnlineGeocoder1", "--method", "org.hunch.OnlineGeocoder1.Download", "cities500",
                "{'server': <'\(rig.url)/ok'>}",
            ]
            let other = try await run("env", call, environment: rig.environment)
            #expect(other.standardError.contains("AccessDenied"), "\(other)")
            let copy = rig.hunch.home.directory.file("hunch")
            try FileManager.default.copyItem(atPath: builtProduct("hunch"), toPath: copy)
            let arguments = ["gazetteer", "get", "PT", "--yes", "--url", "\(rig.url)/ok"]
            let copied = try await run(copy, arguments, environment: rig.environment)
            #expect(copied.status == .exited(3) && copied.standardError.contains("only “hunch”"), "\(copied)")
            let inside = try await run(
                "bwrap", ["--bind", "/", "/", "--dev", "/dev", builtProduct("hunch")] + arguments,
                environment: rig.environment)
            #expect(inside.status == .exited(3) && inside.standardError.contains("only “hunch”"), "\(inside)")
            #expect(!rig.server.output.contains("HEAD"))
        }
    }
}
