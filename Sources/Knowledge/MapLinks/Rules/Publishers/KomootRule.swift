import Coordinates
import HunchModel
import JourneyWords

/// Links of the komoot planner and of its search, `/discover/PLACE/@LAT,LON`. Only komoot knows its tours and
/// highlights. Observed, undocumented.
struct KomootRule: PublisherRule {
    let name = "komoot"
    let hosts = ["komoot.com", "komoot.de"]

    private static let sports: [String: Set<TransportMode>] = [
        "hike": [.pedestrian], "jogging": [.pedestrian], "mountaineering": [.pedestrian],
        "mountaineeringeasy": [.pedestrian], "racebike": [.bike], "touringbicycle": [.bike], "mtb": [.bike],
        "mtb_easy": [.bike], "mtb_advanced": [.bike], "e_touringbicycle": [.bike], "e_mtb": [.bike],
        "citybike": [.bike], "unicycle": [.bike],
    ]
    private static let mostPoints = 64

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let words = link.segments.map { $0.lowercased() }
        guard let plan = words.firstIndex(where: { $0 == "plan" || $0 == "discover" }), !words.contains("tour") else {
            let isKnownToKomoot = words.contains {
                ["tour", "highlight", "collection", "user", "smarttour"].contains($0)
            }
            throw isKnownToKomoot ? needsNetwork(link) : Self.noPlace
        }
        let query = link.query
        // "p[0]" without a coordinate is the user's own position.
        let hasOpenStart = query.has("p[0]") && !query.has("p[0][loc]")
        var points: [MapItem] = []
        for number in (hasOpenStart ? 1 : 0)..<Self.mostPoints {
            guard let position = try query.coordinate("p[\(number)][loc]") else { break }
            points.append(MapItem(name: try query.name(among: ["p[\(number)][name]"]), coordinate: position))
        }
        let view = link.segments.dropFirst(plan + 1).first { $0.hasPrefix("@") }
        let parts = try PercentEncoding.decode(view?.dropFirst() ?? "").split(separator: ",")
        let middle =
            parts.count >= 2 ? try PlaceText.coordinate(latitude: parts[0], longitude: parts[1]) as Coordinate? : nil
        let zoom = parts.count > 2 ? PlaceText.zoom(parts[2].hasSuffix("z") ? parts[2].dropLast() : parts[2]) : nil
        let modes = TravelWords.modes(try query.text("sport"), special: Self.sports)
        guard let end = points.last else {
            var place = try self.view(middle, zoom: zoom)
            place.modes = modes
            return place
        }
        return try answer(end, zoom: zoom, from: points.count > 1 && !hasOpenStart ? points.first : nil, by: modes)
    }
}
