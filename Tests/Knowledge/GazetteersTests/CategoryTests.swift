@testable import GazetteerImport
import Directions
import Gazetteers
import HunchModel
import TestSupport
import Testing

@testable import Geocoding
@testable import JourneyWords

/// Common nouns of places: the nearest one is meant, never a town of that name.
@Suite("Categories of places") struct CategoryTests {
    private static let alexanderplatz = try? Coordinate(latitude: 52.5219, longitude: 13.4132)

    private func withGazetteer(_ body: (Gazetteer) throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            func place(
                _ name: String, _ kind: PlaceKind, _ latitude: Double, _ longitude: Double, _ importance: Double,
                _ category: String? = nil
            ) throws -> GazetteerPlace {
                GazetteerPlace(
                    name: name, kind: kind, coordinate: try Coordinate(latitude: latitude, longitude: longitude),
                    importance: importance, category: category.map(PlaceCategory.init(code:)))
            }
            let places = [
                try place("Berlin", .city, 52.5170, 13.3889, 0.8), try place("Potsdam", .city, 52.3989, 13.0657, 0.6),
                try place("Kino International", .spot, 52.5205, 13.4229, 0.12, "cinema"),
                try place("Filmtheater am Friedrichshain", .spot, 52.5280, 13.4370, 0.12, "cinema"),
                try place("Thalia", .spot, 52.3935, 13.0930, 0.12, "cinema"),
                try place("Löwen-Apotheke", .spot, 52.4000, 13.0580, 0.1, "pharmacy"),
                try place("Airport", .city, 21.34, -157.93, 0.5), try place("Zoo", .city, 52.3837, 9.7717, 0.4),
                try place("Home", .city, 47.2748, -122.7638, 0.4), try place("Cinema", .city, 7.8, -3.4, 0.5),
                try place("Berlin Brandenburg", .airport, 52.3667, 13.5033, 0.42, "airport"),
                try place("Flugplatz Bienenfarm", .airport, 52.6619, 12.7456, 0.3, "airport"),
                try place("Flugplatz Strausberg", .airport, 52.5800, 13.9160, 0.3, "airport"),
                try place("Zoologischer Garten", .spot, 52.5080, 13.3380, 0.14, "zoo"),
                try place("Alexanderplatz", .spot, 52.5217, 13.4110, 0.2, "station"),
                try place("Berlin Hauptbahnhof", .spot, 52.5251, 13.3694, 0.2, "station"),
                try place("Werder", .city, 52.3790, 12.9340, 0.5),
                try place("Zoo Hotel", .spot, 52.5050, 13.3300, 0.12, "hotel"),
            ]
            _ = try file.importSource(GazetteerFixture.source("c")) { for place in places { try $0.add(place) } }
            try body(try Gazetteer(file))
        }
    }

    @Test(
        "With a position, the nearest is certain",
        arguments: [
            ("cinema", "Kino International"), ("Kino", "Kino International"),
            ("the nearest cinema", "Kino International"),
            ("nächstes Kino", "Kino International"), ("cinéma", "Kino International"), ("映画館", "Kino International"),
            ("cinema near me", "Kino International"), ("airport", "Berlin Brandenburg"),
            ("Flughafen", "Berlin Brandenburg"),
            ("Zoo", "Zoologischer Garten"), ("cinema in Potsdam", "Thalia"), ("Apotheke Potsdam", "Löwen-Apotheke"),
            ("Hauptbahnhof", "Berlin Hauptbahnhof"), ("Hauptbahnhof Berlin", "Berlin Hauptbahnhof"),
            ("Hbf", "Berlin Hauptbahnhof"), ("Bahnhof", "Alexanderplatz"), ("Potsdam Kino", "Thalia"),
            ("pharmacy, Potsdam", "Löwen-Apotheke"),
            ("Zoo Hotel", "Zoo Hotel"), ("Berlin", "Berlin"),
        ])
    func nearest(_ text: String, expected: String) async throws {
        try await withGazetteer { gazetteer in
            let query = GeocodingQuery(text, near: Self.alexanderplatz)
            guard case .certain(let place) = GeocodingOutcome(try gazetteer.candidates(for: query)) else {
                Issue.record("“\(text)” is not certain")
                return
            }
            #expect(place.item.name == expected)
        }
    }

    @Test("An airfield is not a candidate if there is an airport with scheduled flights")
    func airfield() async throws {
        try await withGazetteer { gazetteer in
            let found = try gazetteer.candidates(for: GeocodingQuery("airport", near: Self.alexanderplatz))
            #expect(found.map(\.item.name) == ["Berlin Brandenburg"])
        }
    }

    @Test(
        "Without a position, no town of that name is meant",
        arguments: [
            "airport", "Zoo", "cinema", "school", "Apotheke", "Bahnhof", "the beach", "gym", "hospital near me",
        ])
    func nowhere(_ text: String) async throws {
        try await withGazetteer { gazetteer in
            let found = try gazetteer.candidates(for: GeocodingQuery(text))
            #expect(found.isEmpty)
        }
    }

    @Test(
        "A place of another town is asked about",
        arguments: ["cinema in Werder", "Werder Kino", "Flughafen Werder", "Potsdam airport", "Bahnhof Potsdam"])
    func otherTown(_ text: String) async throws {
        try await withGazetteer { gazetteer in
            let query = GeocodingQuery(text, near: Self.alexanderplatz)
            let found = try gazetteer.candidates(for: query)
            #expect(!GeocodingOutcome(found).isCertain)
        }
    }

    @Test("Of two towns, the one with an airport of its name is meant, and a town without one has only guesses")
    func airportOfTown() async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            func place(_ name: String, _ kind: PlaceKind, _ latitude: Double, _ longitude: Double) throws
                -> GazetteerPlace
            {
                GazetteerPlace(
                    name: name, alternates: name == "Frankfurt am Main" ? ["Frankfurt"] : [], kind: kind,
                    coordinate: try Coordinate(latitude: latitude, longitude: longitude),
                    importance: kind == .airport ? 0.7 : 0.6, category: kind == .airport ? .airport : nil)
            }
            let places = [
                try place("Frankfurt (Oder)", .city, 52.35, 14.55), try place("Frankfurt am Main", .city, 50.12, 8.68),
                try place("Tegel", .city, 52.58, 13.29), try place("Berlin Brandenburg Airport", .airport, 52.37, 13.5),
                try place("Frankfurt am Main International Airport", .airport, 50.03, 8.54),
            ]
            _ = try file.importSource(GazetteerFixture.source("c")) { for place in places { try $0.add(place) } }
            let gazetteer = try Gazetteer(file)
            func outcome(_ text: String) throws -> GeocodingOutcome {
                GeocodingOutcome(try gazetteer.candidates(for: GeocodingQuery(text, near: Self.alexanderplatz)))
            }
            for words in ["Frankfurt Flughafen", "airport Frankfurt"] {
                let outcome = try outcome(words)
                #expect(outcome.isCertain && outcome.candidates.first?.item.name?.hasPrefix("Frankfurt") == true)
            }
            let tegel = try outcome("Flughafen Tegel")
            guard case .unresolved = tegel else {
                Issue.record("“Flughafen Tegel” is \(tegel)")
                return
            }
            #expect(tegel.guesses.map(\.item.name) == ["Berlin Brandenburg Airport"])
        }
    }

    @Test("A town of some size with that name is asked about")
    func town() async throws {
        try await withTemporaryDirectory { directory in
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            let stade = GazetteerPlace(
                name: "Stade", kind: .city, coordinate: try Coordinate(latitude: 53.6, longitude: 9.48),
                importance: 0.57)
            let stadium = GazetteerPlace(
                name: "Volksparkstadion", kind: .spot, coordinate: try Coordinate(latitude: 53.587, longitude: 9.898),
                importance: 0.12, category: PlaceCategory(code: "stadium"))
            _ = try file.importSource(GazetteerFixture.source("c")) {
                for place in [stade, stadium] { try $0.add(place) }
            }
            let gazetteer = try Gazetteer(file)
            let alone = GeocodingOutcome(try gazetteer.candidates(for: GeocodingQuery("Stade")))
            guard case .unresolved(let towns) = alone else {
                Issue.record("“Stade” is \(alone)")
                return
            }
            #expect(towns.map(\.item.name) == ["Stade"])
            let hamburg = try Coordinate(latitude: 53.55, longitude: 9.99)
            let near = GeocodingOutcome(try gazetteer.candidates(for: GeocodingQuery("Stade", near: hamburg)))
            guard case .ambiguous(let places) = near else {
                Issue.record("“Stade” in Hamburg is \(near)")
                return
            }
            #expect(Set(places.compactMap(\.item.name)) == ["Stade", "Volksparkstadion"])
        }
    }

    @Test("A place of a category is not found beyond 50 km")
    func far() async throws {
        try await withGazetteer { gazetteer in
            let munich = try Coordinate(latitude: 48.137, longitude: 11.575)
            let found = try gazetteer.candidates(for: GeocodingQuery("cinema", near: munich))
            #expect(found.isEmpty)
        }
    }

    @Test(
        "OpenStreetMap's tags and GeoNames' codes give the category",
        arguments: [
            (["amenity": "pharmacy"], "pharmacy"), (["shop": "supermarket", "name": "Edeka"], "supermarket"),
            (["amenity": "place_of_worship", "religion": "muslim"], "mosque"), (["railway": "station"], "station"),
            (["amenity": "place_of_worship"], nil), (["aeroway": "aerodrome"], "airport"),
            (["highway": "residential"], nil),
        ] as [([String: String], String?)])
    func tags(_ tags: [String: String], expected: String?) {
        #expect(PlaceCategory.category(ofTags: tags)?.code == expected)
    }

    @Test(
        "A request has a category and an area",
        arguments: [
            ("pharmacy", "pharmacy", nil), ("nearest gas station", "fuel", nil),
            ("ein Hotel in der Nähe", "hotel", nil),
            ("cinema in Berlin", "cinema", "Berlin"), ("Supermarkt Torstraße", "supermarket", "Torstraße"),
            ("gare de Lyon", "station", "Lyon"), ("Springfield hospital", "hospital", "Springfield"),
            ("Bäckerei in der Nähe von Ulm", "bakery", "Ulm"), ("Berlin", nil, nil), ("Kinoplex Berlin", nil, nil),
            ("airport to Cleveland", nil, nil), ("Mansfield to the airport", nil, nil),
            ("Flughafen nach Potsdam", nil, nil), ("Potsdam vom Bahnhof", nil, nil),
            ("hotel close to Ulm", "hotel", "Ulm"),
        ] as [(String, String?, String?)])
    func request(_ text: String, category: String?, area: String?) {
        let asked = CategoryRequest(text)
        #expect(asked?.category.code == category)
        #expect(asked?.area == area)
    }

    @Test("A text that may be the name of a hotel is asked about")
    func hotel() async throws {
        try await withGazetteer { gazetteer in
            let outcome = GeocodingOutcome(try gazetteer.candidates(for: GeocodingQuery("Hotel Berlin")))
            #expect(!outcome.isCertain)
        }
    }

    @Test("Words of many languages mean their category; names of cities mean none")
    func table() {
        #expect(PlaceCategory.category(ofFeature: "RSTN")?.code == "station")
        #expect(PlaceCategory.category(ofFeature: "PPL") == nil)
        for word in ["Bahnhof", "gare", "駅", "вокзал", "hbf", "Central Station"] {
            #expect(PlaceCategory.named(WordFolding.words(of: word))?.code == "station", "\(word)")
        }
        for town in ["Porto", "Bar Harbor", "Essen", "Berlin", "Nice", "Split"] {
            #expect(PlaceCategory.named(WordFolding.words(of: town)) == nil, "\(town)")
        }
    }
}
