import Glibc
package import HunchModel

/// The reference systems of maps of China, which shift coordinates within the country by up to a kilometre.
///
/// GCJ-02 is prescribed by law; Baidu's BD-09 is based on it. Both are converted by inverting the published formulas,
/// which agree with the official ones to about a metre. Outside mainland China, Hong Kong and Macau coordinates are
/// WGS 84.
///
/// Source of the formulas: https://en.wikipedia.org/wiki/Restrictions_on_geographic_data_in_China and the libraries
/// that it names. Of the area: http://www.cnblogs.com/Aimeast/archive/2012/08/09/2629614.html
package enum ChinaDatum: Sendable {
    /// GCJ-02, of Amap, Tencent and google.cn.
    case gcj02
    /// BD-09, of Baidu.
    case bd09
    /// WGS 84, without shift.
    case wgs84

    private struct Point {
        var latitude: Double
        var longitude: Double
    }

    /// Returns the coordinate in WGS 84.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` if it is out of range.
    package func wgs84(_ shifted: Coordinate) throws(PlaceError) -> Coordinate {
        guard self != .wgs84, Self.isShifted(shifted) else { return shifted }
        var point = Point(latitude: shifted.latitude, longitude: shifted.longitude)
        if self == .bd09 { point = Self.inverted(point, of: Self.baidu) }
        point = Self.inverted(point, of: Self.shift)
        return try PlaceText.coordinate(point.latitude, point.longitude)
    }

    /// Returns the coordinate in WGS 84, if there is one.
    package func wgs84(_ shifted: Coordinate?) throws(PlaceError) -> Coordinate? {
        guard let shifted else { return nil }
        return try wgs84(shifted)
    }

    /// Inverts a formula by iteration. Two rounds reach a centimetre; the others are a safety margin.
    private static func inverted(_ target: Point, of formula: (Point) -> Point) -> Point {
        var point = target
        for _ in 0..<20 {
            let shifted = formula(point)
            let north = shifted.latitude - target.latitude
            let east = shifted.longitude - target.longitude
            point.latitude -= north
            point.longitude -= east
            if max(abs(north), abs(east)) < 1e-11 { break }
        }
        return point
    }

    /// Converts WGS 84 to GCJ-02.
    private static func shift(_ point: Point) -> Point {
        // The ellipsoid of Krasovsky.
        let radius = 6_378_245.0
        let squaredEccentricity = 0.006_693_421_622_965_943
        let x = point.longitude - 105
        let y = point.latitude - 35
        let waves = 20 * sin(6 * x * .pi) + 20 * sin(2 * x * .pi)
        let north =
            -100 + 2 * x + 3 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * abs(x).squareRoot()
            + (waves + 20 * sin(y * .pi) + 40 * sin(y / 3 * .pi) + 160 * sin(y / 12 * .pi) + 320 * sin(y / 30 * .pi))
            * 2 / 3
        let east =
            300 + x + 2 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * abs(x).squareRoot()
            + (waves + 20 * sin(x * .pi) + 40 * sin(x / 3 * .pi) + 150 * sin(x / 12 * .pi) + 300 * sin(x / 30 * .pi))
            * 2 / 3
        let latitude = point.latitude / 180 * .pi
        let curve = 1 - squaredEccentricity * sin(latitude) * sin(latitude)
        let meridian = radius * (1 - squaredEccentricity) / (curve * curve.squareRoot())
        let parallel = radius / curve.squareRoot() * cos(latitude)
        return Point(
            latitude: point.latitude + north * 180 / (meridian * .pi),
            longitude: point.longitude + east * 180 / (parallel * .pi))
    }

    /// Converts GCJ-02 to BD-09.
    private static func baidu(_ point: Point) -> Point {
        let turn = Double.pi * 3_000 / 180
        let radius =
            (point.longitude * point.longitude + point.latitude * point.latitude).squareRoot()
            + 0.000_02 * sin(point.latitude * turn)
        let angle = atan2(point.latitude, point.longitude) + 0.000_003 * cos(point.longitude * turn)
        return Point(latitude: radius * sin(angle) + 0.006, longitude: radius * cos(angle) + 0.0065)
    }

    // MARK: Area

    private struct Box {
        let north: Double, west: Double, south: Double, east: Double

        init(_ north: Double, _ west: Double, _ south: Double, _ east: Double) {
            (self.north, self.west, self.south, self.east) = (north, west, south, east)
        }

        func contains(_ place: Coordinate) -> Bool {
            (south...north).contains(place.latitude) && (west...east).contains(place.longitude)
        }
    }

    private static let mainland = [
        Box(49.2204, 79.4462, 42.8899, 96.33), Box(54.1415, 109.6872, 39.3742, 135.0002),
        Box(42.8899, 73.1246, 29.5297, 124.143_255), Box(29.5297, 82.9684, 26.7186, 97.0352),
        Box(29.5297, 97.0253, 20.414_096, 124.367_395), Box(20.414_096, 107.975_793, 17.871_542, 111.744_104),
    ]
    private static let neighbours = [
        Box(25.398_623, 119.921_265, 21.785_006, 122.497_559), Box(22.284, 101.8652, 20.0988, 106.665),
        Box(21.5422, 106.4525, 20.4878, 108.051), Box(55.8175, 109.0323, 50.3257, 119.127),
        Box(55.8175, 127.4568, 49.5574, 137.0227), Box(44.8922, 131.2662, 42.5692, 137.0227),
    ]

    /// Returns whether maps of China shift a coordinate.
    private static func isShifted(_ place: Coordinate) -> Bool {
        mainland.contains { $0.contains(place) } && !neighbours.contains { $0.contains(place) }
    }
}

/// The map projection of Baidu: metres, which polynomials convert to BD-09.
///
/// Source: the script of Baidu's own JavaScript API, which many libraries repeat.
package enum BaiduMercator {
    private struct Band {
        let least: Double
        let factors: [Double]
    }

    private static let bands = [
        Band(
            least: 12_890_594.86,
            factors: [
                1.410526172116255e-8, 8.98305509648872e-6, -1.9939833816331, 200.9824383106796, -187.2403703815547,
                91.6087516669843, -23.38765649603339, 2.57121317296198, -0.03801003308653, 17337981.2,
            ]),
        Band(
            least: 8_362_377.87,
            factors: [
                -7.435856389565537e-9, 8.983055097726239e-6, -0.78625201886289, 96.32687599759846, -1.85204757529826,
                -59.36935905485877, 47.40033549296737, -16.50741931063887, 2.28786674699375, 10260144.86,
            ]),
        Band(
            least: 5_591_021,
            factors: [
                -3.030883460898826e-8, 8.98305509983578e-6, 0.30071316287616, 59.74293618442277, 7.357984074871,
                -25.38371002664745, 13.45380521110908, -3.29883767235584, 0.32710905363475, 6856817.37,
            ]),
        Band(
            least: 3_481_989.83,
            factors: [
                -1.981981304930552e-8, 8.983055099779535e-6, 0.03278182852591, 40.31678527705744, 0.65659298677277,
                -4.44255534477492, 0.85341911805263, 0.12923347998204, -0.04625736007561, 4482777.06,
            ]),
        Band(
            least: 1_678_043.12,
            factors: [
                3.09191371068437e-9, 8.983055096812155e-6, 6.995724062e-5, 23.10934304144901, -2.3663490511e-4,
                -0.6321817810242, -0.00663494467273, 0.03430082397953, -0.00466043876332, 2555164.4,
            ]),
        Band(
            least: 0,
            factors: [
                2.890871144776878e-9, 8.983055095805407e-6, -3.068298e-8, 7.47137025468032, -3.53937994e-6,
                -0.02145144861037, -1.234426596e-5, 1.0322952773e-4, -3.23890364e-6, 826088.5,
            ]),
    ]

    /// Returns the BD-09 coordinate of a projected point in metres.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` if there is none.
    package static func position(x: Double, y: Double) throws(PlaceError) -> Coordinate {
        guard let factors = bands.first(where: { abs(y) >= $0.least })?.factors else {
            return try PlaceText.coordinate(.nan, .nan)
        }
        let part = abs(y) / factors[9]
        let latitude = factors[2...8].reversed().reduce(0) { $0 * part + $1 }
        let longitude = factors[0] + factors[1] * abs(x)
        return try PlaceText.coordinate(y < 0 ? -latitude : latitude, x < 0 ? -longitude : longitude)
    }
}
