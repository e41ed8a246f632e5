import Coordinates
import MapLinks
import XML
import HunchModel
import Localization

/// A GPX document: waypoints, routes and tracks.
///
/// The place is the first waypoint; otherwise the end of the first route, with its source; otherwise the beginning of
/// the first track, since people travel to where a track begins. Some apps write tracks before waypoints, against the
/// schema, so the whole document is read until a waypoint is found. Source: GPX 1.1,
/// <https://www.topografix.com/GPX/1/1/>.
final class GPXDocument: PlaceDocument {
    private struct Point {
        let coordinate: Coordinate
        var name: String?

        var item: MapItem { MapItem(name: name, coordinate: coordinate) }
    }

    private var waypoint: ParsedPlace?
    private var route: ParsedPlace?
    private var track: ParsedPlace?
    /// The point that is being read.
    private var point: Point?
    private var routeStart: Point?
    private var routeEnd: Point?
    /// The name of the route or the track that is being read.
    private var name: String?
    private var hasBadPoint = false

    var place: ParsedPlace? { waypoint ?? route ?? track }
    var isDone: Bool { waypoint != nil }

    func fault(in name: String) -> PlaceError {
        hasBadPoint
            ? DocumentText.badPoint(in: name)
            : PlaceError(
                .noPosition, localized("%1 has no position; give a GPX file with a waypoint, a route or a track", name))
    }

    func start(_ element: XMLElement, in path: [String]) -> Int {
        switch (element.name, path.last) {
        case ("wpt", "gpx"), ("rtept", "rte"): point = readPoint(element)
        case ("trkpt", _):
            guard track == nil, let point = readPoint(element) else { break }
            track = ParsedPlace(item: MapItem(name: name, coordinate: point.coordinate), rule: "gpx")
        case ("rte", _), ("trk", _): (name, routeStart, routeEnd) = (nil, nil, nil)
        case ("name", "wpt"), ("name", "rtept"), ("name", "rte"), ("name", "trk"): return DocumentText.maximumName
        default: break
        }
        return 0
    }

    func end(_ element: XMLText, in path: [String]) {
        switch (element.name, path.last) {
        case ("name", "wpt"), ("name", "rtept"): point?.name = element.text.singleSpaced
        case ("name", "rte"), ("name", "trk"): name = element.text.singleSpaced
        case ("wpt", "gpx"):
            waypoint = point.map { ParsedPlace(item: $0.item, rule: "gpx") }
        case ("rtept", "rte"):
            routeStart = routeStart ?? point
            routeEnd = point ?? routeEnd
        case ("rte", _): endRoute()
        default: break
        }
        if ["wpt", "rtept"].contains(element.name) { point = nil }
    }

    private func endRoute() {
        guard route == nil, let routeEnd, let routeStart else { return }
        var item = routeEnd.item
        item.name = item.name ?? name
        // A route of one point has no source.
        let source = routeStart.coordinate == routeEnd.coordinate ? nil : routeStart.item
        route = ParsedPlace(item: item, rule: "gpx", source: source)
    }

    private func readPoint(_ element: XMLElement) -> Point? {
        let coordinate = DocumentText.coordinate(
            latitude: element.attributes["lat"], longitude: element.attributes["lon"])
        if coordinate == nil { hasBadPoint = true }
        return coordinate.map { Point(coordinate: $0) }
    }
}
