import HunchModel
import TestSupport
import Testing

@testable import AgentInterface
@testable import OnlineGeocoder

@Suite("Cover downloads from a local server", .serialized) struct CoverTests {
    private func withGeocoder(
        isAllowed: Bool = true, reach: HTTPClient.Reach = .any, timeout: Int = 10_000,
        _ body: nonisolated(nonsending) (OnlineGeocoder, _ url: String, Daemon) async throws -> Void
    ) async throws {
        try await withTemporaryHome { home in
            try await withGeocodingService(in: home) { server, url in
                let directories = BaseDirectories(environment: home.environment)
                // Asking for places is a matter of its own.
                var settings = try #require(OnlineGeocoderSettings(isEnabled: false))
                settings.fetchesCovers = isAllowed
                try settings.save(directories)
                let geocoder = OnlineGeocoder(
                    directories: directories, timeout: timeout, languages: "en", pictureReach: reach)
                try await body(geocoder, url, server)
            }
        }
    }

    private func reason(_ body: () throws -> [UInt8]) -> String? {
        do {
            _ = try body()
            return nil
        } catch OnlineGeocoder.Failure.failed(let reason) {
            return reason
        } catch {
            return "\(error)"
        }
    }

    @Test("A picture is fetched whole without sending languages")
    func fetched() async throws {
        try await withGeocoder { geocoder, url, server async throws in
            #expect(try geocoder.picture(at: "\(url)/cover/1") == Array(0...255))
            #expect(try await server.waitForLine(containing: "/cover/1").hasSuffix(" None"))
        }
    }

    @Test(
        "Oversized, invalid, moved and missing covers are refused",
        arguments: [
            ("hugecover", "larger than 2097152 bytes"), ("html", "does not declare it as a picture"),
            ("moved", "status 302"), ("dead", "status 404"), ("slow", "cannot be downloaded"),
        ])
    func refused(_ path: String, _ words: String) async throws {
        try await withGeocoder(timeout: path == "slow" ? 500 : 10_000) { geocoder, url, server async throws in
            let reason = reason { try geocoder.picture(at: "\(url)/\(path)/1") }
            #expect(reason?.contains(words) == true, "\(reason ?? "it was taken")")
            #expect(!server.output.contains("elsewhere"))
        }
    }

    @Test("Nothing is fetched before consent or from a private address")
    func limits() async throws {
        try await withGeocoder(isAllowed: false) { geocoder, url, server async throws in
            #expect(throws: OnlineGeocoder.Failure.disabled) { try geocoder.picture(at: "\(url)/cover/1") }
            #expect(!server.output.contains("GET"))
        }
        try await withGeocoder(reach: .publicServers) { geocoder, url, server async throws in
            for scheme in ["http", "https"] {
                let address = url.replacing("http:", with: "\(scheme):") + "/cover/1"
                let reason = reason { try geocoder.picture(at: address) }
                #expect(reason != nil)
            }
            #expect(!server.output.contains("GET"))
        }
    }

    @Test(
        "Only plain https addresses may be covers",
        arguments: [
            ("https://i.example.org/a?b=c", true), ("https://x", true), ("http://i.example.org/a", false),
            ("https://", false), ("https:///a", false), ("https://user@example.org/a", false),
            ("https://example.org/a#b", false), ("https://example.org/a b", false), ("https://exämple.org", false),
            ("file:///etc/passwd", false), ("https://e\\x@y/", false),
        ])
    func addresses(_ text: String, _ isValid: Bool) {
        #expect(CoverAddress.isValid(text) == isValid)
        #expect(!CoverAddress.isValid("https://x/" + String(repeating: "a", count: 2_048)))
    }
}
