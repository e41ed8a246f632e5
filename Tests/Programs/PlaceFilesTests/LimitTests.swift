import Coordinates
import HunchModel
import MapLinks
import PlaceFiles
import Testing

@Suite("Place file limits", .timeLimit(.minutes(15))) struct LimitTests {
    @Test("Elements nested more than 64 deep are refused")
    func depth() {
        func document(_ depth: Int) -> String {
            "<gpx>" + String(repeating: "<x>", count: depth) + String(repeating: "</x>", count: depth)
                + #"<wpt lat="1" lon="2"/></gpx>"#
        }
        #expect(failure(document(63)) == nil)
        #expect(failure(document(64)) == .malformed)
        #expect(failure(document(100_000)) == .malformed)
    }

    @Test("A name is cut to 1,024 bytes at a character boundary")
    func name() throws {
        let name = String(repeating: "Å", count: 600)
        let place = try outcome(Array(#"<gpx><wpt lat="1" lon="2"><name>x\#(name)</name></wpt></gpx>"#.utf8)).get()
        #expect(place.item.name == "x" + String(repeating: "Å", count: 511))
    }

    @Test("Only places in the first 16 MiB of XML are found")
    func length() {
        let filler = String(repeating: "<!-- nothing to be found in this comment -->\n", count: 400_000)
        let point = #"<wpt lat="1" lon="2"/>"#
        #expect(failure("<gpx>\(filler)\(point)</gpx>") == .tooLong)
        #expect(failure("<gpx>\(point)\(filler)</gpx>") == nil)
    }

    @Test("A token of several megabytes is read in bounded time")
    func longToken() {
        #expect(failure(#"<gpx a=""# + String(repeating: "x", count: 15 << 20)) == .malformed)
    }

    @Test("Text is limited to 1 MiB; a long line yields its first point")
    func geometry() throws {
        #expect(failure(String(repeating: "a", count: 1 << 20 + 1)) == .tooLong)
        let line = String(repeating: "13.4,52.5,0 ", count: 100_000)
        let way = "<kml><Placemark><LineString><coordinates>\(line)</coordinates></LineString></Placemark></kml>"
        #expect(try summary(outcome(Array(way.utf8)).get()) == "kml | 52.5,13.4 | -")
        let area = "<kml><Placemark><Polygon><LinearRing><coordinates>\(line)</coordinates></LinearRing></Polygon>"
        #expect(failure(area + "</Placemark></kml>") == .noPosition)
    }

    @Test(
        "Points with coordinates out of range are skipped",
        arguments: [
            (#"<wpt lat="91" lon="0"/>"#, PlaceError.Code.badCoordinate), (#"<wpt lat="1"/>"#, .badCoordinate),
            (#"<wpt lat="nan" lon="0"/>"#, .badCoordinate), (#"<wpt lat="0x1" lon="0"/>"#, .badCoordinate),
            (#"<wpt lat="1e999" lon="0"/>"#, .badCoordinate), (#"<wpt lat="1" lon="180.5"/>"#, .badCoordinate),
            ("<rte/><trk><trkseg/></trk>", .noPosition),
        ])
    func points(content: String, code: PlaceError.Code) throws {
        #expect(failure("<gpx>\(content)</gpx>") == code)
        #expect(failure(#"<gpx>\#(content)<trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>"#) == nil)
    }

    @Test(
        "Geometries in KML with coordinates out of range are refused",
        arguments: [
            "<Point><coordinates>180.5,1</coordinates></Point>", "<Point><coordinates>1,91</coordinates></Point>",
            "<LineString><coordinates>-181,1 2,3</coordinates></LineString>",
            "<Polygon><LinearRing><coordinates>179,1 181,1 181,2</coordinates></LinearRing></Polygon>",
        ])
    func geometries(geometry: String) {
        #expect(failure("<kml><Placemark>\(geometry)</Placemark></kml>") == .badCoordinate)
        #expect(failure("<kml><Placemark><Point><coordinates/></Point></Placemark></kml>") == .noPosition)
    }

    @Test("A waypoint is preferred to a route, and a route to a track")
    func order() throws {
        let track = #"<trk><trkseg><trkpt lat="1" lon="1"/><trkpt lat="2" lon="2"/></trkseg></trk>"#
        let route = #"<rte><rtept lat="3" lon="3"><name>A</name></rtept><rtept lat="4" lon="4"/></rte>"#
        let waypoint = #"<wpt lat="5" lon="5"><name>Hut</name></wpt><wpt lat="6" lon="6"/>"#
        func place(_ content: String) throws -> String {
            try summary(outcome(Array("<gpx>\(content)</gpx>".utf8)).get())
        }
        #expect(try place(track + route + waypoint) == "gpx | 5.0,5.0 | Hut")
        #expect(try place(track + waypoint) == "gpx | 5.0,5.0 | Hut")
        #expect(try place(track + route) == "gpx | 4.0,4.0 | - | from: 3.0,3.0 A")
        #expect(try place(route + route.replacing("\"4\"", with: "\"7\"")) == "gpx | 4.0,4.0 | - | from: 3.0,3.0 A")
        #expect(try place(track + track.replacing("\"1\"", with: "\"8\"")) == "gpx | 1.0,1.0 | -")
    }

    @Test("A truncated recording yields the place before the fault")
    func cutOff() throws {
        let document = #"<gpx><trk><trkseg><trkpt lat="1" lon="2"/><trkpt lat="1"#
        #expect(try summary(outcome(Array(document.utf8)).get()) == "gpx | 1.0,2.0 | -")
    }
}
