@testable import GazetteerImport
import Geocoding
import HunchModel
import Gazetteers
import MapLinks
import Places
import TestSupport
import Testing

@Suite("Address search: streets, houses, postcodes, typing errors") struct AddressSearchTests {
    private func withStreets(_ body: (Gazetteer) throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            _ = try file.importSource(GazetteerFixture.source("towns"), read: GazetteerFixture.fill)
            _ = try file.importSource(GazetteerFixture.source("streets"), read: Self.fill)
            try body(Gazetteer(file))
        }
    }

    private static func fill(_ writer: GazetteerWriter) throws {
        let germany = try writer.add(
            GazetteerArea(name: "Germany", aliases: ["DE", "Deutschland"], countryCode: "DE", isCountry: true))
        let us = try writer.add(
            GazetteerArea(name: "United States", aliases: ["US", "USA"], countryCode: "US", isCountry: true))
        let illinois = try writer.add(
            GazetteerArea(name: "Illinois", aliases: ["IL"], countryCode: "US", isCountry: false), in: us)
        func house(
            _ number: String?, _ street: String, _ city: String?, _ code: String?, _ latitude: Double,
            _ longitude: Double,
            _ area: GazetteerArea.ID?
        ) throws {
            try writer.add(
                GazetteerHouse(
                    number: number, street: street, city: city, postalCode: code,
                    coordinate: Coordinate(latitude: latitude, longitude: longitude), area: area))
        }
        try house("5", "Leopoldstraße", "München", "80802", 48.159, 11.585, germany)
        try house("7a", "Leopoldstraße", "München", "80802", 48.160, 11.586, germany)
        try house("10-14", "Leopoldstraße", "München", "80802", 48.161, 11.587, germany)
        try house("5", "Leopoldstraße", "Berlin", "10317", 52.50, 13.48, germany)
        try house("742", "Evergreen Terrace", "Springfield", "62704", 39.78, -89.65, illinois)
        // As OpenStreetMap often has it: a street and nothing else.
        try house("3", "Uferweg", nil, nil, 48.17, 11.60, nil)
        try house("3", "Uferweg", nil, nil, 53.5, 9.9, nil)
        try house(nil, "Am Graben", nil, nil, 48.15, 11.57, nil)
        try writer.add(
            GazetteerPlace(
                name: "Café Luitpold", kind: .spot, coordinate: Coordinate(latitude: 48.1424, longitude: 11.5744),
                importance: 0.12, area: germany, street: "11 Brienner Straße", city: "München", postalCode: "80333"))
    }

    @Test(
        "Addresses are found",
        arguments: [
            ("Leopoldstraße 5, 80802 München", "Leopoldstraße 5 | 48.159"),
            ("leopoldstr. 5 munchen", "Leopoldstraße 5 | 48.159"),
            ("München Leopoldstraße 5", "Leopoldstraße 5 | 48.159"),
            ("5 Leopoldstrasse, Muenchen, Deutschland", "Leopoldstraße 5 | 48.159"),
            ("Leopoldstraße 5, Berlin", "Leopoldstraße 5 | 52.5"), ("Leopoldstraße 5, 10317", "Leopoldstraße 5 | 52.5"),
            ("Leopoldstraße 7a München", "Leopoldstraße 7a | 48.16"),
            ("Leopoldstraße 7 A München", "Leopoldstraße 7a | 48.16"),
            ("Leopoldstraße 12, München", "Leopoldstraße 10-14 | 48.161"),
            ("Leopoldstraße 99, München", "Leopoldstraße | 48.16"),
            ("Leopoldstraße München", "Leopoldstraße | 48.16"),
            ("Leopoltstrasse 5, München", "Leopoldstraße 5 | 48.159"),
            ("Leopoldstraße 5, 80999 München", "Leopoldstraße 5 | 48.159"),
            ("742 Evergreen Terrace, Springfield, IL 62704", "742 Evergreen Terrace | 39.78"),
            ("742 evergreen ter springfield illinois usa", "742 Evergreen Terrace | 39.78"),
            ("742 Evergren Terrace Springfield", "742 Evergreen Terrace | 39.78"),
            ("Uferweg 3, München", "Uferweg 3 | 48.17"), ("Munich Uferweg 3", "Uferweg 3 | 48.17"),
            ("Am Graben, Munich", "Am Graben | 48.15"), ("80802", "80802 | 48.16"),
            ("62704 Springfield", "62704 | 39.78"),
            ("Café Luitpold", "Café Luitpold | 48.1424"), ("cafe luitpold münchen", "Café Luitpold | 48.1424"),
            ("Luitpold Brienner Straße", "Café Luitpold | 48.1424"), ("München", "Munich | 48.14"),
            ("Munchn", "Munich | 48.14"),
            ("Sprngfield Illinois", "Springfield | 39.8"), ("Springfield, Ilinois", "Springfield | 39.8"),
            ("NewYork", "New York | 40.71"), ("Zur ich", "Zürich | 47.38"),
            // Words that mark a number, parts of a house, and words before an address.
            ("Leopoldstraße Nr. 5, München", "Leopoldstraße 5 | 48.159"),
            ("Leopoldstr., n. 5, 80802 München", "Leopoldstraße 5 | 48.159"),
            ("München, Leopoldstr. Nº 7a", "Leopoldstraße 7a | 48.16"),
            ("Leopoldstraße 5 Top 12, 80802 München", "Leopoldstraße 5 | 48.159"),
            ("742 Evergreen Terrace Suite 200, Springfield, IL", "742 Evergreen Terrace | 39.78"),
            ("Flat 3, 742 Evergreen Terrace, Springfield", "742 Evergreen Terrace | 39.78"),
            ("Uferweg Nr. 3, München", "Uferweg 3 | 48.17"),
            ("c/o Schmidt, Leopoldstraße 5, 80802 München", "Leopoldstraße 5 | 48.159"),
            ("Zum Ochsen, Leopoldstraße 5, München", "Leopoldstraße 5 | 48.159"),
            // States, regions and quarters that no source has.
            ("Leopoldstraße 5, 80802 München, Bayern", "Leopoldstraße 5 | 48.159"),
            ("Leopoldstr. 5, 80802 München, Bayern, Deutschland", "Leopoldstraße 5 | 48.159"),
            ("Leopoldstraße 5, Schwabing, München", "Leopoldstraße 5 | 48.159"),
            ("Leopoldstr. 5 Berlin Lichtenberg", "Leopoldstraße 5 | 52.5"),
            ("742 Evergreen Ter, Springfield, Sangamon 62704", "742 Evergreen Terrace | 39.78"),
            ("Uferweg 3, München, Oberbayern", "Uferweg 3 | 48.17"), ("München, Oberbayern", "Munich | 48.14"),
            // A state that other sources have, behind a town whose source has none; not behind one that is elsewhere.
            ("Suva, Texas", "Suva | -18.14"), ("Springfield, Texas", "- | -"), ("Munich, Texas", "- | -"),
            ("742 Evergreen Terrace, Springfield, Texas", "- | -"), ("Munich, France", "- | -"),
            ("München, Oberbayern, France", "- | -"),
            // An unknown word that does not qualify a town decides what is meant.
            ("Leopoldstraße 5, Atlantis", "- | -"), ("Atlantis, Lemuria", "- | -"), ("Oberbayern", "- | -"),
            ("München Oberbayern", "- | -"),
        ])
    func finds(text: String, expected: String) async throws {
        try await withStreets { gazetteer throws in
            let first = try gazetteer.candidates(for: GeocodingQuery(text)).first
            let latitude = first?.item.coordinate.map { "\(($0.latitude * 10_000).rounded() / 10_000)" } ?? "-"
            #expect("\(first?.item.name ?? "-") | \(latitude)" == expected)
        }
    }

    @Test("An address reports its parts, matched words and confidence")
    func tells() async throws {
        try await withStreets { gazetteer throws in
            let house = try #require(
                try gazetteer.candidates(for: GeocodingQuery("Leopoldstr. 5, 80802 München, DE")).first)
            #expect(house.kind == .house)
            #expect(
                house.item.address
                    == PostalAddress(
                        street: "Leopoldstraße 5", city: "München", postalCode: "80802", country: "Germany",
                        countryCode: "DE"))
            #expect(house.matched == ["Leopoldstraße", "5", "80802", "München", "DE"])
            #expect(house.confidence > 0.9)
            let street = try #require(try gazetteer.candidates(for: GeocodingQuery("Leopoldstraße 99, München")).first)
            #expect(street.kind == .street && street.confidence <= 0.6)
            let quarter = try #require(
                try gazetteer.candidates(for: GeocodingQuery("Leopoldstr. 5, 80802 München, Schwabing")).first)
            #expect(quarter.confidence < house.confidence && quarter.confidence > 0.6)
            let both = try gazetteer.candidates(for: GeocodingQuery("Leopoldstraße 5"))
            #expect(both.count == 2 && both.allSatisfy { $0.confidence < 0.7 })
            let mistyped = try #require(
                try gazetteer.candidates(for: GeocodingQuery("Leopoltstrasse 5, München")).first)
            #expect(mistyped.confidence < house.confidence)
            let american = try #require(try gazetteer.candidates(for: GeocodingQuery("742 Evergreen Terrace")).first)
            #expect(
                american.item.address?.street == "742 Evergreen Terrace" && american.item.address?.state == "Illinois")
        }
    }

    @Test("A coordinate is named by house, street or town, as requested")
    func reverse() async throws {
        try await withStreets { gazetteer throws in
            let position = try Coordinate(latitude: 48.1591, longitude: 11.5851)
            let house = try #require(try gazetteer.places(near: position, limit: 1).first)
            #expect(
                house.kind == .house && house.item.address?.street == "Leopoldstraße 5" && (house.distance ?? 99) < 20)
            #expect(
                try gazetteer.places(near: position, level: .address, limit: 9).allSatisfy {
                    [.house, .street].contains($0.kind)
                })
            #expect(try gazetteer.places(near: position, level: .place, limit: 1).first?.item.name == "München")
            let sea = try Coordinate(latitude: 0, longitude: -30)
            #expect(try gazetteer.places(near: sea, level: .address, limit: 5).isEmpty)
            #expect(try gazetteer.places(near: sea, limit: 1).count == 1)
        }
    }

    @Test(
        "A typed coordinate is certain and named by the place there",
        arguments: [
            ("48.1591, 11.5851", "Leopoldstraße 5"), ("geo:48.1591,11.5851", "Leopoldstraße 5"),
            ("48°09'32.76\"N 11°35'06.36\"E", "Leopoldstraße 5"), ("POINT(11.5851 48.1591)", "Leopoldstraße 5"),
            ("48.2, 11.62", "München"), ("0.5, -30", "0.5, -30"),
        ])
    func position(text: String, name: String) async throws {
        try await withStreets { gazetteer throws in
            let query = GeocodingQuery(text)
            try query.check()
            let found = try gazetteer.candidates(for: query)
            let candidate = try #require(found.first)
            let position = try #require(PlaceParser().parse(text).item.coordinate)
            #expect(found.count == 1 && candidate.item.name == name && candidate.item.coordinate == position)
            #expect(candidate.confidence == 1)
        }
    }

    @Test("A coordinate out of range is refused with the reason")
    func noPosition() async throws {
        try await withStreets { gazetteer throws in
            let error = #expect(throws: GeocoderError.self) {
                try gazetteer.candidates(for: GeocodingQuery("95.0, 13.0"))
            }
            #expect(error?.code == .notAPlace && error?.message.contains("latitude") == true)
        }
    }

    @Test("Removing a source removes its streets and houses")
    func removal() async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            _ = try file.importSource(GazetteerFixture.source("towns"), read: GazetteerFixture.fill)
            let streets = try file.importSource(GazetteerFixture.source("streets"), read: Self.fill)
            #expect(streets.houseCount == 7)
            #expect(try file.removeSource(named: "streets"))
            let gazetteer = try Gazetteer(file)
            #expect(try gazetteer.candidates(for: GeocodingQuery("Leopoldstraße 5")).isEmpty)
            #expect(
                try gazetteer.places(near: Coordinate(latitude: 48.159, longitude: 11.585), level: .address, limit: 5)
                    .isEmpty)
            #expect(try gazetteer.candidates(for: GeocodingQuery("Munich")).count == 2)
        }
    }
}
