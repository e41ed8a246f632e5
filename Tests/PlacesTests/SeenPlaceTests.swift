import HunchModel
import Testing

@testable import Places

@Suite("Places that were on the screen come first") struct SeenPlaceMatcherTests {
    private let matcher = SeenPlaceMatcher()

    private func item(_ name: String?, _ latitude: Double?, city: String? = nil) throws -> MapItem {
        MapItem(
            name: name, coordinate: try latitude.map { try Coordinate(latitude: $0, longitude: -122.39) },
            address: city.map { PostalAddress(city: $0) })
    }

    private func known(_ name: String, _ latitude: Double, _ confidence: Double) throws -> GeocodingCandidate {
        GeocodingCandidate(
            item: try item(name, latitude), kind: .city, confidence: confidence, matched: [name])
    }

    private func names(
        _ text: String, _ seen: [MapItem], _ known: [GeocodingCandidate] = [], limit: Int = 10
    ) throws -> [String?] {
        try matcher.candidates(for: GeocodingQuery(text, limit: limit), among: seen) { () throws(GeocoderError) in known
        }
        .map(\.item.name)
    }

    @Test("all words are looked for in name and address, folded, the last one perhaps unfinished")
    func words() throws {
        let seen = [
            try item("Café Zürich", 47.37, city: "Barcelona"), try item("Yank Sing", 37.79, city: "San Francisco"),
            try item("Nowhere", nil), try item(nil, 12, city: "Nameless"),
        ]
        #expect(try names("cafe zurich", seen) == ["Café Zürich"])
        #expect(try names("ZÜR", seen) == ["Café Zürich"])
        #expect(try names("zurich barcelona", seen) == ["Café Zürich"])
        #expect(try names("yank sing, San Fran", seen) == ["Yank Sing"])
        #expect(try names("yank sing, Oakland", seen) == [])
        #expect(try names("San Francisco", seen) == [])
        #expect(try names("cafe zur barcelona", seen) == [])
        #expect(try names("Nowhere", seen) == [])
        #expect(try names("Nameless", seen) == [])
        #expect(try names("!?", seen) == [])
        #expect(try names(String(repeating: "yank ", count: 40), seen) == [])
    }

    @Test("seen places come first, the last first, and what is known otherwise stays, less sure")
    func order() throws {
        let others = [try known("Sing", 1, 0.6), try known("Yank Sing", 37.79, 0.4)]
        let seen = [try item("Yank Sing", 37.79), try item("Yank Sing", 40), try item("Sing Sing Bar", 2)]
        let found = try matcher.candidates(for: GeocodingQuery("sing"), among: seen) { () throws(GeocoderError) in
            others
        }
        #expect(found.map(\.item.name) == ["Yank Sing", "Yank Sing", "Sing Sing Bar", "Sing"])
        #expect(found.map(\.kind) == [.seen, .seen, .seen, .city])
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.confidence > 0 && $1.confidence > 0 })
        #expect(abs(found.reduce(0) { $0 + $1.confidence } - 0.76) < 1e-9)
        let exact = try matcher.candidates(for: GeocodingQuery("yank sing"), among: [seen[0]]) {
            () throws(GeocoderError) in others
        }
        #expect(exact.map(\.confidence) == [0.8, 0.6 * (1 - 0.8)])
        #expect(try names("sing", seen, others, limit: 2).count == 2)
    }

    @Test("a seen place answers without a gazetteer, and other troubles are told")
    func troubles() throws {
        let seen = [try item("Yank Sing", 37.79)]
        func answer(_ text: String, _ code: GeocoderError.Code) throws -> Int {
            try matcher.candidates(for: GeocodingQuery(text), among: seen) { () throws(GeocoderError) in
                throw GeocoderError(code, "no")
            }.count
        }
        #expect(try answer("yank", .noGazetteer) == 1)
        #expect(throws: GeocoderError.self) { try answer("other", .noGazetteer) }
        #expect(throws: GeocoderError.self) { try answer("yank", .storage) }
    }
}
