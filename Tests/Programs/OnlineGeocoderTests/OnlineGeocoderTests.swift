import FoundationEssentials
import HunchModel
import TestSupport
import Testing

@testable import AgentInterface
@testable import OnlineGeocoder

@Suite("Online geocoder with a local service", .serialized) struct OnlineGeocoderTests {
    private func withService(
        _ body: nonisolated(nonsending) (Daemon, _ url: String, TemporaryHome) async throws -> Void
    ) async throws {
        try await withTemporaryHome { home in
            try await withGeocodingService(in: home) { server, url in try await body(server, url, home) }
        }
    }

    private func geocoder(
        _ url: String, _ home: TemporaryHome, service: OnlineGeocoderSettings.Service = .nominatim,
        timeout: Int = 10_000
    ) throws -> OnlineGeocoder {
        let directories = BaseDirectories(environment: home.environment)
        try #require(OnlineGeocoderSettings(isEnabled: true, service: service, url: url)).save(directories)
        return OnlineGeocoder(directories: directories, timeout: timeout, languages: "de,en;q=0.5")
    }

    @Test(
        "Nominatim and Photon are queried and understood",
        arguments: OnlineGeocoderSettings.Service.allCases)
    func answers(service: OnlineGeocoderSettings.Service) async throws {
        try await withService { server, url, home async throws in
            let geocoder = try geocoder("\(url)/\(service == .photon ? "photon" : "ok")/", home, service: service)
            let near = try Coordinate(latitude: 52, longitude: 13)
            let (places, attribution) = try geocoder.answer(.text("Berlin & Ümland", near: near), limit: 500)
            #expect(places.count == 1 && places[0].item.name == "Berlin" && places[0].kind == "city")
            #expect(places[0].item.coordinate == (try Coordinate(latitude: 52.5, longitude: 13.4)))
            #expect(places[0].item.address?.countryCode == "DE" && places[0].item.address?.city == "Berlin")
            #expect(attribution.contains("OpenStreetMap"))
            let asked = try await server.waitForLine(containing: "GET")
            #expect(
                asked.contains("q=Berlin%20%26%20%C3%9Cmland&")
                    && asked.contains("limit=\(service == .photon ? 20 : 20)"))
            #expect(asked.contains("Hunch/") && asked.contains("de,en;q=0.5"))
        }
    }

    @Test("Too many results are cut to the limit", arguments: [(0, 1), (1, 1), (7, 7), (.max, 20)])
    func limit(asked: Int, most: Int) async throws {
        try await withService { _, url, home async throws in
            let geocoder = try geocoder("\(url)/many", home)
            // Once from the service, and once from what is kept.
            for _ in 0..<2 {
                #expect(try geocoder.answer(.text("Berlin", near: nil), limit: asked).places.count == most)
            }
        }
    }

    @Test("Answers are cached; another query waits one second")
    func cacheAndPace() async throws {
        try await withService { server, url, home async throws in
            let geocoder = try geocoder("\(url)/ok", home)
            let start = ContinuousClock().now
            for text in ["Berlin", "Berlin", "Hamburg", "Berlin"] {
                _ = try geocoder.answer(.text(text, near: nil), limit: 5)
            }
            #expect(ContinuousClock().now - start >= .seconds(1))
            // One without the first one's queries, as after a restart.
            _ = try self.geocoder("\(url)/ok", home).answer(.text("Berlin", near: nil), limit: 5)
            _ = try self.geocoder("\(url)/one", home).answer(.position(Coordinate(latitude: 1, longitude: 2)), limit: 5)
            try await server.waitForLine(containing: "/one/reverse?lat=1.0&lon=2.0")
            #expect(server.output.components(separatedBy: "GET").count == 4)
            let cache = AnswerCache(cacheHome: home.cache)
            let question = "\(url)/ok/search?q=Berlin&format=jsonv2&addressdetails=1&limit=5"
            #expect(cache.places(for: question, at: Date())?.count == 1)
            #expect(cache.places(for: question, at: Date().addingTimeInterval(AnswerCache.lifetime + 60)) == nil)
            try FileManager.default.removeItem(atPath: home.cache + "/hunch")
            #expect(cache.places(for: question, at: Date()) == nil)
        }
    }

    @Test(
        "Errors are described and never cached",
        arguments: [
            ("429", .busy(seconds: 7)), ("503", .busy(seconds: 60)),
            ("500", .failed("the service returned the status 500")),
            ("moved", .failed("the service returned the status 302")), ("html", nil), ("cut", nil), ("wrong", nil),
            ("huge", nil), ("slow", nil),
        ] as [(String, OnlineGeocoder.Failure?)])
    func failures(kind: String, expected: OnlineGeocoder.Failure?) async throws {
        try await withService { server, url, home async throws in
            let geocoder = try geocoder("\(url)/\(kind)", home, timeout: kind == "slow" ? 300 : 10_000)
            let failure = #expect(throws: OnlineGeocoder.Failure.self) {
                try geocoder.answer(.text("x", near: nil), limit: 5)
            }
            if let expected {
                #expect(failure == expected)
            } else if case .failed(let reason)? = failure {
                #expect(!reason.isEmpty)
            } else {
                Issue.record("\(String(describing: failure))")
            }
            #expect(!FileManager.default.fileExists(atPath: home.cache + "/hunch/online-geocoder"))
            if case .busy? = expected {
                // The service is left alone: no request is sent at all.
                #expect(throws: OnlineGeocoder.Failure.self) { try geocoder.answer(.text("y", near: nil), limit: 5) }
                #expect(!server.output.contains("q=y"))
            }
        }
    }

    @Test(
        "OpenStreetMap element links resolve once links are enabled",
        arguments: [
            ("https://www.openstreetmap.org/node/3075519634#map=19/37.79/-122.39", "N3075519634"),
            ("openstreetmap.org/way/5013364", "W5013364"), ("https://osm.org/relation/62422?layers=N", "R62422"),
        ])
    func elements(link: String, asked: String) async throws {
        try await withService { server, url, home async throws in
            let geocoder = try geocoder("\(url)/ok", home)
            #expect(throws: OnlineGeocoder.Failure.disabled) { try geocoder.target(ofLink: link) }
            let directories = BaseDirectories(environment: home.environment)
            var settings = OnlineGeocoderSettings.load(directories)
            settings.followsLinks = true
            try settings.save(directories)
            #expect(try geocoder.target(ofLink: link) == "geo:52.5,13.4?q=52.5,13.4(Berlin)")
            try await server.waitForLine(containing: "/ok/lookup?osm_ids=\(asked)&")
            #expect(throws: OnlineGeocoder.Failure.self) {
                try self.geocoder("\(url)/empty", home).target(ofLink: link)
            }
        }
    }

    @Test(
        "Other OpenStreetMap pages are not elements",
        arguments: [
            "https://www.openstreetmap.org/node/", "https://www.openstreetmap.org/node/0",
            "https://www.openstreetmap.org/node/1x", "https://www.openstreetmap.org/user/1",
            "https://openstreetmap.org.example.com/node/1", "https://www.openstreetmap.org/node/99999999999999999999",
        ])
    func otherPages(link: String) { #expect(OpenStreetMapElement(link: link) == nil) }

    @Test("An empty result is an answer", arguments: ["none", "empty"])
    func nothing(kind: String) async throws {
        try await withService { _, url, home async throws in
            #expect(try geocoder("\(url)/\(kind)", home).answer(.text("x", near: nil), limit: 5).places.isEmpty)
        }
    }

    @Test("Without consent nothing is asked; a missing server fails")
    func disabled() async throws {
        try await withTemporaryHome { home in
            let directories = BaseDirectories(environment: home.environment)
            let geocoder = OnlineGeocoder(directories: directories, languages: "en")
            #expect(throws: OnlineGeocoder.Failure.disabled) {
                try geocoder.answer(.text("Berlin", near: nil), limit: 5)
            }
            try #require(OnlineGeocoderSettings(isEnabled: false, url: "http://127.0.0.1:1")).save(directories)
            #expect(throws: OnlineGeocoder.Failure.disabled) {
                try geocoder.answer(.text("Berlin", near: nil), limit: 5)
            }
            try #require(OnlineGeocoderSettings(isEnabled: true, url: "http://127.0.0.1:1")).save(directories)
            let failure = #expect(throws: OnlineGeocoder.Failure.self) {
                try geocoder.answer(.text("Berlin", near: nil), limit: 5)
            }
            #expect(failure != .disabled)
        }
    }

    @Test("Only valid service addresses are accepted")
    func settings() {
        for url in [
            "ftp://x.y", "https://", "x.y", "https://x.y?q=", "https://x y", "file:///etc/passwd",
            "https://" + String(repeating: "a", count: 2_000),
        ] {
            #expect(OnlineGeocoderSettings(isEnabled: true, url: url) == nil)
        }
        #expect(OnlineGeocoderSettings(isEnabled: true, url: "https://x.y/nominatim//")?.url == "https://x.y/nominatim")
        #expect(OnlineGeocoderSettings(isEnabled: true, service: .photon)?.url == "https://photon.komoot.io")
    }

    @Test("Requests are a second apart and stop during a back-off")
    func pace() {
        var pace = RequestPace()
        #expect(pace.turn(at: .seconds(5)) == .zero)
        #expect(pace.turn(at: .seconds(5)) == .seconds(1))
        #expect(pace.turn(at: .milliseconds(5_500)) == .milliseconds(1_500))
        #expect(pace.turn(at: .seconds(60)) == .zero)
        pace.backOff(at: .seconds(61), for: 30)
        #expect(pace.turn(at: .seconds(90)) == nil && pace.secondsLeft(at: .seconds(90)) == 1)
        #expect(pace.turn(at: .seconds(91)) == .zero)
        pace.backOff(at: .seconds(100), for: 1_000_000)
        #expect(pace.secondsLeft(at: .seconds(100)) == 3_600)
    }
}
