import HunchModel
import SeededRandom
import TestSupport
import Testing

@testable import Regions

@Suite("Points on and near boundaries")
struct BoundaryTests {
    private struct Lattice {
        var x: Int
        var y: Int
    }

    /// Whether a simple ring of whole numbers holds a point, by whole numbers: exact, and borders are inside.
    private func holds(_ ring: [Lattice], _ x: Int, _ y: Int) -> Bool {
        var isInside = false
        for (a, b) in zip(ring, ring.dropFirst()) {
            let cross = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
            if cross == 0, min(a.x, b.x) <= x, x <= max(a.x, b.x), min(a.y, b.y) <= y, y <= max(a.y, b.y) {
                return true
            }
            if (a.y > y) != (b.y > y), (cross > 0) == (b.y > a.y) { isInside.toggle() }
        }
        return isInside
    }

    @Test("Corners, edges, tips and level edges are inside")
    func lattice() throws {
        var random = SplitMix64(seed: 11)
        for round in 0..<60 {
            // Rising steps above, falling ones below: a ring that cannot cross itself, with level and upright edges.
            let columns = Int.random(in: 2...9, using: &random)
            var upper: [Lattice] = []
            var lower: [Lattice] = []
            for column in 0...columns {
                upper.append(Lattice(x: column * 2, y: Int.random(in: 1...9, using: &random)))
                lower.append(Lattice(x: column * 2, y: -Int.random(in: 1...9, using: &random)))
            }
            let ring = lower + upper.reversed() + [lower[0]]
            let text = ring.map { "[\($0.x),\($0.y)]" }.joined(separator: ",")
            let index = try index(feature("ring\(round)", "[[\(text)]]"))
            #expect(index.problems.isEmpty)
            for x in -1...(columns * 2 + 1) {
                for y in -10...10 {
                    #expect(try index.holds(Double(y), Double(x)) == holds(ring, x, y), "\(text) \(x) \(y)")
                }
            }
        }
    }

    @Test("Points one floating-point step apart are distinguished")
    func closeToBorder() throws {
        // The edge from (0, 0) to (3, 1); a third is not a binary number, so that no point at x = 1 is on it.
        let index = try index(feature("wedge", "[[[0,0],[3,1],[0,1],[0,0]]]"))
        let third = 1.0 / 3
        #expect(third * 3 == 1)
        #expect(try index.holds(third.nextUp, 1) && !index.holds(third.nextDown, 1))
        #expect(try index.holds(0.5, 1.5) && !index.holds(0.5.nextDown, 1.5) && index.holds(0.5.nextUp, 1.5))
    }

    @Test("An area with 10,000 long vertical edges is answered")
    func comb() throws {
        var positions: [String] = []
        for tooth in 0..<5_000 {
            let x = Double(tooth) / 100
            positions += ["[\(x),0]", "[\(x),60]", "[\(x + 0.005),60]", "[\(x + 0.005),0]"]
        }
        positions += ["[50,0]", "[50,-1]", "[0,-1]", "[0,0]"]
        let index = try index(feature("comb", "[[\(positions.joined(separator: ","))]]"))
        #expect(index.problems.isEmpty, "\(index.problems)")
        #expect(try index.holds(30, 0.002) && !index.holds(30, 0.007) && index.holds(-0.5, 0.007))
    }
}
