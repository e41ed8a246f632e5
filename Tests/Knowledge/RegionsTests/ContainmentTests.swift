import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Regions

@Suite("Containment in regions")
struct ContainmentTests {
    @Test("A square contains its inside, edges and corners only")
    func square() throws {
        let index = try index(feature("a", "[[[0,0],[10,0],[10,10],[0,10],[0,0]]]"))
        #expect(index.problems.isEmpty)
        #expect(try index.holds(5, 5))
        #expect(try index.holds(0, 5))
        #expect(try index.holds(10, 10))
        #expect(try !index.holds(10.000001, 10))
        #expect(try !index.holds(-1, 5))
    }

    @Test("A hole is outside, its edge inside, in either ring order")
    func holes() throws {
        for hole in ["[[4,4],[6,4],[6,6],[4,6],[4,4]]", "[[4,4],[4,6],[6,6],[6,4],[4,4]]"] {
            let index = try index(feature("a", "[[[0,0],[10,0],[10,10],[0,10],[0,0]],\(hole)]"))
            #expect(try !index.holds(5, 5))
            #expect(try index.holds(4, 5))
            #expect(try index.holds(3, 5))
        }
    }

    @Test("MultiPolygons and collections may overlap")
    func several() throws {
        let one = "[[[0,0],[1,0],[1,1],[0,1],[0,0]]]"
        let two = "[[[5,5],[6,5],[6,6],[5,6],[5,5]]]"
        let multi = try index(feature("a", type: "MultiPolygon", "[\(one),\(two)]"))
        #expect(try multi.holds(0.5, 0.5) && multi.holds(5.5, 5.5) && !multi.holds(3, 3))
        let overlapping = "[[[0.5,0.5],[2,0.5],[2,2],[0.5,2],[0.5,0.5]]]"
        let collection = try index(
            """
            {"type":"Feature","id":"c","properties":null,"geometry":{"type":"GeometryCollection","geometries":[
              {"coordinates":\(one),"type":"Polygon"},{"type":"MultiPolygon","coordinates":[\(overlapping)]}]}}
            """)
        #expect(collection.problems.isEmpty)
        #expect(try collection.holds(0.75, 0.75) && collection.holds(1.5, 1.5) && !collection.holds(1.5, 0.25))
    }

    @Test("Elevations are ignored and members may have any order")
    func elevations() throws {
        let index = try index(
            """
            {"geometry":{"coordinates":[[[0,0,8],[10,0,9.5,1],[10,10,8],[0,10],[0,0,8]]],"bbox":[0,0,10,10],
              "type":"Polygon"},"properties":{"name":"A \\u00e4\\ud83d\\ude80"},"foreign":[{"a":[]}],"id":7,"type":"Feature"}
            """)
        #expect(index.problems.isEmpty)
        #expect(index.regions.map(\.id) == ["7"])
        #expect(index.regions[0].name == "A ä🚀")
        #expect(try index.holds(5, 5))
    }

    @Test("A feature with a null geometry covers the whole world")
    func everywhere() throws {
        let index = try index(#"{"type":"Feature","id":"e","properties":{},"geometry":null}"#)
        #expect(index.regions[0].isEverywhere)
        #expect(try index.holds(90, 180) && index.holds(-90, 0) && index.holds(0, -180))
    }

    @Test(
        "A region across the antimeridian may be written in any form",
        arguments: [
            ("Polygon", "[[[170,-10],[190,-10],[190,10],[170,10],[170,-10]]]"),
            ("Polygon", "[[[170,-10],[170,10],[190,10],[190,-10],[170,-10]]]"),
            ("Polygon", "[[[-190,-10],[-170,-10],[-170,10],[-190,10],[-190,-10]]]"),
            ("Polygon", "[[[170,-10],[-170,-10],[-170,10],[170,10],[170,-10]]]"),
            ("Polygon", "[[[-170,10],[170,10],[170,-10],[-170,-10],[-170,10]]]"),
            (
                "MultiPolygon",
                "[[[[170,-10],[180,-10],[180,10],[170,10],[170,-10]]],"
                    + "[[[-180,-10],[-170,-10],[-170,10],[-180,10],[-180,-10]]]]"
            ),
        ])
    func antimeridian(type: String, coordinates: String) throws {
        let index = try index(feature("pacific", type: type, coordinates))
        #expect(index.problems.isEmpty)
        for longitude in [170.0, 175, 179.999, 180] {
            #expect(try index.holds(5, longitude) && index.holds(5, -longitude))
        }
        #expect(try index.holds(10, 180) && index.holds(-10, -180))
        #expect(try !index.holds(5, 0) && !index.holds(5, 169.9) && !index.holds(5, -169.9))
        #expect(try !index.holds(11, 180))
    }

    @Test("A ring across the antimeridian works in either direction")
    func aboutAntimeridian() throws {
        let fiji = ["[177,-19.5]", "[179.5,-19.5]", "[-178,-19]", "[-178,-16]", "[179.9,-15.5]", "[177,-16.5]"]
        for ring in [fiji + [fiji[0]], ([fiji[0]] + fiji.reversed())] {
            let index = try index(feature("fiji", "[[\(ring.joined(separator: ","))]]"))
            #expect(index.problems.isEmpty)
            #expect(try index.holds(-17, 178) && index.holds(-17, 180) && index.holds(-17, -178.5))
            #expect(try !index.holds(-17, 0) && !index.holds(-17, 176) && !index.holds(-17, -177))
        }
        // As wide as written: positions lie between its ends.
        let belt = try index(feature("belt", "[[[-170,-5],[0,-6],[170,-5],[170,5],[0,6],[-170,5],[-170,-5]]]"))
        #expect(try belt.holds(0, 0) && belt.holds(0, 169) && !belt.holds(0, 175))
    }

    @Test("Longitudes more than 360 degrees away are normalised")
    func turns() throws {
        let index = try index(feature("a", "[[[530,-10],[530,10],[510,10],[510,-10],[530,-10]]]"))
        #expect(try index.holds(5, 150) && index.holds(5, 160) && index.holds(5, 170) && !index.holds(5, 171))
    }

    @Test("A side on the antimeridian contains both 180 and -180")
    func touching() throws {
        let index = try index(feature("a", "[[[170,0],[180,0],[180,10],[170,10],[170,0]]]"))
        #expect(try index.holds(5, 180) && index.holds(5, -180) && !index.holds(5, -179.9))
    }

    @Test("A right-handed ring with long edges keeps its written width")
    func wide() throws {
        let most = try index(feature("a", "[[[-170,-60],[170,-60],[170,70],[-170,70],[-170,-60]]]"))
        #expect(try most.holds(0, 0) && most.holds(0, 169) && !most.holds(0, 175) && !most.holds(0, 180))
        for world in [
            "[[[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]]]",
            "[[[-180,-90],[-180,90],[180,90],[180,-90],[-180,-90]]]",
        ] {
            let index = try index(feature("a", world))
            #expect(try index.holds(0, 0) && index.holds(90, 12) && index.holds(-90, 0) && index.holds(1, 180))
        }
    }

    @Test("A hole across the antimeridian may be 360 degrees away")
    func holeAcross() throws {
        for hole in [
            "[[178,-2],[178,2],[182,2],[182,-2],[178,-2]]", "[[-182,-2],[-182,2],[-178,2],[-178,-2],[-182,-2]]",
            "[[178,-2],[178,2],[-178,2],[-178,-2],[178,-2]]",
        ] {
            let index = try index(feature("a", "[[[170,-10],[190,-10],[190,10],[170,10],[170,-10]],\(hole)]"))
            #expect(index.problems.isEmpty)
            #expect(try !index.holds(0, 180) && !index.holds(0, -179) && !index.holds(0, 179), "\(hole)")
            #expect(try index.holds(5, 180) && index.holds(0, 175) && index.holds(0, -175), "\(hole)")
        }
    }

    @Test("A ring around a pole contains the pole at every longitude")
    func poles() throws {
        let arctic = "[[[0,80],[90,80],[180,80],[-90,80],[0,80]]]"
        let antarctic = "[[[0,-70],[-90,-70],[180,-70],[90,-70],[0,-70]]]"
        let cut = "[[[-180,-90],[180,-90],[180,-70],[-180,-70],[-180,-90]]]"
        let unclosed = "[[[-180,80],[-90,80],[0,80],[90,80],[180,80]]]"
        let backwards = "[[[180,-70],[90,-70],[0,-70],[-90,-70],[-180,-70]]]"
        let closed = "[[[-180,80],[-90,80],[0,80],[90,80],[180,80],[-180,80]]]"
        let uneven = "[[[-180,80],[180,80],[180,90],[-100,90],[-180,90],[-180,80]]]"
        for (ring, pole) in [
            (arctic, 90.0), (antarctic, -90), (cut, -90), (unclosed, 90), (backwards, -90), (closed, 90), (uneven, 90),
        ] {
            let index = try index(feature("cap", ring))
            #expect(index.problems.isEmpty)
            for longitude in [0.0, 45, 135, 180, -180, -45, -135] {
                #expect(try index.holds(pole, longitude))
                #expect(try index.holds(pole * 0.95, longitude), "\(ring) \(longitude)")
                #expect(try !index.holds(-pole, longitude))
                #expect(try !index.holds(pole * 0.7, longitude))
            }
        }
        let wedge = try index(feature("w", "[[[0,60],[30,60],[30,90],[0,90],[0,60]]]"))
        #expect(try wedge.holds(90, -120) && !wedge.holds(89, -120))
    }

    @Test("Random star polygons agree with counting edge crossings")
    func oracle() throws {
        var random = SplitMix64(seed: 5)
        for round in 0..<40 {
            let centre = (Double.random(in: -150...150, using: &random), Double.random(in: -60...60, using: &random))
            var ring: [(x: Double, y: Double)] = []
            let corners = Int.random(in: 5...60, using: &random)
            for corner in 0..<corners {
                let angle = Double(corner) / Double(corners) * 2 * .pi
                let radius = Double.random(in: 2...25, using: &random)
                let offset = unit(angle)
                ring.append((centre.0 + radius * offset.0, centre.1 + radius * offset.1))
            }
            ring.append(ring[0])
            let text = ring.map { "[\($0.x),\($0.y)]" }.joined(separator: ",")
            let index = try index(feature("star\(round)", "[[\(text)]]"))
            #expect(index.problems.isEmpty)
            for _ in 0..<200 {
                let x = Double.random(in: centre.0 - 28...centre.0 + 28, using: &random)
                let y = Double.random(in: centre.1 - 28...centre.1 + 28, using: &random)
                #expect(try index.holds(y, x) == crossings(ring, x, y))
            }
        }
    }

    private func crossings(_ ring: [(x: Double, y: Double)], _ x: Double, _ y: Double) -> Bool {
        var inside = false
        for (a, b) in zip(ring, ring.dropFirst()) where (a.y > y) != (b.y > y) {
            if x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x { inside.toggle() }
        }
        return inside
    }

    /// A point of the unit circle by its half-angle tangent, which needs no library.
    private func unit(_ angle: Double) -> (Double, Double) {
        let turn = angle / (2 * .pi)
        let quarter = (turn * 4).rounded(.down)
        let t = (turn * 4 - quarter) * 2 - 1
        let (c, s) = ((1 - t * t * 0.17157287525381) / (1 + t * t * 0.17157287525381), t * 0.7071)
        let corner = [(0.7071, 0.7071), (-0.7071, 0.7071), (-0.7071, -0.7071), (0.7071, -0.7071)][Int(quarter) % 4]
        return (corner.0 * c - corner.1 * s, corner.1 * c + corner.0 * s)
    }
}
