import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Regions

@Suite("Region index compared with GEOS predicates")
struct PlainPredicateTests {
    private typealias Ring = [(x: Double, y: Double)]

    /// A ring of whole numbers that cannot cross itself: one chain of corners above the x axis and one below.
    private func ring(
        columns: ClosedRange<Int>, heights: ClosedRange<Int>, at centre: (x: Int, y: Int), _ random: inout SplitMix64
    ) -> Ring {
        func chain(_ sign: Int) -> Ring {
            columns.map { column in
                let height = Int.random(in: heights, using: &random)
                return (Double(centre.x + 2 * column), Double(centre.y + sign * height))
            }
        }
        let ring = chain(-1) + chain(1).reversed()
        return ring + [ring[0]]
    }

    /// Polygons side by side, each with a hole, the first beginning at a longitude.
    private func polygons(from west: Int, count: Int, latitude: Int, _ random: inout SplitMix64) -> [[Ring]] {
        (0..<count).map { number in
            let centre = (west + 20 * number, latitude)
            return [
                ring(columns: 0...8, heights: 3...9, at: centre, &random),
                ring(columns: 1...7, heights: 1...2, at: centre, &random),
            ]
        }
    }

    private func json(_ polygons: [[Ring]]) -> String {
        text(polygons, brackets: ("[", "]")) { "[\($0.x),\($0.y)]" }
    }

    private func geometry(_ polygons: [[Ring]]) throws -> PlainGeometry {
        try PlainGeometry(wellKnownText: "MULTIPOLYGON " + text(polygons, brackets: ("(", ")")) { "\($0.x) \($0.y)" })
    }

    private func text(
        _ polygons: [[Ring]], brackets: (String, String), _ position: ((x: Double, y: Double)) -> String
    ) -> String {
        func list(_ members: [String]) -> String { brackets.0 + members.joined(separator: ",") + brackets.1 }
        return list(polygons.map { list($0.map { list($0.map(position)) }) })
    }

    @Test("MultiPolygons with holes agree at points on their edges")
    func grid() throws {
        var random = SplitMix64(seed: 31)
        for round in 0..<20 {
            let west = Int.random(in: -170...100, using: &random)
            let latitude = Int.random(in: -70...70, using: &random)
            let polygons = polygons(from: west, count: 3, latitude: latitude, &random)
            let plain = try geometry(polygons)
            let index = try index(feature("round\(round)", type: "MultiPolygon", json(polygons)))
            #expect(plain.isValid && index.problems.isEmpty)
            for _ in 0..<500 {
                let x = Double(west) + Double(Int.random(in: -4...240, using: &random)) / 4
                let y = Double(latitude) + Double(Int.random(in: -40...40, using: &random)) / 4
                #expect(try index.holds(y, x) == plain.intersects(x, y), "round \(round), \(x) \(y)")
            }
        }
    }

    @Test("Areas across the antimeridian agree at both longitudes")
    func antimeridian() throws {
        var random = SplitMix64(seed: 32)
        for round in 0..<20 {
            // One polygon lies across: from 165…179 degrees to 16 degrees further east.
            let west = Int.random(in: 145...159, using: &random)
            let polygons = polygons(from: west, count: 3, latitude: 0, &random)
            let plain = try geometry(polygons)
            let index = try index(feature("round\(round)", type: "MultiPolygon", json(polygons)))
            #expect(plain.isValid && index.problems.isEmpty)
            for _ in 0..<500 {
                let longitude = Double.random(in: -180...180, using: &random)
                let x = longitude < 0 ? longitude + 360 : longitude
                let y = Double.random(in: -10...10, using: &random)
                #expect(try index.holds(y, longitude) == plain.intersects(x, y), "round \(round), \(x) \(y)")
            }
            for _ in 0..<50 {
                let y = Double.random(in: -10...10, using: &random)
                let expected = plain.intersects(180, y) ? ["round\(round)"] : []
                for name in [180.0, -180] {
                    let place = try Coordinate(latitude: y, longitude: name)
                    #expect(index.regions(containing: place) == expected, "round \(round), \(name) \(y)")
                }
            }
        }
    }

    @Test("Rings around a pole agree up to the pole", arguments: [1.0, -1.0])
    func poles(sign: Double) throws {
        var random = SplitMix64(seed: 33)
        for round in 0..<20 {
            var border: Ring = (0..<12).map { corner in
                (Double(30 * corner - 180), sign * Double(Int.random(in: 60...80, using: &random)))
            }
            border.append((180, border[0].y))
            // The file ends its ring a turn away from where it began; the plain geometry has the pole in it.
            let plain = try geometry([[border + [(180, sign * 90), (-180, sign * 90), border[0]]]])
            let index = try index(feature("round\(round)", type: "MultiPolygon", json([[border]])))
            #expect(plain.isValid && index.problems.isEmpty)
            for _ in 0..<500 {
                let x = Double(Int.random(in: -720...720, using: &random)) / 4
                let y = sign * Double(Int.random(in: 220...360, using: &random)) / 4
                let isExpected = plain.intersects(x, y) || abs(x) == 180 && plain.intersects(-x, y)
                #expect(try index.holds(y, x) == isExpected, "round \(round), \(x) \(y)")
            }
            #expect(try index.holds(sign * 90, 17) && !index.holds(sign * -90, 17))
        }
    }

    @Test("Overlapping regions agree in single, batch, parallel calls")
    func manyRegions() async throws {
        var random = SplitMix64(seed: 34)
        let folder = try TemporaryFolder()
        let shapes = (0..<200).map { _ in
            let west = Int.random(in: -175...120, using: &random)
            return polygons(
                from: west, count: Int.random(in: 1...3, using: &random),
                latitude: Int.random(in: -80...80, using: &random), &random)
        }
        for (number, polygons) in shapes.enumerated() {
            // Three digits: the order of the identifiers is that of the numbers.
            let id = "region\(1_000 + number)"
            try folder.write(feature(id, type: "MultiPolygon", json(polygons)), to: id + ".geojson")
        }
        let places = try (0..<500).map { _ in
            try Coordinate(
                latitude: Double(Int.random(in: -89...89, using: &random)),
                longitude: Double(Int.random(in: -179...179, using: &random)))
        }
        let plain = try shapes.map { try geometry($0) }
        let expected = places.map { place in
            plain.indices.filter { plain[$0].intersects(place.longitude, place.latitude) }
        }
        #expect(expected.contains { $0.count > 3 })
        let index = try RegionIndex(folders: [CoverageFolder(path: folder.path)])
        #expect(index.problems.isEmpty && index.regions.count == shapes.count)
        #expect(index.positions(containing: places) == expected)
        #expect(places.map { index.positions(containing: [$0])[0] } == expected)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { index.positions(containing: places) == expected } }
            for await isRight in group { #expect(isRight) }
        }
    }
}
