import HunchModel
import TestSupport
import Testing

@testable import AgentInterface
@testable import OnlineGeocoder

@Suite("Download plans and decisions") struct DownloadPlanTests {
    private func plan(
        _ source: DownloadSource, server: String? = nil, _ change: (inout OnlineGeocoderSettings) -> Void = { _ in }
    ) throws -> [DownloadPlan.File] {
        var settings = try #require(OnlineGeocoderSettings(isEnabled: false))
        change(&settings)
        return try DownloadPlan(source, server: server, settings: settings).files
    }

    @Test(
        "Sources are read in any case",
        arguments: [
            ("cities500", .cities500), ("Cities15000", .cities15000), ("de", .country("DE")),
            ("osm:Europe/Germany/berlin", .openStreetMap("europe/germany/berlin")), ("cities1", nil), ("DEU", nil),
            ("d1", nil), ("", nil), ("osm:", nil), ("osm:/europe", nil), ("osm:europe/", nil), ("osm:../x", nil),
            ("osm:a/b/c/d/e/f", nil), ("osm:-o", nil), ("osm:a b", nil), ("osm:é", nil),
            ("osm:" + String(repeating: "a", count: 65), nil),
        ] as [(String, DownloadSource?)])
    func sources(text: String, source: DownloadSource?) {
        #expect(DownloadSource(text) == source)
        if let source { #expect(DownloadSource(source.description) == source) }
    }

    @Test("Files come from the publishers, the configured servers or the given one")
    func addresses() throws {
        #expect(
            try plan(.country("DE")).map(\.address) == [
                "https://download.geonames.org/export/dump/admin1CodesASCII.txt",
                "https://download.geonames.org/export/dump/DE.zip",
            ])
        let berlin = try plan(.openStreetMap("europe/germany/berlin"))
        #expect(berlin.map(\.address) == ["https://download.geofabrik.de/europe/germany/berlin-latest.osm.pbf"])
        #expect(berlin.first?.checksumAddress == berlin.first.map { $0.address + ".md5" })
        #expect(berlin.first?.path == "geofabrik/europe/germany/berlin-latest.osm.pbf")
        #expect(
            try plan(.cities500) { $0.geoNamesURL = "http://mirror.lan/g" }.last?.address
                == "http://mirror.lan/g/cities500.zip")
        #expect(
            try plan(.openStreetMap("africa")) { $0.geofabrikURL = "https://mirror.example.org" }.last?.address
                == "https://mirror.example.org/africa-latest.osm.pbf")
        for server in ["https://m.example.org/x", "http://127.0.0.1:80", "http://localhost:8/y", "http://[::1]:9"] {
            #expect(try plan(.cities500, server: server).last?.address == "\(server)/cities500.zip")
        }
        for server in ["http://mirror.lan", "http://127.0.0.1.example.org", "http://localhost.lan", "http://127.1"] {
            let failure = #expect(throws: DownloadFailure.self) { try plan(.cities500, server: server) }
            #expect(failure?.code == .insecure)
        }
    }

    @Test(
        "Redirects lead to https or stay on their server",
        arguments: [
            ("https://a/x", "https://b/y", true), ("https://a/x", "http://a/y", false),
            ("http://a:8/x", "http://a:8/y", true), ("http://a:8/x", "http://A:8/y", true),
            ("http://a:8/x", "http://a:9/y", false), ("http://a/x", "http://b/y", false),
            ("http://a/x", "https://b/y", true), ("http://a/x", "ftp://a/x", false),
            ("http://a/x", "http://a@b/x", false), ("https://a/x", "file:///etc/passwd", false),
        ])
    func redirects(from: String, to: String, isAllowed: Bool) {
        #expect(DownloadPlan.mayFollow(from: from, to: to) == isAllowed)
    }

    @Test("A response continues a partial file only if it is its remainder")
    func steps() {
        let head = HTTPHead(status: 200, length: 100, entityTag: "\"1\"", lastModified: "x")
        let record = DownloadRecord(address: "a", head: head, length: 100, checksum: nil)
        func step(_ status: Int, _ range: String? = nil, at offset: Int64 = 40) -> DownloadStep {
            DownloadStep(HTTPHead(status: status, length: 60, range: range), at: offset, record: record)
        }
        #expect(step(206, "bytes 40-99/100") == .append(length: 100))
        #expect(step(206, "bytes 40-99/*") == .append(length: 100))
        #expect(step(206, "bytes 41-99/100") == .discard)
        #expect(step(206, "bytes 40-99/101") == .discard)
        #expect(step(206, "bytes 40") == .discard)
        #expect(step(206) == .discard)
        #expect(step(206, "bytes 0-99/100", at: 0) == .refused(206))
        #expect(step(200) == .startAnew(length: 60))
        #expect(step(416) == .discard)
        #expect(step(404) == .notFound && step(410) == .notFound)
        #expect(step(500) == .refused(500))
        #expect(record.validator == "\"1\"" && record.matches(head, length: 100) && !record.matches(head, length: 99))
        // A weak tag promises only the same meaning.
        var weak = head
        weak.entityTag = "W/\"1\""
        let dated = DownloadRecord(address: "a", head: weak, length: 100, checksum: nil)
        #expect(dated.validator == "x" && dated.matches(weak, length: nil))
        weak.lastModified = "y"
        #expect(!dated.matches(weak, length: 100))
        #expect(
            !DownloadRecord(address: "a", head: HTTPHead(status: 200), length: 1, checksum: nil).matches(
                head, length: 1))
    }

    @Test("Events are read as they were written")
    func events() {
        let events: [DownloadEvent] = [
            .file(DownloadFile(name: "a", address: "https://a", length: nil, received: 0)),
            .file(DownloadFile(name: "ü\n", address: "https://a", length: .max, received: 7)),
            .progress(name: "a", received: 1, length: nil), .progress(name: "a", received: 1, length: 2),
            .done(path: "/x/ y"),
            .failed(DownloadFailure(.noSpace, address: "a", detail: "b", length: 1, available: 2)),
            .failed(DownloadFailure(.changed, address: "")),
        ]
        for event in events {
            #expect(event.line.count { $0 == 0x0A } == 1 && event.line.last == 0x0A)
            #expect(DownloadEvent(line: event.line.dropLast()) == event)
        }
        for line in [
            "", "{}", "{\"event\":\"done\"}", "{\"event\":\"other\"}", "[1]", "{\"event\":\"failed\",\"code\":\"x\"}",
        ] {
            #expect(DownloadEvent(line: line.utf8) == nil)
        }
    }

    @Test(
        "MD5 has the digests of RFC 1321",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ])
    func digests(text: String, digest: String) {
        for size in [1, 7, 63, 64, 65, 200] {
            var sum = MD5()
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { sum.add($0) }
            }
            #expect(sum.finish() == digest)
        }
    }
}
