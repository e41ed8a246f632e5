import Geocoding
import HunchModel
import TestSupport
import Testing

@Suite("Seen places") struct SeenPlaceTests {
    private func item(_ name: String?, _ latitude: Double?, city: String? = nil) throws -> MapItem {
        MapItem(
            name: name, coordinate: try latitude.map { try Coordinate(latitude: $0, longitude: -122.39) },
            address: city.map { PostalAddress(city: $0) })
    }

    private func known(_ name: String, _ latitude: Double, _ confidence: Double) throws -> GeocodingCandidate {
        GeocodingCandidate(
            item: try item(name, latitude), kind: .city, confidence: confidence, match: .ownName, matched: [name])
    }

    private func names(
        _ text: String, _ seen: [MapItem], _ known: [GeocodingCandidate] = [], limit: Int = 10
    ) -> [String?] {
        SeenPlaces(seen).candidates(for: GeocodingQuery(text, limit: limit), before: known).map(\.item.name)
    }

    @Test("All words are searched in the name and the address")
    func words() throws {
        let seen = [
            try item("Café Zürich", 47.37, city: "Barcelona"), try item("Yank Sing", 37.79, city: "San Francisco"),
            try item("Nowhere", nil), try item(nil, 12, city: "Nameless"),
        ]
        #expect(names("cafe zurich", seen) == ["Café Zürich"])
        #expect(names("ZÜR", seen) == ["Café Zürich"])
        #expect(names("zurich barcelona", seen) == ["Café Zürich"])
        #expect(names("yank sing, San Fran", seen) == ["Yank Sing"])
        #expect(names("yank sing, Oakland", seen) == [])
        #expect(names("San Francisco", seen) == [])
        #expect(names("cafe zur barcelona", seen) == [])
        #expect(names("Nowhere", seen) == [])
        #expect(names("Nameless", seen) == [])
        #expect(names("!?", seen) == [])
    }

    @Test("A place with only an address is found by its name")
    func onlyAddress() throws {
        let seen = [
            try item("Yank Sing", nil, city: "San Francisco"), try item("Yank Sing", nil, city: "San Francisco"),
        ]
        let found = SeenPlaces(seen).candidates(for: GeocodingQuery("yank sing"), before: [])
        #expect(found.map(\.item) == [seen[0]])
        #expect(found.map(\.match) == [.ownName])
    }

    @Test("Unfinished words and parts of a name match partially", arguments: ["yank si", "sing", "YANK"])
    func parts(text: String) throws {
        let found = SeenPlaces([try item("Yank Sing", 37.79)]).candidates(for: GeocodingQuery(text), before: [])
        #expect(found.map(\.match) == [.partial])
    }

    @Test("Seen places come first, the latest before the others")
    func order() throws {
        let others = [try known("Sing", 1, 0.6), try known("Yank Sing", 37.79, 0.4)]
        let seen = [try item("Yank Sing", 37.79), try item("Yank Sing", 40), try item("Sing Sing Bar", 2)]
        let found = SeenPlaces(seen).candidates(for: GeocodingQuery("sing"), before: others)
        #expect(found.map(\.item.name) == ["Yank Sing", "Yank Sing", "Sing Sing Bar", "Sing"])
        #expect(found.map(\.kind) == [.seen, .seen, .seen, .city])
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.confidence > 0 && $1.confidence > 0 })
        #expect(abs(found.reduce(0) { $0 + $1.confidence } - 0.76) < 1e-9)
        let exact = SeenPlaces([seen[0]]).candidates(for: GeocodingQuery("yank sing"), before: others)
        #expect(exact.map(\.confidence) == [0.8, 0.6 * (1 - 0.8)])
        #expect(names("sing", seen, others, limit: 2).count == 2)
    }
}
