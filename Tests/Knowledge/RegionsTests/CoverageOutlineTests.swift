import Glibc
import HunchModel
import SeededRandom
import Testing

@testable import Regions

@Suite("Coverage outlines") struct CoverageOutlineTests {
    private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try Coordinate(latitude: latitude, longitude: longitude)
    }

    /// The outline as a coverage file that has to be sound.
    private func index(_ outline: CoverageOutline) throws -> RegionIndex {
        let coordinates = outline.polygons.map { polygon in
            polygon.map { ring in ring.map { "[\($0.longitude),\($0.latitude)]" }.joined(separator: ",") }
                .map { "[\($0)]" }.joined(separator: ",")
        }.map { "[\($0)]" }.joined(separator: ",")
        let index = try RegionIndex(
            document:
                #"{"type":"Feature","id":"o","properties":{},"geometry":{"type":"MultiPolygon","coordinates":[\#(coordinates)]}}"#,
            name: "outline")
        #expect(index.problems == [])
        return index
    }

    @Test("The outline of one place is a circle of the buffer's radius", arguments: [0.0, 60, -85])
    func circle(latitude: Double) throws {
        var style = CoverageOutline.Style()
        style.buffer = 10_000
        style.simplification = 0
        let outline = try CoverageOutline(around: [place(latitude, 25)], style: style)
        #expect(outline.polygons.count == 1 && outline.polygons[0].count == 1)
        // A polygon of 32 sides within a circle of 314.16 km².
        #expect(abs(outline.area - 312.1) < 1)
        let middle = try place(latitude, 25)
        for corner in outline.polygons[0][0] { #expect(abs(corner.distance(to: middle) - 10_000) < 60) }
    }

    @Test("Every style contains all places; rings run anticlockwise")
    func holdsAll() throws {
        var random = SplitMix64(seed: 21)
        for round in 0..<12 {
            let middle = (Double.random(in: -70...75, using: &random), Double.random(in: -180...180, using: &random))
            let places = try (0..<Int.random(in: 1...300, using: &random)).map { _ in
                try place(
                    middle.0 + Double.random(in: -1...1, using: &random),
                    middle.1 + Double.random(in: -2...2, using: &random))
            }
            var style = CoverageOutline.Style()
            style.buffer = Double.random(in: 20...5_000, using: &random)
            style.simplification = style.buffer * Double(round % 3) * 0.45
            style.concaveness = Double(round % 5) / 4
            let outline = try CoverageOutline(around: places, style: style)
            let index = try index(outline)
            #expect(index.positions(containing: places).allSatisfy { !$0.isEmpty })
            for polygon in outline.polygons {
                for (number, ring) in polygon.enumerated() {
                    #expect(ring.first == ring.last && ring.count >= 4)
                    let values = ring.flatMap { [$0.longitude, $0.latitude] }
                    #expect(Ring(values: values).isCounterclockwise == (number == 0))
                }
            }
        }
    }

    @Test("A concave outline omits a bay that a convex hull contains")
    func bay() throws {
        // Two arms, 5 km wide and 50 km apart, that meet in the south.
        let places = try (0..<60).flatMap { step in
            let along = Double(step) * 0.01
            return try [0, 0.045, 0.09].flatMap { across in
                [
                    try place(60 + along, 24 + across), try place(60 + along, 25 + across),
                    try place(60 + across / 2, 24 + along * 1.8),
                ]
            }
        }
        var style = CoverageOutline.Style()
        style.concaveness = 0
        let bay = try place(60.4, 24.54)
        #expect(try index(CoverageOutline(around: places, style: style)).regions(containing: bay) == [])
        style.concaveness = 1
        #expect(try index(CoverageOutline(around: places, style: style)).regions(containing: bay) == ["o"])
    }

    @Test("Distant places get separate areas")
    func apart() throws {
        // Honolulu, and Los Angeles with a suburb.
        let places = [try place(21.3, -157.86), try place(34.05, -118.24), try place(34.1, -118.3)]
        let outline = try CoverageOutline(around: places)
        #expect(outline.polygons.count == 2)
        #expect(try index(outline).regions(containing: place(28, -138)) == [])
        #expect(PlaceClusters.groups(of: places, gap: 50_000).map(\.count).sorted() == [1, 2])
        #expect(PlaceClusters.groups(of: places, gap: 5_000_000).count == 1)
    }

    @Test("Nearby places share a group, distant ones do not")
    func groups() throws {
        var random = SplitMix64(seed: 22)
        for _ in 0..<400 {
            let gap = Double.random(in: 1_000...300_000, using: &random)
            let one = try place(
                Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
            let plane = LocalPlane(around: [one])
            let direction = Double.random(in: 0...(2 * .pi), using: &random)
            func other(_ distance: Double) throws -> Coordinate {
                let there = plane.degrees(x: distance * cos(direction), y: distance * sin(direction))
                return try place(there.latitude, there.longitude)
            }
            #expect(try PlaceClusters.groups(of: [one, other(gap * 0.95)], gap: gap).count == 1)
            #expect(try PlaceClusters.groups(of: [one, other(gap * 5)], gap: gap).count == 2)
        }
    }

    @Test("An area across the antimeridian is split in two")
    func antimeridian() throws {
        let taveuni = [try place(-16.8, 179.95), try place(-16.9, -179.95), try place(-16.7, 179.99)]
        let outline = try CoverageOutline(around: taveuni)
        #expect(outline.polygons.count == 2 && outline.area < 400)
        #expect(try index(outline).positions(containing: taveuni).allSatisfy { !$0.isEmpty })
        #expect(try index(outline).regions(containing: place(-16.8, 0)) == [])
    }

    @Test(
        "Near a pole the outline is a circle of the same size",
        arguments: [(90.0, 0.0), (-90, 77), (89.995, 120), (-89.995, -30), (89.98, 179), (-89.97, 10), (89.9, -179.9)])
    func poles(latitude: Double, longitude: Double) throws {
        var style = CoverageOutline.Style()
        style.buffer = 1_000
        style.simplification = 0
        let middle = try place(latitude, longitude)
        let outline = try CoverageOutline(around: [middle], style: style)
        #expect(abs(outline.area - 3.121) < 0.02)
        let index = try index(outline)
        let plane = LocalPlane(around: [middle])
        var random = SplitMix64(seed: 24)
        for _ in 0..<100 {
            let distance = Double.random(in: 0...3_000, using: &random)
            // A polygon of 32 sides reaches from 995 m to 1 km.
            guard !(985...1_010).contains(distance) else { continue }
            let direction = Double.random(in: 0...(2 * .pi), using: &random)
            let degrees = plane.degrees(x: distance * cos(direction), y: distance * sin(direction))
            let there = try place(degrees.latitude, degrees.longitude)
            #expect(index.regions(containing: there).isEmpty == (distance > 1_000), "\(there), \(distance) m")
        }
    }

    @Test("Stations around a pole share one area with the pole")
    func aroundPole() throws {
        let stations = try stride(from: -180.0, to: 180, by: 15).map { try place(-89.2, $0) }
        for concaveness in [0.3, 1] {
            var style = CoverageOutline.Style()
            style.concaveness = concaveness
            let index = try index(CoverageOutline(around: stations, style: style))
            #expect(index.positions(containing: stations).allSatisfy { !$0.isEmpty })
            #expect(index.regions(containing: try place(-90, 0)) == ["o"])
            #expect(index.regions(containing: try place(-89.6, 7)) == ["o"])
            for longitude in [-180.0, -7, 0, 100, 180] {
                #expect(index.regions(containing: try place(-89.1, longitude)) == [])
                #expect(index.regions(containing: try place(89.2, longitude)) == [])
            }
        }
    }

    @Test("The local plane keeps areas and distances and is reversible")
    func plane() throws {
        var random = SplitMix64(seed: 23)
        for _ in 0..<500 {
            let middle = try place(
                Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
            let plane = LocalPlane(around: [middle])
            let (x, y) = (Double.random(in: -4e5...4e5, using: &random), Double.random(in: -4e5...4e5, using: &random))
            let degrees = plane.degrees(x: x, y: y)
            let there = try place(degrees.latitude, degrees.longitude)
            let back = plane.position(there)
            #expect(abs(back.x - x) < 0.01 && abs(back.y - y) < 0.01)
            let distance = (x * x + y * y).squareRoot()
            #expect(abs(middle.distance(to: there) - distance) < 0.003 * distance + 1)
            #expect(abs(degrees.longitude - middle.longitude) <= 180.000001)
        }
    }

    @Test("Without places the outline is empty")
    func empty() { #expect(throws: RegionError.self) { try CoverageOutline(around: []) } }
}
