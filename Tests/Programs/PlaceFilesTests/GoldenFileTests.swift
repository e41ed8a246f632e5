import Coordinates
import FoundationEssentials
import HunchModel
import PlaceFiles
import Testing

/// Files made by hand and what they mean. The positions of the photos were written, and read again, by ExifTool 12.57.
@Suite("Place files") struct GoldenFileTests {
    static let places = [
        "waypoint.gpx": "gpx | 46.720928,-9.427917 | Hut & <b> café</b> №7",
        "route.gpx": "gpx | 46.75,9.5 | Over the pass | from: 46.5,9.25 Village",
        "track.gpx": "gpx | -33.8688,151.2093 | Morning run",
        "utf16.gpx": "gpx | 59.91,10.75 | Øvre Årdal",
        "latin1.gpx": "gpx | 59.91,10.75 | Øvre Årdal",
        "point.kml": "kml | 52.5163,13.3777 | Brandenburger Tor",
        "point.kmz": "kml | 52.5163,13.3777 | Brandenburger Tor",
        "line.kml": "kml | 37.79,-122.39 | Ride",
        "stored.kmz": "kml | 37.79,-122.39 | Ride",
        "track.kml": "kml | 37.371915,-122.207881 | Flight",
        "address.kml": "kml | - | Yank Sing | query: 101 Spear St, San Francisco",
        "area.kml": "kml | -16.5,180.0 | Taveuni",
        "view.kml": "kml | 46.95,7.44 | -",
        "hut.jpg": "exif | 46.7209278,-9.4279167 | - | 2123.5 m | ±8.0 m",
        "hut.tif": "exif | 46.7209278,-9.4279167 | - | 2123.5 m | ±8.0 m",
        "hut.png": "exif | 46.7209278,-9.4279167 | - | 2123.5 m | ±8.0 m",
        "hut.webp": "exif | 46.7209278,-9.4279167 | - | 2123.5 m | ±8.0 m",
        "hut.heic": "exif | 46.7209278,-9.4279167 | - | 2123.5 m | ±8.0 m",
        "hut.avif": "exif | 46.7209278,-9.4279167 | - | 2123.5 m | ±8.0 m",
        "dead-sea.jpg": "exif | 31.5583333,35.4733333 | - | -430.0 m",
        "card.vcf": "vCard | 37.7955,-122.3937 | Ferry Building",
        "event.ics": "iCalendar | - | - | query: Opera House, Sydney",
        "point.geojson": "geometry | 52.5,13.4 | -",
        "cp1252.gpx": "gpx | 59.91,10.75 | Hütte “Süd” 5€",
        "cp1251.gpx": "gpx | 59.91,10.75 | Хижа «Рай»",
        "gbk.gpx": "gpx | 59.91,10.75 | 长城饭店",
        "sjis.gpx": "gpx | 59.91,10.75 | 東京タワー",
        "koi8.gpx": "gpx | 59.91,10.75 | x",
        "mixed.gpx": "gpx | 59.91,10.75 | Hütte – Süd",
        "undeclared.gpx": "gpx | 59.91,10.75 | é Hütte",
        "spaced.gpx": "gpx | 59.91,10.75 | Hut",
        "comma.gpx": "gpx | 59.91,10.75 | Hut",
        "entities.kml": "kml | 59.91,10.75 | Café “Zur Post” & &unknown;",
        "model.kml": "kml | 59.91,10.75 | Tower",
        "folder.kmz": "kml | 52.5163,13.3777 | Brandenburger Tor",
        "backup.kmz": "kml | 59.91,10.75 | Hut",
        "windows.kmz": "kml | 59.91,10.75 | Hut",
        "latin1.vcf": "vCard | - | Max Muster | query: Sternstraße 10, München, 80331",
        "cp1252.vcf": "vCard | - | Max Muster | query: Sternstraße 10, München, 80331",
        "unnamed.vcf": "vCard | - | Max Muster | query: Sternstraße 10, München, 80331",
        "raw.vcf": "vCard | - | Max Muster | query: Sternstraße 10, München, 80331",
        "utf16.vcf": "vCard | - | Max Muster | query: Sternstraße 10, München, 80331",
        "folded.vcf": "vCard | - | Max Muster | query: Sternstraße 10, München, 80331",
        "label.vcf": "vCard | - | Max Muster | query: Sternstraße 10, 80331 München",
        "label4.vcf": "vCard | - | Max Muster | query: Sternstraße 10, 80331 München",
        "cp1251.vcf": "vCard | - | Max Muster | query: улица Мира 1, София",
        "escaped.vcf": "vCard | 59.91,10.75 | Max Muster",
        "semicolon.vcf": "vCard | 59.91,10.75 | Max Muster",
        "comment.html": "markup | 59.91,10.75 | Hütte",
        "page.xhtml": "markup | 59.91,10.75 | Hütte",
        "map-link.html": "markup | 59.91,10.75 | Hütte",
        "bare.htm": "markup | 59.91,10.75 | Hütte",
        "invitation.txt": "organicMaps | 47.3859303,8.5766597 | Zoo",
    ]

    static let failures: [String: (PlaceError.Code, String)] = [
        "nothing.gpx": (.noPosition, "nothing.gpx has no position; give a GPX file with a waypoint"),
        "none.jpg": (.noPosition, "none.jpg has no position; give another photo"),
        "none.png": (.noPosition, "none.png has no position"),
        "nothing.kmz": (.unknownFormat, "nothing.kmz is an archive without a KML file"),
        "broken.gpx": (.malformed, "broken.gpx is broken in line 3 (mismatched tag)"),
        "bomb.gpx": (.malformed, "bomb.gpx has a document type declaration"),
        "picture.kml": (.unknownFormat, "picture.kml is XML of another kind (“svg”)"),
        "link.kml": (.needsNetwork, "link.kml only links to a document on the network"),
        "local-link.kml": (.noPosition, "local-link.kml only links to the file “files/hut.kml”; give that file"),
        "loop.kmz": (.noPosition, "loop.kmz only links to the file “a/b.kml”"),
        "escape.kmz": (.noPosition, "escape.kmz only links to the file “../../etc/hut.kml”"),
        "tokyo.jpg": (.unsupportedDatum, "tokyo.jpg has a position in the reference system TOKYO"),
    ]

    @Test("A file yields the same place from disk and from memory", arguments: places.keys.sorted())
    func place(name: String) throws {
        let expected = try #require(Self.places[name])
        #expect(try summary(PlaceFileReader().place(in: FileBytes(path: TestFile.path(name)))) == expected)
        #expect(try summary(PlaceFileReader().place(in: FileBytes(TestFile.bytes(name), named: name))) == expected)
    }

    @Test("A file without a place is refused by name with advice", arguments: failures.keys.sorted())
    func failure(name: String) throws {
        let (code, words) = try #require(Self.failures[name])
        let error = #expect(throws: PlaceError.self) {
            try PlaceFileReader().place(in: FileBytes(TestFile.bytes(name), named: name))
        }
        #expect(error?.code == code)
        #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
    }

    @Test("Every test file has an expectation")
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: TestFile.folder)
        #expect(Set(files) == Set(Self.places.keys).union(Self.failures.keys))
    }
}
