@testable import GazetteerImport
import Geocoding
import HunchModel
import Gazetteers
import SeededRandom
import TestSupport
import Testing

@Suite struct NearestPlaceTests {
    @Test(
        "The nearest place is found",
        arguments: [
            (48.8, 2.3, "Paris"), (-16.0, -179.9, "Suva"), (-16.0, 179.9, "Suva"), (90.0, 0.0, "Longyearbyen"),
            (90.0, -164.0, "Longyearbyen"), (-90.0, 0.0, "Suva"), (47.38, 8.54, "Zürich"), (0.0, -170.0, "Apia"),
        ])
    func finds(latitude: Double, longitude: Double, expected: String) async throws {
        try await withTemporaryDirectory { directory in
            let gazetteer = try Gazetteer(GazetteerFixture.make(in: directory))
            let position = try Coordinate(latitude: latitude, longitude: longitude)
            let found = try gazetteer.places(near: position, limit: 1)
            #expect(found.map(\.item.name) == [expected])
        }
    }

    /// Checked against a comparison with every place.
    @Test("The result equals that of an exhaustive search")
    func agreesWithTryingEveryPlace() async throws {
        try await withTemporaryDirectory { directory in
            var random = SplitMix64(seed: 11)
            let places = try (0..<400).map { number in
                // Crowded at the poles and at the antimeridian, where boxes go wrong.
                let latitude =
                    number % 3 == 0
                    ? 90 - Double.random(in: 0...3, using: &random) : Double.random(in: -90...90, using: &random)
                let longitude =
                    number % 2 == 0
                    ? 180 + Double.random(in: -2...2, using: &random) : Double.random(in: -180...180, using: &random)
                return GazetteerPlace(
                    name: "P\(number)", kind: .city,
                    coordinate: try Coordinate(latitude: latitude, longitude: longitude),
                    importance: 0.5)
            }
            let file = GazetteerFile(path: directory.file("g.sqlite"))
            _ = try file.importSource(GazetteerFixture.source("random")) { for place in places { try $0.add(place) } }
            let gazetteer = try Gazetteer(file)
            for round in 0..<300 {
                let position = try Coordinate(
                    latitude: round % 4 == 0
                        ? -90 + Double.random(in: 0...1, using: &random) : Double.random(in: -90...90, using: &random),
                    longitude: Double.random(in: -180...180, using: &random))
                let found = try gazetteer.places(near: position, limit: 5)
                let all = places.map { position.distance(to: $0.coordinate) }.sorted()
                #expect(found.compactMap(\.distance) == Array(all.prefix(5)))
            }
            #expect(try gazetteer.places(near: Coordinate(latitude: 0, longitude: 0), limit: 100).count == 100)
        }
    }

    // Distances on a sphere of radius 6,371,008.8 m: a quarter and half of its circumference, and one degree.
    @Test(
        "Distances are along great circles",
        arguments: [
            (0.0, 0.0, 0.0, 90.0, 10_007_557.0), (90.0, 0.0, -90.0, 77.0, 20_015_115.0),
            (0.0, 179.5, 0.0, -179.5, 111_195.0),
            (90.0, 10.0, 90.0, -120.0, 0.0), (48.86, 2.33, 48.86, 2.33, 0.0),
        ])
    func greatCircle(_ south: Double, _ west: Double, _ north: Double, _ east: Double, _ metres: Double) throws {
        let first = try Coordinate(latitude: south, longitude: west)
        let second = try Coordinate(latitude: north, longitude: east)
        #expect(abs(first.distance(to: second) - metres) < 1)
        #expect(first.distance(to: second) == second.distance(to: first))
    }
}
