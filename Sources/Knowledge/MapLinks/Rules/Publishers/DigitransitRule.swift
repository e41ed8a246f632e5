import Coordinates
import HunchModel

/// Links of Digitransit, the journey planner of Finland's regions and others: `/reitti/START/END`.
///
/// Source: https://github.com/HSLdevcom/digitransit-ui, app/util/path.js
struct DigitransitRule: PublisherRule {
    let name = "digitransit"
    let hosts = [
        "reittiopas.hsl.fi", "reittiopas.fi", "opas.matka.fi", "digitransit.fi", "reittiopas.tampere.fi",
        "reittiopas.foli.fi", "opas.waltti.fi", "peatus.ee", "stadtnavi.de", "bbnavi.de",
    ]

    private static let modes: [String: Set<TransportMode>] = [
        "bike": [.bike], "pyora": [.bike], "walk": [.pedestrian], "kavely": [.pedestrian], "car": [.car],
        "auto": [.car],
    ]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        // Other pages, such as those of stops and routes, have an identifier that only the service knows.
        guard let first = link.segments.first else { throw Self.noPlace }
        guard ["reitti", "reiseplan", "itinerary", "matka"].contains(first.lowercased()), link.segments.count >= 3
        else {
            throw link.segments.count > 1 ? needsNetwork(link) : Self.noPlace
        }
        return try answer(
            Self.end(link.segment(2)), from: Self.end(link.segment(1)),
            by: Self.modes[link.segment(3)?.lowercased() ?? ""] ?? [])
    }

    /// Reads `NAME::LAT,LON`, words, `-` for nothing, or `POS` for the user's own position.
    private static func end(_ text: String?) throws(PlaceError) -> MapItem? {
        guard let text, text != "-", text != "POS" else { return nil }
        if let item = try PlaceText.namedPosition(text) { return item }
        return try PlaceText.item(text)
    }
}
