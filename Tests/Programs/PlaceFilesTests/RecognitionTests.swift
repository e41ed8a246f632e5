import Coordinates
import FoundationEssentials
import HunchModel
import PlaceFiles
import TestSupport
import Testing

@Suite("Place file recognition") struct RecognitionTests {
    @Test("The first bytes distinguish a place file from a line of text")
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
        for path in ["menu.html", "menu.htm", "ticket.eml", "Ticket.PKPASS", "ticket.pdf", "menu.xhtml", "data.xml"] {
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

    @Test(
        "The place of an event is read from the property that has one",
        arguments: [
            ("X-APPLE-STRUCTURED-LOCATION;VALUE=URI:geo:0,0\nGEO:48.1;11.5", "48.1,11.5 | -"),
            ("LOCATION:https://zoom.us/j/123\nGEO:48.1;11.5", "48.1,11.5 | -"),
            ("LOCATION:Lobby\nGEO:nan;nan", "- | - | query: Lobby"),
            ("LOCATION:Lobby\nGEO:91.5;200", "- | - | query: Lobby"),
            ("X-APPLE-STRUCTURED-LOCATION;X-TITLE=^'Hut^':geo:48.1,11.5", "48.1,11.5 | \"Hut\""),
        ])
    func events(lines: String, place: String) throws {
        let event = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Lunch\n\(lines)\nEND:VEVENT\nEND:VCALENDAR\n"
        #expect(try summary(outcome(Array(event.utf8)).get()) == "iCalendar | \(place)")
    }

    @Test("A contact that has only a link to a map has its place")
    func contact() throws {
        let card = """
            BEGIN:VCARD
            VERSION:3.0
            FN:Atomium
            URL:https://example.org/
            item1.URL;type=pref:http://maps.apple.com/?ll=50.89\\,4.34
            item1.X-ABLabel:map url
            END:VCARD
            """
        #expect(try summary(outcome(Array(card.utf8)).get()) == "apple | 50.89,4.34 | Atomium")
    }

    @Test("A calendar is read if its lines are folded inside characters", arguments: ["漢字", "🎉"])
    func folded(word: String) throws {
        let words = String(repeating: word, count: 40)
        var lines = Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n".utf8)
        for (index, byte) in "LOCATION:\(words)".utf8.enumerated() {
            if index > 0, index.isMultiple(of: 11) { lines += Array("\r\n ".utf8) }
            lines.append(byte)
        }
        lines += Array("\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".utf8)
        #expect(try summary(outcome(lines).get()) == "iCalendar | - | - | query: \(words)")
    }

    @Test("A calendar in UTF-16 is read without a byte order mark", arguments: [true, false])
    func wide(isLittleEndian: Bool) throws {
        let bytes = Self.utf16("BEGIN:VEVENT\r\nLOCATION:Gdańsk\r\nEND:VEVENT\r\n", isLittleEndian)
        #expect(try summary(outcome(bytes).get()) == "iCalendar | - | - | query: Gdańsk")
    }

    private static func utf16(_ text: String, _ isLittleEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let unit = isLittleEndian ? unit.byteSwapped : unit
            return [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
    }

    @Test(
        "The bytes of XML take precedence over the encoding that it declares",
        arguments: ["UTF-8", "utf-16", "UTF-16LE", "UTF-16BE", "ISO-8859-1", "nonsense"])
    func declaredEncoding(label: String) throws {
        let documents = [
            "<gpx><wpt lat='1' lon='2'><name>Gdańsk 北🏔</name></wpt></gpx>": "gpx | 1.0,2.0 | Gdańsk 北🏔",
            "<gpx><trk><name>é</name><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>": "gpx | 1.0,2.0 | é",
            "<kml><Placemark><name>Ørje</name><Point><coordinates>2,1</coordinates></Point></Placemark></kml>":
                "kml | 1.0,2.0 | Ørje",
        ]
        for (document, place) in documents {
            for mark in ["", "\u{FEFF}"] {
                let text = "\(mark)<?xml version='1.0' encoding='\(label)'?>\n\(document)"
                let encoded = [Array(text.utf8), Self.utf16(text, true), Self.utf16(text, false)]
                for bytes in encoded { #expect(try summary(outcome(bytes).get()) == place) }
            }
        }
    }

    @Test("Broken and foreign documents in UTF-16 are refused", arguments: [true, false])
    func brokenUTF16(isLittleEndian: Bool) {
        for (document, code) in [
            ("<gpx><wpt lat='1", .malformed), ("<gpx><wpt></gpx>", .malformed), ("<!DOCTYPE gpx><gpx/>", .malformed),
            ("<svg/>", .unknownFormat), ("<gpx/>", .noPosition),
        ] as [(String, PlaceError.Code)] {
            let text = "<?xml version='1.0' encoding='UTF-8'?>\(document)"
            #expect(failure(Self.utf16(text, isLittleEndian)) == code, "\(document)")
        }
    }

    @Test(
        "White space may stand before or after the byte order mark of XML", arguments: ["\u{FEFF}\r\n ", "\n\u{FEFF}"])
    func spaceAroundMark(start: String) throws {
        let text = "\(start)<?xml version=\"1.0\"?>\n<gpx><wpt lat=\"1\" lon=\"2\"/></gpx>"
        #expect(try summary(outcome(Array(text.utf8)).get()) == "gpx | 1.0,2.0 | -")
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
                (try directory.write("Meet in Berlin", to: "x.eml"), "names no place; “hunch markup” shows"),
                (try directory.write("Meet in Berlin", to: "x.html"), "names no place; “hunch markup” shows"),
                (try directory.write("Berlin", to: "x.ics"), "is not an event, despite its name; export it"),
            ]
            for (path, words) in cases {
                let error = #expect(throws: PlaceError.self) { try PlaceFileReader().place(in: FileBytes(path: path)) }
                #expect(error?.message.contains("\(path) \(words)") == true, "\(error?.message ?? "")")
            }
        }
    }
}
