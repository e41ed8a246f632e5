import FoundationEssentials
import TestSupport
import Testing

@Suite("hunch online", .timeLimit(.minutes(15))) struct OnlineCommandTests {
    private struct Settings: Decodable, Equatable {
        var enabled: Bool
        var service: String
        var url: String
        var links = false

        private enum CodingKeys: CodingKey { case enabled, service, url, links }
    }

    private struct Geocoding: Decodable {
        struct Candidate: Decodable {
            var name: String
            var kind: String
        }

        struct Failure: Decodable { var code: String }

        var candidates: [Candidate]
        var error: Failure?
    }

    @Test("The service is off by default, accepts a URL and turns off")
    func settings() async throws {
        try await withHunch { hunch async throws in
            func status() async throws -> Settings? {
                try await hunch.json(Settings.self, "online", "status", "--json").first
            }
            #expect(try await status()?.enabled == false)
            let own = Settings(enabled: true, service: "photon", url: "https://photon.example.org")
            #expect(
                try await hunch.json(
                    Settings.self, "online", "enable", "--service", "photon", "--url", "https://photon.example.org/",
                    "--json")
                    == [own])
            #expect(try await status() == own)
            #expect(try await hunch("online", "enable", "--url", "example.org").status == .exited(2))
            #expect(try await hunch("online", "enable", "--service", "other").status == .exited(2))
            // Following links is a separate permission.
            #expect(try await hunch("online", "enable", "--links").status == .exited(0))
            var both = own
            both.links = true
            #expect(try await status() == both)
            #expect(try await hunch("online", "enable").status == .exited(0))
            #expect(try await status()?.links == true)
            #expect(try await hunch("online", "disable", "--links").status == .exited(0))
            let left = try await status()
            #expect(left?.enabled == true && left?.links == false)
            #expect(try await hunch("online", "enable", "--links").status == .exited(0))
            #expect(try await hunch("online", "disable").status == .exited(0))
            let none = try await status()
            #expect(none?.enabled == false && none?.links == false)
        }
    }

    @Test("Covers are fetched only after they are enabled separately")
    func covers() async throws {
        try await withHunch { hunch async throws in
            func lines() async throws -> String { try await hunch("online").output() }
            #expect(try await lines().contains("Covers are not fetched.\n"))
            #expect(try await hunch("online", "enable", "--covers").output().contains("Covers are fetched.\n"))
            #expect(
                try await lines().hasPrefix("Places are not looked up online.\nShort links are not followed.\n"))
            #expect(try await hunch("online", "enable", "--links").output().contains("Covers are fetched.\n"))
            #expect(try await hunch("online", "disable", "--links").output().contains("Covers are fetched.\n"))
            #expect(try await hunch("online", "disable", "--covers").output().contains("Covers are not fetched.\n"))
            #expect(try await hunch("online", "enable", "--covers", "--links").status == .exited(0))
            #expect(try await hunch("online", "disable").output().contains("followed.\nCovers are not fetched.\n"))
        }
    }

    @Test("Popularity needs an https aggregator that the user names")
    func popularity() async throws {
        try await withHunch { hunch async throws in
            #expect(try await hunch("online").output().hasSuffix("Popularity is not exchanged.\n"))
            let url = "https://popularity.example.org"
            let refused = [
                (["--popularity"], "no aggregator is set"), (["--aggregator", url], "belong to --popularity"),
                (["--popularity", "--aggregator", "http://example.org"], "is not the address of an aggregator"),
                (["--popularity", "--aggregator", "example.org"], "is not the address of an aggregator"),
                (["--popularity", "--aggregator", "https://me:pw@example.org"], "is not the address of an aggregator"),
                (["--popularity", "--aggregator", url, "--budget", "9"], "--budget must be a number from 0.1 to 8"),
            ]
            for (arguments, words) in refused {
                let result = try await run(
                    builtProduct("hunch"), ["online", "enable"] + arguments, environment: hunch.home.environment)
                #expect(result.status == .exited(2) && result.standardError.contains(words), "\(result)")
            }
            let enabled = try await hunch("online", "enable", "--popularity", "--aggregator", url, "--budget", "0.5")
                .output()
            #expect(
                enabled.hasSuffix(
                    "Popularity is exchanged with \(url), with a privacy loss (ε) of at most 0.5 a day; 0 today, 0 so far.\n"
                ), "\(enabled)")
            #expect(enabled.contains("Places are not looked up online."))
            // The sums are removed, whatever the account contains, and the setting is saved.
            try hunch.home.directory.write("garbage", to: "state/hunch/popularity.json")
            let damaged = try await hunch("online", "status")
            #expect(damaged.status == .exited(3) && damaged.standardOutput.contains("but nothing is reported"))
            let disabled = try await hunch("online", "disable", "--popularity")
            #expect(
                disabled.status == .exited(3) && disabled.standardError.contains("the setting was saved"), "\(disabled)"
            )
            #expect(try await hunch("online").output().hasSuffix("Popularity is not exchanged.\n"))
            try FileManager.default.removeItem(atPath: hunch.home.directory.file("state/hunch/popularity.json"))
            #expect(try await hunch("online", "enable", "--popularity").status == .exited(0))
            // Other permissions leave it alone, and the aggregator and the budget are kept.
            #expect(try await hunch("online", "enable", "--url", "https://geocoder.example.org").output().contains(url))
            #expect(try await hunch("online", "disable").output().hasSuffix("Popularity is not exchanged.\n"))
            let again = try await hunch("online", "enable", "--popularity", "--json").output()
            #expect(again.contains(#""privacyBudget":0.5"#) && again.contains(#""popularity":true"#), "\(again)")
        }
    }

    @Test("Looking up places is allowed and stopped alone, and keeps its server")
    func places() async throws {
        try await withHunch { hunch async throws in
            let own = try await hunch("online", "enable", "--url", "https://geocoder.example.org", "--json").output()
            #expect(own.contains(#""enabled":true"#), "\(own)")
            #expect(try await hunch("online", "enable", "--links", "--covers").status == .exited(0))
            let stopped = try await hunch("online", "disable", "--places", "--json").output()
            for state in [#""covers":true"#, #""enabled":false"#, #""links":true"#] {
                #expect(stopped.contains(state), "\(stopped)")
            }
            let allowed = try await hunch("online", "enable", "--places", "--json").output()
            #expect(
                allowed.contains(#""enabled":true"#) && allowed.contains("https://geocoder.example.org"), "\(allowed)")
        }
    }

    @Test("Servers of downloads are kept until they are reset")
    func servers() async throws {
        try await withHunch { hunch async throws in
            let shown = try await hunch("online", "servers").output()
            #expect(
                shown
                    == "GeoNames\thttps://download.geonames.org/export/dump\nGeofabrik\thttps://download.geofabrik.de\n"
            )
            #expect(
                try await hunch("online", "servers", "--geonames", "http://mirror.lan/g/", "--json").output()
                    .contains(#""geonames":"http://mirror.lan/g""#))
            #expect(try await hunch("online", "servers", "--geofabrik", "mirror.lan").status == .exited(2))
            #expect(try await hunch("online", "enable").status == .exited(0))
            #expect(try await hunch("online", "servers", "--geofabrik", "https://m.example.org").status == .exited(0))
            #expect(
                try await hunch("online", "servers").output()
                    == "GeoNames\thttp://mirror.lan/g\nGeofabrik\thttps://m.example.org\n")
            #expect(try await hunch("online", "servers", "--reset").output() == shown)
            #expect(try await hunch("online").output().hasPrefix("Unknown places are looked up"))
        }
    }

    @Test("A short link is followed only after links are enabled")
    func links() async throws {
        try await withPrivateBus { bus in
            try await withHunch { hunch async throws in
                let environment = hunch.home.environment.merging(bus.environment) { _, new in new }
                func directions() async throws -> CommandResult {
                    try await run(
                        builtProduct("hunch"), ["directions", "https://maps.app.goo.gl/abc"], environment: environment)
                }
                let refused = try await directions()
                #expect(refused.status == .exited(2) && refused.standardError.contains("hunch online enable --links"))
                #expect(try await hunch("online", "enable", "--links").status == .exited(0))
                // No service on this bus follows links.
                let failed = try await directions()
                #expect(failed.status == .exited(3) && failed.standardError.contains("the link cannot be followed"))
            }
        }
    }

    @Test("Without a gazetteer, directions ask the online service")
    func ends() async throws {
        try await withPrivateBus { bus in
            try await withHunch { hunch async throws in
                let environment = hunch.home.environment.merging(bus.environment) { _, new in new }
                try await withGeocodingService(in: hunch.home) { _, url in
                    #expect(try await hunch("online", "enable", "--url", "\(url)/ok").status == .exited(0))
                    try await withDaemon(
                        Command(
                            try builtProduct("hunch-geocoder-online"), environment: environment,
                            ready: .busName("org.hunch.OnlineGeocoder1", on: bus))
                    ) { _ in
                        let answer = try await run(
                            builtProduct("hunch"), ["directions", "Atlantis", "--json"], environment: environment)
                        #expect(answer.standardOutput.contains("52.5"), "\(answer.standardError)")
                        #expect(answer.standardError.contains("OpenStreetMap contributors"))
                    }
                }
            }
        }
    }

    @Test("Sandboxed processes cannot query the online service")
    func sandboxed() async throws {
        try await withPrivateBus { bus in
            try await withHunch { hunch async throws in
                let environment = hunch.home.environment.merging(bus.environment) { _, new in new }
                try await withGeocodingService(in: hunch.home) { server, url in
                    #expect(try await hunch("online", "enable", "--url", "\(url)/ok").status == .exited(0))
                    try await withDaemon(
                        Command(
                            try builtProduct("hunch-geocoder-online"), environment: environment,
                            ready: .busName("org.hunch.OnlineGeocoder1", on: bus))
                    ) { _ in
                        let ask = [
                            "gdbus", "call", "--session", "--dest", "org.hunch.OnlineGeocoder1", "--object-path",
                            "/org/hunch/OnlineGeocoder1", "--method", "org.hunch.OnlineGeocoder1.Geocode", "Atlantis",
                            "{}",
                        ]
                        let inside = try await run("bwrap", ["--bind", "/", "/"] + ask, environment: environment)
                        #expect(inside.standardError.contains("AccessDenied"), "\(inside)")
                        try await withBusProxy(to: bus, ["--talk=org.hunch.OnlineGeocoder1"]) { address in
                            let behind = try await run(
                                "env", ["DBUS_SESSION_BUS_ADDRESS=\(address)"] + ask, environment: environment)
                            #expect(behind.standardError.contains("AccessDenied"), "\(behind)")
                        }
                        #expect(!server.output.contains("Atlantis"))
                        let outside = try await run("env", ask, environment: environment)
                        #expect(outside.standardOutput.contains("Berlin"), "\(outside)")
                    }
                }
            }
        }
    }

    @Test("Only names unknown locally are sent to the enabled service")
    func answers() async throws {
        try await withPrivateBus { bus in
            try await withHunch { hunch async throws in
                try hunch.installPlaceList()
                let environment = hunch.home.environment.merging(bus.environment) { _, new in new }
                try await withGeocodingService(in: hunch.home) { server, url in
                    func geocode(_ text: String) async throws -> CommandResult {
                        try await run(builtProduct("hunch"), ["geocode", text, "--json"], environment: environment)
                    }
                    #expect(try await geocode("Atlantis").status == .exited(1))
                    #expect(try await hunch("online", "enable", "--url", "\(url)/ok").status == .exited(0))
                    try await withDaemon(
                        Command(
                            try builtProduct("hunch-geocoder-online"), environment: environment,
                            ready: .busName("org.hunch.OnlineGeocoder1", on: bus))
                    ) { _ in
                        let answer = try await geocode("Atlantis")
                        let found = try JSONDecoder().decode(Geocoding.self, from: Data(answer.standardOutput.utf8))
                        #expect(found.candidates.map(\.name) == ["Berlin"] && found.candidates.first?.kind == "city")
                        #expect(answer.standardError.contains("OpenStreetMap contributors"))
                        // Places that the gazetteer knows, and texts that do not name a place, are not sent.
                        #expect(try await geocode("Paris").standardOutput.contains("Texas"))
                        #expect(try await geocode("Zoom Meeting").status == .exited(2))
                        #expect(!server.output.contains("Paris") && !server.output.contains("Zoom"))

                        let cache = hunch.home.cache + "/hunch/online-geocoder"
                        #expect(try FileManager.default.contentsOfDirectory(atPath: cache).count == 1)
                        #expect(try await hunch("forget", "--all").status == .exited(0))
                        #expect(try FileManager.default.contentsOfDirectory(atPath: cache).isEmpty)

                        #expect(try await hunch("online", "enable", "--url", "\(url)/503").status == .exited(0))
                        let busy = try await geocode("Atlantis")
                        #expect(busy.status == .exited(3) && busy.standardError.contains("overloaded"))
                        #expect(try await hunch("online", "disable").status == .exited(0))
                        #expect(try await geocode("Atlantis").status == .exited(1))
                    }
                }
            }
        }
    }
}
