internal import Localization

/// Builds the geometry of a feature. Validates every ring and, if requested, repairs faults.
struct RegionBuilder {
    /// The area of a feature.
    struct Area: ~Copyable {
        let shape: GEOSShape
        let repair: RegionRepair?

        consuming func takeShape() -> GEOSShape { shape }
    }

    let context: GEOSContext
    /// Whether invalid polygons are repaired instead of refused.
    let makesValid: Bool

    /// Returns the area of a feature's polygons. If they cannot be used, adds at least one error and returns `nil`.
    func area(of polygons: [RingPolygon], mayOverlap: Bool, errors: inout [RegionError]) -> Area? {
        var read: [ReadPolygon] = []
        var repairs: [String] = []
        let before = errors.count
        do throws(RegionError) {
            guard !polygons.isEmpty else { throw RegionError(.empty, localized("the geometry has no polygon")) }
            for (index, polygon) in polygons.enumerated() {
                do throws(RegionError) {
                    read.append(try self.read(polygon, number: index + 1, &repairs))
                } catch {
                    errors.append(error)
                    guard errors.count < before + CoverageLimits.problemsPerFeature else { return nil }
                }
            }
            guard errors.count == before else { return nil }
            return try assembled(read, mayOverlap: mayOverlap, repairs: &repairs, errors: &errors)
        } catch {
            errors.append(error)
            return nil
        }
    }

    /// A polygon with resolved rings, each of which is well formed by itself.
    struct ReadPolygon {
        var rings: RingPolygon
        /// Whether the polygon leaves ±180° and must be cut.
        var needsCut: Bool
    }

    // MARK: Rings

    private func read(
        _ polygon: RingPolygon, number: Int, _ repairs: inout [String]
    ) throws(RegionError) -> ReadPolygon {
        guard !polygon.rings.isEmpty else {
            throw RegionError(.empty, localized("the polygon has no ring"), polygon: number)
        }
        var result = ReadPolygon(rings: RingPolygon(), needsCut: false)
        var outer = Ring.Span()
        for (index, ring) in polygon.rings.enumerated() {
            do throws(RegionError) {
                var (ring, span) = try read(ring, isHole: index > 0, &repairs)
                if index == 0 {
                    outer = span
                    guard span.east - span.west <= 360 else {
                        throw RegionError(.badPosition, localized("the ring spans more than 360 degrees of longitude"))
                    }
                    result.needsCut = span.west < -180 || span.east > 180
                } else if span.west < outer.west || span.east > outer.east {
                    // A hole may be written one turn away from its outer ring.
                    let turn = [360.0, -360, 720, -720].first {
                        span.west + $0 >= outer.west && span.east + $0 <= outer.east
                    }
                    ring = ring.shifted(by: turn ?? 0)
                }
                result.rings.rings.append(ring)
            } catch {
                throw error.located(polygon: number, ring: index + 1)
            }
        }
        return result
    }

    private func read(_ given: Ring, isHole: Bool, _ repairs: inout [String]) throws(RegionError) -> (Ring, Ring.Span) {
        var ring = given
        guard ring.count > 0 else { throw RegionError(.empty, localized("the ring has no position")) }
        let span = try ring.span()
        let last = ring.count - 1
        if !ring.isClosed, !ring.endsATurnAway {
            guard makesValid, ring.count >= 3 else {
                throw RegionError(
                    .ringNotClosed, localized("the ring is not closed: its last position is not its first"),
                    position: ring.position(last))
            }
            repairs.append(localized("a ring was not closed"))
            ring.values += ring.values[0...1]
        }
        guard ring.count >= 4 else {
            throw RegionError(
                .ringTooShort,
                localizedPlural(
                    "the ring has %1 position; it needs at least 4", "the ring has %1 positions; it needs at least 4",
                    ring.count), position: ring.position(0))
        }
        if ring.closesWithATurn, try context.invalidity(of: context.polygon(RingPolygon(rings: [ring]))) != nil {
            ring.values.removeLast(2)
        }
        guard span.jumps || ring.endsATurnAway else { return (ring, span) }
        let resolved = try resolvingJumps(of: ring, isHole: isHole)
        return (resolved, try resolved.span())
    }

    /// Applies the rules 2 to 4 that the extension `Ring+Reading` documents.
    private func resolvingJumps(of ring: Ring, isHole: Bool) throws(RegionError) -> Ring {
        let short = ring.unwrapped()
        let round = short.completedRoundPole()
        if let round, round.rightHanded != isHole || ring.endsATurnAway { return round.ring }
        if ring.isCounterclockwise != isHole, !ring.liesAboutAntimeridian {
            let asWritten = try context.polygon(RingPolygon(rings: [ring]))
            if try context.invalidity(of: asWritten) == nil { return ring }
        }
        return round?.ring ?? short
    }
}
