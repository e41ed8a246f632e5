import Coordinates
import HunchModel
import JourneyWords
import Localization

/// Links of Bing Maps and of Windows' maps.
///
/// Sources: Microsoft's "Create a custom map URL", "Launch the Windows Maps app" and "Request driving or walking
/// directions" pages.
struct BingRule: LinkRule {
    let name = "bing"

    private static let appModes: [String: Set<TransportMode>] = [
        "ms-drive-to": [.car], "ms-walk-to": [.pedestrian], "ms-transit-to": TransportMode.transit,
    ]
    private static let letters: [String: Set<TransportMode>] = ["t": TransportMode.transit]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let query = link.query
        if let modes = Self.appModes[link.scheme] {
            let position = try query.coordinate(
                latitude: ["destination.latitude"], longitude: ["destination.longitude"])
            return try answer(item(query.name("destination.name"), at: position), by: modes)
        }
        let isWeb = link.isWeb && (link.host == "bing.com" && link.pathBegins("maps") || link.host == "maps.bing.com")
        guard isWeb || link.scheme == "bingmaps" else { return nil }

        let zoom = query.zoom("lvl")
        let middle = try query.text("cp").map { text throws(PlaceError) in
            try PlaceText.coordinate(text, separator: "~")
        }
        if let points = try query.text("rtp")?.split(separator: "~", omittingEmptySubsequences: false) {
            return try answer(
                waypoint(points.last ?? ""), zoom: zoom, from: points.count > 1 ? waypoint(points[0]) : nil,
                via: points.dropFirst().dropLast().map { String($0) },
                by: TravelWords.modes(query.text("mode"), special: Self.letters), near: middle)
        }
        if let pins = try query.text("sp", "collection"), let item = try pin(pins) {
            return try answer(item, zoom: zoom, near: middle)
        }
        if let text = try query.text("where1", "where", "q", "ss") {
            return try answer(PlaceText.item(Self.business(text)), zoom: zoom, near: middle)
        }
        let shown = if let middle { middle as Coordinate? } else { try Self.middle(query.text("bb")) }
        guard let shown else {
            if query.has("osid", "cid", "id") { throw needsNetwork(link) }
            throw Self.noPlace
        }
        return try view(shown, zoom: zoom)
    }

    /// Returns the TEXT of a search for businesses, `yp.TEXT~pg.PAGE~sst.ORDER`; any other text unchanged.
    private static func business(_ text: String) -> String {
        let part = text.split(separator: "~").first { $0.cut(toBytes: 3).lowercased() == "yp." }
        return part.map { String($0.dropFirst(3)).trimmed } ?? text
    }

    /// Returns the centre of `SOUTHWEST~NORTHEAST`, each `LAT_LON`. If the box crosses the antimeridian, the western
    /// longitude is the larger number.
    private static func middle(_ text: String?) throws(PlaceError) -> Coordinate? {
        guard let text else { return nil }
        let corners = text.split(separator: "~", maxSplits: 1)
        guard corners.count == 2 else {
            throw PlaceError(
                .badCoordinate,
                localized("“%1” in the link is not a box of two corners with “~” between them", text.cut(to: 40)))
        }
        let southWest = try PlaceText.coordinate(corners[0], separator: "_")
        let northEast = try PlaceText.coordinate(corners[1], separator: "_")
        let east = northEast.longitude + (northEast.longitude < southWest.longitude ? 360 : 0)
        return try PlaceText.coordinate(
            (southWest.latitude + northEast.latitude) / 2, (southWest.longitude + east) / 2)
    }

    /// Returns the first `point.LAT_LON_TITLE_…` or `adr.ADDRESS` of pins separated by `~`.
    private func pin(_ text: String) throws(PlaceError) -> MapItem? {
        for pin in text.split(separator: "~") {
            if pin.cut(toBytes: 6).lowercased() == "point." { return try point(pin.dropFirst(6)) }
            if pin.cut(toBytes: 4).lowercased() == "adr." { return try waypoint(pin) }
        }
        return nil
    }

    /// Reads `pos.LAT_LON_NAME` or `adr.ADDRESS`; `nil` for an empty text, which means the user's own position.
    private func waypoint(_ text: Substring) throws(PlaceError) -> MapItem? {
        if text.cut(toBytes: 4).lowercased() == "pos." { return try point(text.dropFirst(4)) }
        return try PlaceText.item(
            String(text.cut(toBytes: 4).lowercased() == "adr." ? text.dropFirst(4) : text).trimmed)
    }

    private func point(_ text: Substring) throws(PlaceError) -> MapItem? {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        let position = try PlaceText.coordinate(parts.prefix(2).joined(separator: "_"), separator: "_")
        return try item(parts.count > 2 ? String(parts[2]).trimmed : nil, at: position)
    }
}
