internal import Localization

/// Assembly of polygons with resolved rings into one geometry within ±180° of longitude.
extension RegionBuilder {
    func assembled(
        _ polygons: [ReadPolygon], mayOverlap: Bool, repairs: inout [String], errors: inout [RegionError]
    ) throws(RegionError) -> Area? {
        var overlap: (reason: String, position: RegionError.Position?)?
        if !mayOverlap, !polygons.contains(where: \.needsCut) {
            let whole = try whole(polygons)
            overlap = try context.invalidity(of: whole)
            if overlap == nil { return try finished(whole, polygons, repairs) }
        }
        let before = errors.count
        var parts = GEOSShapes(context: context)
        var faultless = true
        for (index, polygon) in polygons.enumerated() {
            let shape = try context.polygon(polygon.rings)
            if let fault = try fault(of: shape, polygon.rings) {
                faultless = false
                let error = fault.located(polygon: index + 1)
                guard makesValid else {
                    errors.append(error)
                    guard errors.count < before + CoverageLimits.problemsPerFeature else { return nil }
                    continue
                }
                repairs.append(error.message)
                try append(try context.madeValid(shape), cutting: polygon.needsCut, to: &parts)
            } else {
                try append(shape, cutting: polygon.needsCut, to: &parts)
            }
        }
        if faultless, let overlap {
            let error = try fault(overlap, amongst: polygons)
            if makesValid { repairs.append(error.message) } else { errors.append(error) }
        }
        guard errors.count == before else { return nil }
        guard !parts.pointers.isEmpty else { throw RegionError(.empty, localized("the geometry has no area")) }
        return try finished(try context.union(parts), polygons, repairs)
    }

    private func finished(
        _ shape: consuming GEOSShape, _ polygons: [ReadPolygon], _ repairs: [String]
    ) throws(RegionError) -> Area {
        guard !repairs.isEmpty else { return Area(shape: shape, repair: nil) }
        let before = polygons.reduce(0) { $0 + SphericalArea.ofPolygon($1.rings) }
        let after = try context.area(of: shape)
        return Area(shape: shape, repair: RegionRepair(faults: repairs, areaBefore: before, areaAfter: after))
    }

    private func whole(_ polygons: [ReadPolygon]) throws(RegionError) -> GEOSShape {
        if polygons.count == 1 { return try context.polygon(polygons[0].rings) }
        var shapes = GEOSShapes(context: context)
        for polygon in polygons { shapes.append(try context.polygon(polygon.rings)) }
        return try context.multiPolygon(shapes)
    }

    /// Appends the polygons of a shape. If `cutting`, cuts them at the antimeridian and moves them to within ±180°.
    private func append(
        _ shape: consuming GEOSShape, cutting: Bool, to parts: inout GEOSShapes
    ) throws(RegionError) {
        guard cutting else { return parts.append(contentsOf: try context.polygons(of: shape)) }
        for turn in [-360.0, 0, 360] {
            let strip = try context.rectangle(west: turn - 180, south: -90, east: turn + 180, north: 90)
            let piece = try context.intersection(shape, strip)
            parts.append(contentsOf: try context.polygons(of: try context.moved(piece, by: -turn)))
        }
    }

    // MARK: Faults

    /// Returns the fault that GEOS finds in a polygon, with the number of the ring; `nil` if it is valid.
    private func fault(of shape: borrowing GEOSShape, _ polygon: RingPolygon) throws(RegionError) -> RegionError? {
        guard let fault = try context.invalidity(of: shape) else { return nil }
        for (index, ring) in polygon.rings.enumerated() {
            let alone = try context.polygon(RingPolygon(rings: [ring]))
            if let own = try context.invalidity(of: alone) { return error(own, ring: index + 1) }
        }
        // Every ring is valid, so two of them conflict. Name the ring on which the position lies.
        guard let position = fault.position else { return error(fault, ring: nil) }
        let place = try context.point(longitude: position.longitude, latitude: position.latitude)
        var nearest: (ring: Int, distance: Double)?
        for (index, ring) in polygon.rings.enumerated() {
            let distance = context.distance(place, try context.linearRing(ring))
            if distance <= nearest?.distance ?? .infinity { nearest = (index + 1, distance) }
        }
        return error(fault, ring: nearest?.ring)
    }

    /// Returns the fault of a MultiPolygon whose polygons are valid by themselves. Names the last polygon at the
    /// position, which overlaps an earlier one.
    private func fault(
        _ fault: (reason: String, position: RegionError.Position?), amongst polygons: [ReadPolygon]
    ) throws(RegionError) -> RegionError {
        let reason = localized("it overlaps or shares an edge with another polygon (%1)", fault.reason)
        guard let position = fault.position else { return error((reason, nil), ring: nil) }
        let place = try context.point(longitude: position.longitude, latitude: position.latitude)
        var nearest: (polygon: Int, distance: Double)?
        for (index, polygon) in polygons.enumerated() {
            let distance = context.distance(place, try context.polygon(polygon.rings))
            if distance <= nearest?.distance ?? .infinity { nearest = (index + 1, distance) }
        }
        let error = error((reason, position), ring: nil)
        return nearest.map { error.located(polygon: $0.polygon) } ?? error
    }

    private func error(_ fault: (reason: String, position: RegionError.Position?), ring: Int?) -> RegionError {
        // Report the position with a longitude within ±180°, even if the ring was unwrapped.
        let position = fault.position.map { place in
            let turns = abs(place.longitude) > 180 ? ((place.longitude + 180) / 360).rounded(.down) : 0
            return RegionError.Position(longitude: place.longitude - 360 * turns, latitude: place.latitude)
        }
        return RegionError(.invalidGeometry, fault.reason, ring: ring, position: position)
    }
}
