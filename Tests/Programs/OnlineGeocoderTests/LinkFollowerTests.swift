import HunchModel
import TestSupport
import Testing

@testable import AgentInterface
@testable import OnlineGeocoder

@Suite("Short links from a local server", .serialized) struct LinkFollowerTests {
    private static let goal = "https://www.google.com/maps/@52.5,13.4,15z"

    private func withFollower(
        _ body: nonisolated(nonsending) (LinkFollower, _ url: String, Daemon) async throws -> Void
    ) async throws {
        try await withTemporaryHome { home in
            try await withGeocodingService(in: home) { server, url in
                let follower = LinkFollower(
                    client: HTTPClient(timeout: 10_000, userAgent: "Hunch/test"),
                    host: { $0.hasPrefix(url) ? "stub" : nil }, reach: .any)
                try await body(follower, url, server)
            }
        }
    }

    @Test("A chain of short links ends at its target, which is not read", arguments: [0, 1, 4])
    func hops(count: Int) async throws {
        try await withFollower { follower, url, server async throws in
            var turns = 0
            let target = try follower.target(of: "\(url)/short/\(count)") { () throws(OnlineGeocoder.Failure) in
                turns += 1
            }
            #expect(target == Self.goal && turns == count + 1)
            try await server.waitForLine(containing: "HEAD /short/0 Hunch/test")
            #expect(!server.output.contains("GET"))
        }
    }

    @Test("Long chains, loops, dead links and a missing server fail")
    func failures() async throws {
        try await withFollower { follower, url, _ async throws in
            for (link, reason) in [
                ("short/5", "more than 5"), ("loop", "more than 5"), ("dead", "does not redirect"),
            ] {
                let failure = #expect(throws: OnlineGeocoder.Failure.self) {
                    try follower.target(of: "\(url)/\(link)") { () throws(OnlineGeocoder.Failure) in }
                }
                guard case .failed(let text) = failure else {
                    Issue.record("\(link)")
                    continue
                }
                #expect(text.contains(reason), "\(text)")
            }
            #expect(throws: OnlineGeocoder.Failure.busy(seconds: 3)) {
                try follower.target(of: "\(url)/short/1") { () throws(OnlineGeocoder.Failure) in throw .busy(seconds: 3)
                }
            }
            let alone = LinkFollower(client: follower.client, host: { _ in "nobody" }, reach: .any)
            #expect(throws: OnlineGeocoder.Failure.self) {
                try alone.target(of: "http://127.0.0.1:1/x") { () throws(OnlineGeocoder.Failure) in }
            }
        }
    }

    @Test("A server that supports only GET is read only as far as needed")
    func page() async throws {
        try await withFollower { follower, url, server async throws in
            #expect(try follower.target(of: "\(url)/page") { () throws(OnlineGeocoder.Failure) in } == Self.goal)
            try await server.waitForLine(containing: "GET /page")
        }
    }

    @Test("Local addresses and plain http are never connected to")
    func publicServersOnly() async throws {
        try await withFollower { follower, url, server async throws in
            let port = try #require(url.split(separator: ":").last)
            for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"] {
                let strict = LinkFollower(client: follower.client, host: { $0.contains(host) ? host : nil })
                for scheme in ["http", "https"] {
                    #expect(throws: OnlineGeocoder.Failure.self) {
                        try strict.target(of: "\(scheme)://\(host):\(port)/short/0") {
                            () throws(OnlineGeocoder.Failure) in
                        }
                    }
                }
            }
            #expect(!server.output.contains("/short"))
        }
    }

    @Test(
        "Public addresses follow the IANA registries",
        arguments: [
            ("8.8.8.8", true), ("1.1.1.1", true), ("172.15.0.1", true), ("172.32.0.1", true), ("100.128.0.1", true),
            ("0.0.0.0", false), ("10.1.2.3", false), ("100.64.0.1", false), ("127.0.0.1", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false), ("172.31.255.255", false), ("192.168.1.1", false), ("198.19.0.1", false),
            ("224.0.0.1", false), ("255.255.255.255", false),
        ])
    func addresses(_ text: String, _ isPublic: Bool) {
        let bytes = text.split(separator: ".").compactMap { UInt8($0) }
        #expect(NetworkAddress.isPublic(bytes) == isPublic)
        #expect(NetworkAddress.isPublic([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF] + bytes) == isPublic)
        #expect(NetworkAddress.isPublic([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] + bytes) == isPublic)
        #expect(NetworkAddress.isPublic([0x20, 0x02] + bytes + [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]) == isPublic)
    }

    @Test(
        "Public IPv6 addresses follow the IANA registries",
        arguments: [
            ([0x2A, 0x00, 0x14, 0x50], true), ([0x26, 0x06], true), ([0xFE, 0x80], false), ([0xFD, 0x00], false),
            ([0xFF, 0x02], false), ([0x20, 0x01, 0x0D, 0xB8, 0], false), ([], false),
        ] as [([UInt8], Bool)])
    func addresses6(_ start: [UInt8], _ isPublic: Bool) {
        #expect(NetworkAddress.isPublic(start + [UInt8](repeating: 0, count: 15 - start.count) + [1]) == isPublic)
        #expect(!NetworkAddress.isPublic(start + [0, 0, 0, 0, 0]))
    }
}
