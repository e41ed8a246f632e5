import Coordinates
import MapLinks
import XML
import HunchModel
import Localization

/// A KML document.
///
/// The place is the first of these that the document has: the point or the model of a placemark, the beginning of a line
/// or track, the address of a placemark, the view of a placemark, the centre of an area, the view of the whole document.
///
/// Source: OGC 12-007r2, and Google's extension namespace for tracks.
final class KMLDocument: PlaceDocument {
    /// The maximum size of a geometry, in bytes. Only the centre of an area needs more than the first position.
    private static let maximumGeometry = 1 << 20
    /// The maximum number of links to other documents, and the maximum length of one, in bytes.
    private static let maximumLinks = 16
    private static let longestLink = 1_024

    /// The parts of a placemark.
    private struct Placemark {
        var name: String?
        var address: String?
        var point: Coordinate?
        var line: Coordinate?
        var view: Coordinate?
        var area: Coordinate?
    }

    private(set) var isDone = false
    private var placemark: Placemark?
    private var point: MapItem?
    private var line: MapItem?
    private var address: MapItem?
    private var view: MapItem?
    private var area: MapItem?
    private var documentView: MapItem?
    private var latitude: String?
    private var longitude: String?
    private var hasBadPoint = false
    /// The links to other documents, in the order of the document.
    private(set) var links: [String] = []

    var place: ParsedPlace? {
        (point ?? line ?? address ?? view ?? area ?? documentView).map { ParsedPlace(item: $0, rule: "kml") }
    }

    func fault(in name: String) -> PlaceError {
        guard let link = links.first else {
            return hasBadPoint
                ? DocumentText.badPoint(in: name)
                : PlaceError(.noPosition, localized("%1 has no position; give a KML file with a placemark", name))
        }
        guard Self.isLocal(link) else {
            return PlaceError(
                .needsNetwork,
                localized("%1 only links to a document on the network; open it there, and save its places as KML", name)
            )
        }
        return PlaceError(
            .noPosition, localized("%1 only links to the file “%2”; give that file", name, link.cut(to: 60)))
    }

    /// Returns whether a link means a file next to the document, or in the same archive.
    static func isLocal(_ link: String) -> Bool {
        !link.hasPrefix("/") && !link.utf8.prefix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: ":"))
    }

    func start(_ element: XMLElement, in path: [String]) -> Int {
        switch (element.name, path.last) {
        case ("Placemark", _): placemark = Placemark()
        case ("name", "Placemark"), ("address", "Placemark"), ("coord", "Track"): return DocumentText.maximumName
        case ("coordinates", "Point"), ("coordinates", "LineString"): return Self.maximumGeometry
        case ("coordinates", "LinearRing"): return path.contains("innerBoundaryIs") ? 0 : Self.maximumGeometry
        // Version 2.0 named the element of the link “Url”.
        case ("href", "Link"), ("href", "Url"): return path.contains("NetworkLink") ? Self.longestLink : 0
        case ("LookAt", _), ("Camera", _), ("Location", "Model"): (latitude, longitude) = (nil, nil)
        case ("latitude", "LookAt"), ("latitude", "Camera"), ("latitude", "Location"), ("longitude", "LookAt"),
            ("longitude", "Camera"), ("longitude", "Location"):
            return 4 * DecimalNumber.maximumLength
        default: break
        }
        return 0
    }

    func end(_ element: XMLText, in path: [String]) {
        switch (element.name, path.last) {
        case ("Placemark", _): endPlacemark()
        case ("name", "Placemark"): placemark?.name = element.text.singleSpaced
        case ("address", "Placemark"): placemark?.address = element.text.singleSpaced
        case ("coord", "Track"), ("coordinates", "LineString"):
            if placemark?.line == nil { placemark?.line = firstPoint(in: element.text) }
        case ("coordinates", "Point"):
            if placemark?.point == nil { placemark?.point = firstPoint(in: element.text) }
        case ("coordinates", "LinearRing"): endRing(element, in: path)
        case ("latitude", _): latitude = element.text.singleSpaced
        case ("longitude", _): longitude = element.text.singleSpaced
        case ("LookAt", let parent), ("Camera", let parent): endView(of: parent)
        case ("Location", "Model"):
            if placemark?.point == nil {
                placemark?.point = DocumentText.coordinate(latitude: latitude, longitude: longitude)
            }
        case ("href", _):
            let link = element.text.singleSpaced
            if !link.isEmpty, !element.isCut, links.count < Self.maximumLinks { links.append(link) }
        default: break
        }
    }

    private func endPlacemark() {
        defer { placemark = nil }
        guard let placemark else { return }
        func item(_ coordinate: Coordinate?) -> MapItem? {
            coordinate.map { MapItem(name: placemark.name, coordinate: $0) }
        }
        point = item(placemark.point)
        isDone = point != nil
        line = line ?? item(placemark.line)
        view = view ?? item(placemark.view)
        area = area ?? item(placemark.area)
        if let text = placemark.address, !text.isEmpty, address == nil {
            address = MapItem(name: placemark.name == text ? nil : placemark.name, query: text)
        }
    }

    private func endRing(_ element: XMLText, in path: [String]) {
        if path.contains("Polygon") {
            if placemark?.area == nil, !element.isCut {
                placemark?.area = checked(Self.middle(of: element.text), in: element.text)
            }
        } else if placemark?.line == nil {
            placemark?.line = firstPoint(in: element.text)
        }
    }

    /// Returns a position, and remembers whether the list that should have it is invalid.
    private func checked(_ position: Coordinate?, in list: String) -> Coordinate? {
        if position == nil, list.contains(where: \.isNumber) { hasBadPoint = true }
        return position
    }

    private func firstPoint(in list: String) -> Coordinate? {
        checked(Self.first(of: list), in: list)
    }

    private func endView(of parent: String?) {
        guard let coordinate = DocumentText.coordinate(latitude: latitude, longitude: longitude) else { return }
        if placemark != nil {
            placemark?.view = coordinate
        } else if documentView == nil, ["Document", "Folder", "kml"].contains(parent) {
            documentView = MapItem(coordinate: coordinate)
        }
    }

    /// Returns the first position of a list. Its numbers are separated by commas, or by blanks as some programs write.
    private static func first(of list: String) -> Coordinate? {
        let numbers = list.split(maxSplits: 2) { $0 == "," || $0.isWhitespace }
        guard numbers.count >= 2 else { return nil }
        return DocumentText.coordinate(latitude: numbers[1], longitude: numbers[0])
    }

    /// Returns the centre of the box around a ring; `nil` if a corner is invalid. A box wider than half the Earth
    /// crosses the antimeridian.
    private static func middle(of ring: String) -> Coordinate? {
        let written = ring.split(whereSeparator: \.isWhitespace)
        let corners = written.compactMap { first(of: String($0)) }
        guard corners.count == written.count else { return nil }
        var longitudes = corners.map(\.longitude)
        guard let north = corners.map(\.latitude).max(), let south = corners.map(\.latitude).min(),
            let east = longitudes.max(), let west = longitudes.min()
        else { return nil }
        if east - west > 180 { longitudes = longitudes.map { $0 < 0 ? $0 + 360 : $0 } }
        guard let east = longitudes.max(), let west = longitudes.min() else { return nil }
        return try? Coordinate(latitude: (north + south) / 2, longitude: (east + west) / 2)
    }
}
