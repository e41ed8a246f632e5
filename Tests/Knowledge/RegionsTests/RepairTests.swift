import TestSupport
import Testing

@testable import Regions

@Suite("Repair of invalid areas")
struct RepairTests {
    @Test("A repaired bow tie becomes two triangles, and the change is reported")
    func bowTie() throws {
        let index = try index(feature("bow", "[[[0,0],[10,10],[10,0],[0,10],[0,0]]]"), makingValid: true)
        #expect(index.problems.isEmpty)
        #expect(try index.holds(5, 1) && index.holds(5, 9) && !index.holds(1, 5) && !index.holds(9, 5))
        let repair = try #require(index.regions.first?.repair)
        #expect(repair.faults.count == 1)
        #expect(repair.faults[0].contains("Self-intersection"))
        let square = SphericalArea.ofRing([0, 0, 10, 0, 10, 10, 0, 10, 0, 0])
        #expect(abs(repair.areaAfter - square / 2) < square / 100)
        #expect(repair.areaBefore < square / 50)
        #expect(repair.summary.contains("km²"))
    }

    @Test("Repair closes rings, merges overlaps and keeps valid areas")
    func others() throws {
        let open = try index(feature("open", "[[[0,0],[10,0],[10,10],[0,10]]]"), makingValid: true)
        #expect(try open.holds(9, 1))
        #expect(open.regions.first?.repair?.change == 0)
        let overlapping = try index(
            feature(
                "two", type: "MultiPolygon",
                "[[[[0,0],[10,0],[10,10],[0,10],[0,0]]],[[[5,5],[15,5],[15,15],[5,15],[5,5]]]]"), makingValid: true)
        #expect(try overlapping.holds(7, 7) && overlapping.holds(1, 1) && overlapping.holds(14, 14))
        #expect(try #require(overlapping.regions.first?.repair?.change) < 0)
        let sound = try index(feature("ok", "[[[0,0],[10,0],[10,10],[0,10],[0,0]]]"), makingValid: true)
        #expect(sound.regions.first?.repair == nil)
    }

    @Test("An irreparable area is refused")
    func hopeless() throws {
        for ring in ["[[0,0],[10,0]]", "[[0,0],[10,0],[10,91],[0,0]]", "[]"] {
            let index = try index(feature("x", "[\(ring)]"), makingValid: true)
            #expect(index.regions.isEmpty && index.problems.count == 1)
        }
        let line = try index(feature("x", "[[[0,0],[10,0],[5,0],[0,0]]]"), makingValid: true)
        #expect(line.problems.map(\.code) == [.empty])
    }

    @Test("Areas are computed on the sphere")
    func areas() throws {
        let earth = 510_065_621.0
        let world = SphericalArea.ofRing([-180, -90, 180, -90, 180, 90, -180, 90, -180, -90])
        #expect(abs(world / earth - 1) < 0.001)
        let cap = SphericalArea.ofRing([-180, 30, 180, 30, 180, 90, -180, 90, -180, 30])
        #expect(abs(cap / world - 0.25) < 1e-9)
        let index = try index(feature("a", "[[[170,0],[190,0],[190,10],[170,10],[170,0]]]"))
        let whole = SphericalArea.ofRing([0, 0, 20, 0, 20, 10, 0, 10, 0, 0])
        #expect(abs(try #require(index.area(of: "a")) / whole - 1) < 1e-9)
    }
}
