import Glibc
package import HunchModel

/// Draws areas in SVG: longitude to the right, latitude upwards, in degrees.
package struct RegionMap {
    /// An area and its name.
    package struct Area {
        let name: String
        let rings: [[Coordinate]]

        /// - Parameter name: one line without control characters.
        package init(name: String, rings: [[Coordinate]]) { (self.name, self.rings) = (name, rings) }
    }

    private static let colours = [
        "#1b6ca8", "#c0392b", "#2e8b57", "#b8860b", "#6a3d9a", "#d2691e", "#008b8b", "#8b3a62",
    ]
    /// The minimum width of the picture, in degrees.
    private static let least = 2.0
    /// The width of the picture, in pixels.
    private static let width = 1_200.0

    /// The least width and height of a map with land, in degrees: enough to recognize where it is.
    private static let leastWithLand = 30.0

    private let areas: [Area]
    private let land: [[Coordinate]]
    private var west = 180.0
    private var east = -180.0
    private var south = 90.0
    private var north = -90.0

    /// Creates a map of the areas and their surroundings, or of the world if no area has a geometry.
    ///
    /// - Parameter land: the rings of land, for ``plainSVG``.
    package init(_ areas: [Area], land: [[Coordinate]] = []) {
        self.areas = areas
        self.land = land
        for position in areas.lazy.flatMap(\.rings).joined() {
            (west, east) = (min(west, position.longitude), max(east, position.longitude))
            (south, north) = (min(south, position.latitude), max(north, position.latitude))
        }
        guard west <= east else {
            (west, east, south, north) = (-180, 180, -90, 90)
            return
        }
        let size = max(east - west, north - south)
        let margin = max(size * 0.05, (land.isEmpty ? Self.least : max(Self.leastWithLand - size, Self.least)) / 2)
        (west, east) = (max(west - margin, -180), min(east + margin, 180))
        (south, north) = (max(south - margin, -90), min(north + margin, 90))
        if !land.isEmpty { widen() }
    }

    /// Leaves out the poles, and makes the map at least twice as wide as high.
    private mutating func widen() {
        (south, north) = (
            max(south, min(-58, north - Self.leastWithLand)), min(north, max(80, south + Self.leastWithLand))
        )
        let missing = 2 * (north - south) - (east - west) * squeeze
        guard missing > 0 else { return }
        let half = missing / squeeze / 2
        (west, east) = (max(west - half, -180), min(east + half, 180))
    }

    /// The length of a degree of longitude in the middle of the map, in degrees of latitude: both axes have the same scale
    /// there.
    private var squeeze: Double { max(0.2, cos((north + south) / 2 * .pi / 180)) }

    /// The complete document.
    package var svg: String {
        let (wide, high, squeeze) = (east - west, north - south, squeeze)
        let scale = Self.width / (wide * squeeze)
        let height = high * scale
        func x(_ longitude: Double) -> String { number((longitude - west) * squeeze * scale) }
        func y(_ latitude: Double) -> String { number((north - latitude) * scale) }
        var text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(number(Self.width))" height="\(number(height))" \
            viewBox="0 0 \(number(Self.width)) \(number(height))" font-family="sans-serif" font-size="14">
            <rect width="100%" height="100%" fill="#f7f7f2"/>
            <g stroke="#cccccc" stroke-width="1" fill="#888888">

            """
        let step = [1.0, 2, 5, 10, 30].first { max(wide, high) / $0 <= 12 } ?? 30
        for line in stride(from: (west / step).rounded(.up) * step, through: east, by: step) {
            text += "<path d=\"M\(x(line)) 0V\(number(height))\"/>"
            text +=
                "<text stroke=\"none\" x=\"\(x(line))\" y=\"\(number(height - 4))\">\(Int(clamping: line))°</text>\n"
        }
        for line in stride(from: (south / step).rounded(.up) * step, through: north, by: step) {
            text += "<path d=\"M0 \(y(line))H\(number(Self.width))\"/>"
            text += "<text stroke=\"none\" x=\"4\" y=\"\(y(line))\">\(Int(clamping: line))°</text>\n"
        }
        text += "</g>\n"
        for (index, area) in areas.enumerated() {
            let colour = Self.colours[index % Self.colours.count]
            let path = area.rings.map { ring in
                "M" + ring.map { "\(x($0.longitude)) \(y($0.latitude))" }.joined(separator: "L") + "Z"
            }.joined()
            let name = area.name.escapedForMarkup
            text += "<g fill=\"\(colour)\"><title>\(name)</title>"
            text += "<path fill-opacity=\"0.35\" fill-rule=\"evenodd\" stroke=\"\(colour)\" d=\"\(path)\"/>"
            let line = number(22 + 20 * Double(index))
            text += "<text x=\"\(number(Self.width - 12))\" y=\"\(line)\" text-anchor=\"end\">\(name)</text></g>\n"
        }
        return text + "</svg>\n"
    }

    /// A document for programs: the areas over grey land, without background, grid and names, so that it fits a light and a
    /// dark style.
    package var plainSVG: String {
        let squeeze = squeeze
        let scale = Self.width / ((east - west) * squeeze)
        let height = number((north - south) * scale)
        func path(_ rings: [[Coordinate]]) -> String {
            rings.map { ring in
                let positions = ring.map { position in
                    "\(number((position.longitude - west) * squeeze * scale)) \(number((north - position.latitude) * scale))"
                }
                return "M" + positions.joined(separator: "L") + "Z"
            }.joined()
        }
        // The opacity of a group is that of its union, so that overlaps look no darker.
        let shown = areas.map { "<path fill-rule=\"evenodd\" d=\"\(path($0.rings))\"/>" }.joined(separator: "\n")
        let backdrop = land.map { "<path d=\"\(path([$0]))\"/>" }.joined(separator: "\n")
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(number(Self.width))" height="\(height)" \
            viewBox="0 0 \(number(Self.width)) \(height)">
            <g fill="#9a9996" opacity="0.4">
            \(backdrop)
            </g>
            <g fill="#3584e4" opacity="0.75">
            \(shown)
            </g>
            </svg>

            """
    }

    /// Formats a number with one decimal.
    private func number(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? String(Int(clamping: tenths)) : String(tenths)
    }
}
