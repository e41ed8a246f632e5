internal import HunchModel
internal import Localization

/// Rules for reading rings that may cross the antimeridian.
///
/// RFC 7946 requires areas to be cut at the antimeridian (§3.1.9) and defines an edge as a straight line between its
/// longitudes as written (§3.1.1). Files that are not cut are read by these rules:
///
/// 1. A longitude beyond ±180° is taken literally: 190° is 170° west. The ring stays in one piece and is cut later.
/// 2. An edge of more than 180° but less than 360° of longitude that is not at a pole is a *jump*: either a long edge,
///    or a short one across the antimeridian. A ring with jumps is read as written if the result does not cross itself
///    and has the right orientation (§3.1.6: the area is left of its outer ring and right of a hole). Otherwise each
///    jump takes the short way.
/// 3. With jumps taking the short way, a ring may go once around the earth. It then surrounds the nearer pole and is
///    completed along the antimeridian and the pole. This reading comes first if the orientation is right for that
///    pole. The last position may then be one turn from the first, as in a ring from 180° west to 180° east. If such a
///    ring was closed by an edge back to its start, so that it crosses itself, this edge is ignored.
/// 4. If a ring has at least four longitudes, all within 90° of the antimeridian, its jumps take the short way for
///    either orientation. An area almost as wide as the earth would have positions in between.
extension Ring {
    /// The longitudes and latitudes that a ring spans, in degrees.
    struct Span {
        var west = Double.infinity
        var east = -Double.infinity
        var south = Double.infinity
        var north = -Double.infinity
        var jumps = false
    }

    /// Returns the span of a ring. Throws for the first position out of range.
    func span() throws(RegionError) -> Span {
        var span = Span()
        for index in stride(from: 0, to: values.count, by: 2) {
            let longitude = values[index]
            let latitude = values[index + 1]
            guard abs(longitude) <= CoverageLimits.longitude, abs(latitude) <= 90 else {
                throw fault(at: index / 2)
            }
            span.west = min(span.west, longitude)
            span.east = max(span.east, longitude)
            span.south = min(span.south, latitude)
            span.north = max(span.north, latitude)
            if index > 0, isJump(at: index) { span.jumps = true }
        }
        return span
    }

    /// Whether the edge that ends at `index` is a jump. At a pole all longitudes are the same, so edges there are never
    /// jumps.
    private func isJump(at index: Int) -> Bool {
        let step = abs(values[index] - values[index - 2])
        return step > 180 && step < 360 && !(abs(values[index + 1]) == 90 && values[index + 1] == values[index - 1])
    }

    private func fault(at index: Int) -> RegionError {
        let place = position(index)
        let reason =
            if !place.longitude.isFinite || !place.latitude.isFinite {
                localized("position %1 has a number that is not finite", index + 1)
            } else if abs(place.latitude) > 90 {
                localized("position %1 has a latitude outside −90…90 degrees", index + 1)
            } else {
                localized(
                    "position %1 has a longitude outside ±%2 degrees", index + 1,
                    Int(clamping: CoverageLimits.longitude))
            }
        return RegionError(.badPosition, reason, position: place)
    }

    /// Whether the last position equals the first.
    var isClosed: Bool {
        values[0] == values[values.count - 2] && values[1] == values[values.count - 1]
    }

    /// Whether the last position is exactly 360° of longitude from the first, at the same latitude.
    var endsATurnAway: Bool {
        abs(values[0] - values[values.count - 2]) == 360 && values[1] == values[values.count - 1]
    }

    /// Whether the last edge goes 360° along a parallel: the ring ended one turn away and was then closed.
    var closesWithATurn: Bool {
        guard isClosed, values.count >= 10 else { return false }
        let last = values.count - 2
        return abs(values[last] - values[last - 2]) == 360 && values[last + 1] == values[last - 1]
    }

    /// Whether rule 4 applies.
    var liesAboutAntimeridian: Bool {
        var longitudes: Set<Double> = []
        for index in stride(from: 0, to: values.count, by: 2) {
            let longitude = values[index]
            // A longitude beyond ±180° needs no interpretation.
            guard (90...180).contains(abs(longitude)) else { return false }
            if longitudes.count < 4 { longitudes.insert(longitude) }
        }
        return longitudes.count == 4
    }

    /// Whether the ring runs counterclockwise, with straight edges between longitudes as written.
    var isCounterclockwise: Bool { signedArea > 0 }

    private var signedArea: Double {
        var sum = 0.0
        for index in stride(from: 0, to: values.count - 2, by: 2) {
            sum += (values[index + 2] - values[index]) * (values[index + 3] + values[index + 1])
        }
        return -sum / 2
    }

    /// Returns the ring with every jump taking the short way. Longitudes may then leave ±180°.
    func unwrapped() -> Ring {
        var ring = Ring()
        ring.values.reserveCapacity(values.count)
        var turn = 0.0
        for index in stride(from: 0, to: values.count, by: 2) {
            if index > 0 {
                if isJump(at: index) { turn += values[index] < values[index - 2] ? 360 : -360 }
            }
            ring.values.append(values[index] + turn)
            ring.values.append(values[index + 1])
        }
        return ring
    }

    /// Returns the ring completed along the antimeridian and the nearer pole, and whether its orientation was right for
    /// that pole. Returns `nil` if the ring ends at the longitude of its start.
    func completedRoundPole() -> (ring: Ring, rightHanded: Bool)? {
        guard let first = values.first, values.count >= 8 else { return nil }
        let last = values[values.count - 2]
        guard last != first else { return nil }
        var sum = 0.0
        for index in stride(from: 1, to: values.count - 2, by: 2) { sum += values[index] }
        let pole = sum >= 0 ? 90.0 : -90.0
        let eastward = last > first
        var ring = self
        ring.values += [last, pole, first, pole, first, values[1]]
        return (ring, eastward == (pole > 0))
    }

    /// Returns the ring shifted east by a number of degrees.
    func shifted(by degrees: Double) -> Ring {
        var ring = self
        if degrees != 0 {
            for index in stride(from: 0, to: values.count, by: 2) { ring.values[index] += degrees }
        }
        return ring
    }
}
