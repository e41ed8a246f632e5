import BulkFiles
import FoundationEssentials
import GazetteerImport
import Geocoding
import HunchModel
import Gazetteers
import TestSupport
import Testing

@Suite("Import of OpenStreetMap data") struct OpenStreetMapTests {
    private static let objects: [(tags: String, geometry: String)] = [
        (
            #""place":"city","name":"München","name:en":"Munich","name:etymology":"monks","population":"1512491","wikidata":"Q1726""#,
            #"{"type":"Point","coordinates":[11.5753,48.1371]}"#
        ),
        (
            #""place":"village","name":"Forst \"West\"","name:ja":"\u30d5\u30a9""#,
            #"{"type":"Point","coordinates":[11,48.5]}"#
        ),
        (
            #""highway":"residential","name":"Uferweg""#,
            #"{"type":"LineString","coordinates":[[11.60,48.17],[11.61,48.18],[11.62,48.19]]}"#
        ),
        (
            #""building":"yes","addr:street":"Uferweg","addr:housenumber":"3;5","addr:city":"München","addr:postcode":"80999","addr:country":"DE""#,
            #"{"type":"MultiPolygon","coordinates":[[[[11.6,48.17],[11.602,48.17],[11.602,48.172],[11.6,48.172],[11.6,48.17]]]]}"#
        ),
        (
            #""amenity":"restaurant","name":"Zum Löwen","addr:street":"Uferweg","addr:housenumber":"9","addr:city":"München""#,
            #"{"type":"Point","coordinates":[11.603,48.173]}"#
        ),
        (#""addr:place":"Einöd","addr:housenumber":"1""#, #"{"type":"Point","coordinates":[11.9,48.4]}"#),
        (#""amenity":"bench""#, #"{"type":"Point","coordinates":[11.9,48.4]}"#),
    ]

    private static func sequence(separator: String) -> String {
        objects.map { "\(separator){\"type\":\"Feature\",\"geometry\":\($0.geometry),\"properties\":{\($0.tags)}}\n" }
            .joined()
    }

    private func check(_ fixture: ImportFixture, _ outcome: GazetteerImport.Outcome) throws {
        #expect(outcome.skipped == 0)
        #expect(outcome.source.name == "openstreetmap-bayern")
        #expect(
            outcome.source.licence == "ODbL 1.0" && outcome.source.attribution.contains("OpenStreetMap contributors"))
        #expect(outcome.source.houseCount == 4)
        let gazetteer = try Gazetteer(fixture.file)
        func first(_ text: String) throws -> GeocodingCandidate? {
            try gazetteer.candidates(for: GeocodingQuery(text)).first
        }
        #expect(try first("Munich")?.item.name == "München")
        #expect(try first("Forst West")?.kind == .city)
        #expect(try first("フォ")?.item.name == "Forst \"West\"")
        #expect(try gazetteer.candidates(for: GeocodingQuery("monks")).isEmpty)
        let house = try #require(try first("Uferweg 5, München"))
        #expect(
            house.kind == .house && house.item.address?.postalCode == "80999"
                && house.item.address?.country == "Germany")
        #expect(abs((house.item.coordinate?.latitude ?? 0) - 48.171) < 1e-4)
        let restaurant = try #require(try first("zum loewen"))
        #expect(restaurant.item.address?.street == "Uferweg 9" && restaurant.item.address?.city == "München")
        #expect(try first("Einöd 1")?.kind == .house)
        let street = try gazetteer.places(
            near: Coordinate(latitude: 48.1801, longitude: 11.61), level: .address, limit: 1)
        #expect(street.first?.item.name == "Uferweg" && street.first?.kind == .street)
    }

    @Test("Text sequences import with and without record separators", arguments: ["\u{1E}", ""])
    func readsSequences(separator: String) async throws {
        try await withTemporaryDirectory { directory in
            let fixture = ImportFixture(directory)
            try check(fixture, fixture.add(Self.sequence(separator: separator), as: "bayern.geojsonseq"))
        }
    }

    @Test("An .osm.pbf file imports through osmium")
    func readsProtocolBuffers() async throws {
        try await withTemporaryDirectory { directory in
            let file = try directory.write(
                """
                <?xml version="1.0"?><osm version="0.6">
                <node id="1" version="1" lat="48.1371" lon="11.5753"><tag k="place" v="city"/><tag k="name" v="München"/>
                <tag k="name:en" v="Munich"/><tag k="population" v="1512491"/></node>
                <node id="2" version="1" lat="48.171" lon="11.601"><tag k="addr:street" v="Uferweg"/>
                <tag k="addr:housenumber" v="3"/><tag k="addr:city" v="München"/></node>
                <node id="3" version="1" lat="48.17" lon="11.60"/><node id="4" version="1" lat="48.19" lon="11.62"/>
                <node id="6" version="1" lat="48" lon="11"><tag k="barrier" v="gate"/></node>
                <way id="5" version="1"><nd ref="3"/><nd ref="4"/><tag k="highway" v="service"/><tag k="name" v="Am Graben"/></way></osm>
                """, to: "bayern.osm")
            let made = try await run(
                "osmium", ["cat", file, "-o", directory.file("bayern.osm.pbf")], environment: [:])
            #expect(made.status == .exited(0), "\(made.standardError)")
            let fixture = ImportFixture(directory)
            let outcome = try GazetteerImport(into: fixture.file).importFile(
                at: directory.file("bayern.osm.pbf"), date: ImportFixture.date)
            #expect(
                outcome.source.name == "openstreetmap-bayern" && outcome.source.houseCount == 1 && outcome.skipped == 0)
            #expect(try fixture.found("Uferweg 3, Munich").first == "Uferweg 3 | - | - | house")
            #expect(try fixture.found("Am Graben Munich").first == "Am Graben | - | - | street")

            let damaged = try directory.write(
                Array(try Data(contentsOf: URL(filePath: directory.file("bayern.osm.pbf"))).prefix(150)),
                to: "damaged.osm.pbf")
            let error = #expect(throws: ImportError.self) {
                try GazetteerImport(into: fixture.file).importFile(at: damaged, date: ImportFixture.date)
            }
            #expect(error?.code == .malformed && error?.message.contains("osmium") == true)
            let missing = #expect(throws: ImportError.self) {
                try GazetteerImport(into: fixture.file, environment: ["PATH": directory.path]).importFile(
                    at: directory.file("bayern.osm.pbf"), date: ImportFixture.date)
            }
            #expect(missing?.code == .missingProgram && missing?.message.contains("osmium-tool") == true)
            #expect(try fixture.found("Munich").count > 0)
        }
    }

    @Test("Broken features are counted and skipped")
    func brokenFeatures() async throws {
        try await withTemporaryDirectory { directory in
            let good = Self.sequence(separator: "\u{1E}").split(separator: "\n").map(String.init)
            let deep = String(repeating: "[", count: 90) + String(repeating: "]", count: 90)
            let broken = [
                String(good[0].dropLast(9)), "{}", "[]", "nonsense",
                #"{"type":"Feature","geometry":null,"properties":{"name":"x"}}"#,
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,95]},"properties":{"place":"city","name":"x"}}"#,
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":["a"]},"properties":{}}"#,
                "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Polygon\",\"coordinates\":\(deep)},\"properties\":{}}",
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"\ud800"}}"#,
                #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"name":"a}}"#,
                good[0] + "x",
            ]
            let outcome = try ImportFixture(directory).add((good + broken).joined(separator: "\n"), as: "b.geojsonseq")
            #expect(outcome.skipped == broken.count)
            let whole = #expect(throws: ImportError.self) {
                try ImportFixture(directory).add(#"{"type":"FeatureCollection","features":[]}"#, as: "c.geojson")
            }
            #expect(whole?.code == .unknownFormat && whole?.message.contains("geojsonseq") == true)
        }
    }
}
