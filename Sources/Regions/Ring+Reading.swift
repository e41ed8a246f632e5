internal import HunchModel

/// The interpretation of a ring that may cross the antimeridian.
///
/// RFC 7946 asks for areas to be cut at the antimeridian (§3.1.9) and counts an edge as a straight line between its
/// longitudes as written (§3.1.1). Files that are not cut are understood as follows.
///
/// 1. A longitude beyond ±180° means what it says: 190° is 170° west. The ring stays in one piece and is cut later.
/// 2. An edge of more than 180° but less than 360° of longitude, but for one at a pole, is a *jump*: either a long edge, or a short one across
///    the antimeridian. A ring with jumps is read as written when that gives a ring that does not cross itself and runs
///    the right way round (§3.1.6: the area lies to the left of its outer ring, to the right of a hole); else each
///    jump is taken the short way.
/// 3. Taken the short way, a ring may go once round the earth. It then surrounds the pole that is nearer to it, and is
///    completed along the antimeridian and the pole. This reading comes first when the ring runs the right way round
///    for that pole. The last position may then be the first a turn away, as in a ring from 180° west to 180° east; if that was closed all the same, and crosses itself so, its last edge is none.
/// 4. A ring of at least four longitudes all of which lie within 90° of the antimeridian is about the antimeridian, and
///    its jumps are taken the short way whichever way round it runs: what is nearly as wide as the earth has positions
///    in between.
extension Ring {
    /// Longitudes and latitudes that a ring spans, in degrees.
    struct Span {
        var west = Double.infinity
        var east = -Double.infinity
        var south = Double.infinity
        var north = -Double.infinity
        var jumps = false
    }

    /// The span of a ring, or the first position that names no place.
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

    /// Whether the edge that ends at a value is a jump. At a pole all longitudes are one, and an edge there is as written.
    private func isJump(at index: Int) -> Bool {
        let step = abs(values[index] - values[index - 2])
        return step > 180 && step < 360 && !(abs(values[index + 1]) == 90 && values[index + 1] == values[index - 1])
    }

    private func fault(at index: Int) -> RegionError {
        let place = position(index)
        let reason =
            if !place.longitude.isFinite || !place.latitude.isFinite {
                "position \(index + 1) has a number that is not finite"
            } else if abs(place.latitude) > 90 {
                "position \(index + 1) has a latitude outside −90…90 degrees"
            } else {
                "position \(index + 1) has a longitude outside ±\(Int(clamping: CoverageLimits.longitude)) degrees"
            }
        return RegionError(.badPosition, reason, position: place)
    }

    /// Whether the last position is the first.
    var isClosed: Bool {
        values[0] == values[values.count - 2] && values[1] == values[values.count - 1]
    }

    /// Whether the last position is the first after one turn round the earth.
    var endsATurnAway: Bool {
        abs(values[0] - values[values.count - 2]) == 360 && values[1] == values[values.count - 1]
    }

    /// Whether it closes with an edge of one turn along a parallel: it ended a turn away, and was closed all the same.
    var closesWithATurn: Bool {
        guard isClosed, values.count >= 10 else { return false }
        let last = values.count - 2
        return abs(values[last] - values[last - 2]) == 360 && values[last + 1] == values[last - 1]
    }

    /// Rule 4.
    var liesAboutAntimeridian: Bool {
        var longitudes: Set<Double> = []
        for index in stride(from: 0, to: values.count, by: 2) {
            let longitude = values[index]
            // Beyond ±180° it says itself where it lies.
            guard (90...180).contains(abs(longitude)) else { return false }
            if longitudes.count < 4 { longitudes.insert(longitude) }
        }
        return longitudes.count == 4
    }

    /// Whether the ring runs counterclockwise, its edges being straight lines between longitudes as written.
    var isCounterclockwise: Bool { signedArea > 0 }

    private var signedArea: Double {
        var sum = 0.0
        for index in stride(from: 0, to: values.count - 2, by: 2) {
            sum += (values[index + 2] - values[index]) * (values[index + 3] + values[index + 1])
        }
        return -sum / 2
    }

    /// The ring with every jump taken the short way, so that longitudes may leave ±180°.
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

    /// For a ring that ends a whole turn from where it began: the ring completed along the nearer pole, and whether it
    /// ran the right way round for it. `nil` for a ring that ends where it began.
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

    /// The ring a number of degrees further east.
    func shifted(by degrees: Double) -> Ring {
        var ring = self
        if degrees != 0 {
            for index in stride(from: 0, to: values.count, by: 2) { ring.values[index] += degrees }
        }
        return ring
    }
}
