import SeededRandom
import Testing

@testable import Regions

/// Areas by cells of five degrees.
@Suite struct PlaceGridTests {
    @Test func everyAreaThatMayHoldAPlaceIsFoundAndNoneThatIsFarAway() {
        var random = SplitMix64(seed: 21)
        func span(_ bound: Double) -> ClosedRange<Double> {
            // Small ones, wide ones, and some that span everything.
            let sizes: [Double] = [1, 30, 2 * bound]
            let size = sizes.randomElement(using: &random) ?? 1
            let start = Double.random(in: -bound...max(-bound, bound - size), using: &random)
            return start...min(start + size, bound)
        }
        var grid = PlaceGrid()
        var areas: [(longitudes: ClosedRange<Double>, latitudes: ClosedRange<Double>)] = []
        for number in 0..<300 {
            areas.append((span(180), span(90)))
            grid.add(number, areas[number].longitudes, areas[number].latitudes)
        }
        for _ in 0..<2_000 {
            let longitude = Double.random(in: -180...180, using: &random)
            let latitude = Double.random(in: -90...90, using: &random)
            func near(_ margin: Double) -> [Int] {
                areas.indices.filter { number in
                    let (longitudes, latitudes) = areas[number]
                    return (longitudes.lowerBound - margin...longitudes.upperBound + margin).contains(longitude)
                        && (latitudes.lowerBound - margin...latitudes.upperBound + margin).contains(latitude)
                }
            }
            let found = grid.areas(at: longitude, latitude)
            #expect(found == found.sorted() && Set(found).count == found.count)
            #expect(Set(found).isSuperset(of: near(0)) && Set(near(5)).isSuperset(of: found))
        }
        #expect(PlaceGrid().areas(at: 180, 90).isEmpty)
    }
}
