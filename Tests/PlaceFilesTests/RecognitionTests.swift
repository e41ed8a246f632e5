import FoundationEssentials
import HunchModel
import PlaceFiles
import Places
import TestSupport
import Testing

@Suite("Place file recognition") struct RecognitionTests {
    @Test("The first bytes tell a place file from a line of text")
    func heads() throws {
        for line in ["Berlin", "BEG", "<geo:1,2>", "52.5,13.4", "Mürren", "RIFFELALP\n", "MM", "geo:1,2", "{\"type\":"]
        {
            let recognition = PlaceFileFormat.recognised(in: Array(line.utf8))
            #expect(recognition == (["BEG", "MM"].contains(line) ? .undecided : .other), "\(line)")
        }
        #expect(PlaceFileFormat.recognised(in: []) == .undecided)
        for name in GoldenFileTests.places.keys
        where !["point.geojson", "invitation.txt", "bare.htm"].contains(name) {
            let bytes = Array(try TestFile.bytes(name).drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D })
            guard case .format(let format) = PlaceFileFormat.recognised(in: Array(bytes.prefix(12))) else {
                Issue.record("\(name) is not recognised")
                continue
            }
            // However few bytes come at first, the answer is the same.
            for length in 0..<12 {
                let early = PlaceFileFormat.recognised(in: Array(bytes.prefix(length)))
                #expect(early == .undecided || early == .format(format), "\(name), \(length) bytes")
            }
        }
    }

    @Test("The text of a place is never read as a file name")
    func places() async throws {
        try await withTemporaryDirectory { directory in
            let paris = try directory.write("geo:1,2", to: "Paris")
            #expect(try PlaceFilePath.path(in: paris) == paris)
            let words = [
                "Paris", "52.5,13.4", "geo:1,2", "https://example.org/a.gpx", "example.org/a.jpg",
                "///filled.count.soap",
                "Unter den Linden 1/2", "St. Moritz", "file", "", "POINT(1 2)", "maps:q=a.gpx", "{\"a\":\"/x.gpx\"}",
            ]
            for word in words { #expect(try PlaceFilePath.path(in: word) == nil, "\(word)") }
        }
    }

    @Test("Paths, file names with extensions and file: links are files")
    func files() throws {
        for path in ["menu.html", "menu.htm", "ticket.eml", "Ticket.PKPASS", "ticket.pdf", "menu.xhtml"] {
            #expect(try PlaceFilePath.path(in: path) == path)
        }
        for path in ["hut.gpx", "My Hut.GPX", "photos/hut.heic", "./Paris", "../Paris", "/dev/null", "/tmp"] {
            #expect(try PlaceFilePath.path(in: path) == path)
        }
        for uri in ["file:///tmp/My%20Hut.gpx", "file:/tmp/My%20Hut.gpx", "FILE://LocalHost/tmp/My%20Hut.gpx#top"] {
            #expect(try PlaceFilePath.path(in: uri) == "/tmp/My Hut.gpx")
        }
        for uri in ["file:hut.gpx", "file://server/hut.gpx", "file:///%00", "file:///%zz", "file:", "file://"] {
            let error = #expect(throws: PlaceError.self) { try PlaceFilePath.path(in: uri) }
            #expect(error?.code == .malformedLink, "\(uri)")
        }
    }

    @Test("Unreadable files are refused with the reason")
    func unreadable() async throws {
        try await withTemporaryDirectory { directory in
            let cases = [
                (directory.file("none.gpx"), "does not exist; check its name"),
                (directory.path, "is a folder; give a file"),
                (try directory.write("", to: "empty.gpx"), "is empty; give a file"),
                (try directory.write([0, 1, 2], to: "x.json"), "has an unsupported format; give GPX"),
                (try directory.write([0xFF, 0x20], to: "y.txt"), "has an unsupported format; give GPX"),
                (try directory.write("not xml", to: "x.gpx"), "is not a GPX file, despite its name; export it"),
                (try directory.write("Berlin", to: "x.KML"), "is not a KML file, despite its name; export it"),
                (try directory.write("Berlin", to: "x.jpg"), "is not a photo, despite its name; export it"),
                (try directory.write("Berlin", to: "x.ics"), "is not an event, despite its name; export it"),
            ]
            for (path, words) in cases {
                let error = #expect(throws: PlaceError.self) { try PlaceFileReader().place(in: FileBytes(path: path)) }
                #expect(error?.message.contains("\(path) \(words)") == true, "\(error?.message ?? "")")
            }
        }
    }
}
