import Glibc
package import HunchModel

/// Zoom, latitude and longitude in the fragment of web maps: `map=15/52.5/13.4`, `marker=…` or `15/52.5/13.4`.
package struct MapFragment {
    package let zoom: Double?
    package let coordinate: Coordinate
    /// Whether the coordinate is a pin instead of the centre of the map.
    package let isMarker: Bool

    /// The circumference of the Earth in metres.
    private static let equator = 40_075_017.0
    /// The zoom level of a view without one. A town fits into such a view.
    private static let usualZoom = 13.0

    /// Returns half the width, in metres, of a view of 512 pixels.
    package static func radius(ofViewAt middle: Coordinate, zoom: Double?) -> Double {
        let tile = equator * cos(middle.latitude * .pi / 180) / exp2(zoom ?? usualZoom)
        return max(1, tile.rounded())
    }

    /// Returns whether a view shows more than a town. People who share a point usually show the streets around it.
    package static func showsRegion(_ zoom: Double?) -> Bool { zoom.map { $0 < usualZoom } ?? false }

    /// Reads a fragment; `nil` if it contains no view. A pin counts before the view, wherever it appears.
    ///
    /// - Parameter wraps: whether the map scrolls around the Earth, so that the longitude may be a turn off.
    package init?(_ fragment: Substring, wraps: Bool = true) {
        let fields = fragment.drop { $0 == "!" }.split(separator: "&")
        for field in fields.filter({ $0.hasPrefix("marker=") }) + fields {
            let isMarker = field.hasPrefix("marker=")
            let view = isMarker ? field.dropFirst(7) : field.hasPrefix("map=") ? field.dropFirst(4) : field
            guard let decoded = try? PercentEncoding.decode(view) else { continue }
            let parts = decoded.split(separator: "/")
            guard parts.count >= 3, DecimalNumber.value(of: parts[0]) != nil,
                let coordinate = try? PlaceText.coordinate(latitude: parts[1], longitude: parts[2], wraps: wraps)
            else { continue }
            zoom = PlaceText.zoom(parts[0])
            self.coordinate = coordinate
            self.isMarker = isMarker
            return
        }
        return nil
    }
}
