import Geocoding
import HunchModel
import Testing

@Suite("Labels of places to choose from")
struct CandidateLabelTests {
    private func place(
        _ street: String?, _ latitude: Double, distance: Double? = nil, city: String = "Berlin"
    ) throws -> GeocodingCandidate {
        GeocodingCandidate(
            item: MapItem(
                name: "EDEKA", coordinate: try Coordinate(latitude: latitude, longitude: 13),
                address: PostalAddress(street: street, city: city)), kind: .spot, confidence: 0.5, match: .ownName,
            matched: ["EDEKA"], distance: distance)
    }

    @Test("Different labels stay as they are")
    func different() throws {
        let places = [try place("Torstraße 1", 52, distance: 900), try place(nil, 53, city: "Potsdam")]
        #expect(places.labels == ["EDEKA, Berlin", "EDEKA, Potsdam"])
    }

    @Test("Namesakes get their street, else their distance, else their coordinate")
    func same() throws {
        let streets = [try place("Torstraße 1", 52), try place("Aue 2", 52.1), try place(nil, 52.2)]
        #expect(streets.labels == ["EDEKA, Torstraße 1, Berlin", "EDEKA, Aue 2, Berlin", "EDEKA, Berlin"])
        let distances = [try place(nil, 52, distance: 900), try place(nil, 52.1, distance: 12_000)]
        #expect(distances.labels == ["EDEKA, Berlin (900\u{A0}m away)", "EDEKA, Berlin (12\u{A0}km away)"])
        let positions = [try place("Aue 2", 52), try place("Aue 2", 52.1)]
        #expect(positions.labels == ["EDEKA, Berlin (52,13)", "EDEKA, Berlin (52.1,13)"])
    }
}
