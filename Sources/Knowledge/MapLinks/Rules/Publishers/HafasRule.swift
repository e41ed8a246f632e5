package import Coordinates
import HunchModel

/// Links of journey planners that use HAFAS or EFA, on known hosts; see ``place(ofLocationsOnlyIn:)`` for others.
///
/// A location of HAFAS is `A=1@O=NAME@X=LONGITUDE@Y=LATITUDE@`, in microdegrees. EFA writes
/// `LONGITUDE:LATITUDE:WGS84[dd.ddddd]` or words.
///
/// Sources: https://github.com/public-transport/hafas-client, and the planners' own links.
package struct HafasRule: PublisherRule {
    package let name: String
    let hosts: [String]

    /// The rule for planners on unknown hosts.
    package static let unlisted = HafasRule(name: "hafas", hosts: [])

    static let planners = [
        HafasRule(
            name: "hafas",
            hosts: [
                "bahn.de", "oebb.at", "anachb.vor.at", "bvg.de", "vbb.de", "rmv.de", "saarfahrplan.de",
                "rejseplanen.dk",
                "journeyplanner.irishrail.ie", "resrobot.se", "nasa.de", "vsn.de", "avv.de", "nvv.de", "insa.de",
                "mobiliteit.lu", "vmobil.at", "verbundlinie.at", "salzburg-verkehr.at", "ooevv.at", "vvt.at",
            ]),
        HafasRule(
            name: "efa",
            hosts: [
                "bayern-fahrplan.de", "kvv.de", "vgn.de", "mvv-muenchen.de", "vrr.de", "vvs.de", "vvo-online.de",
                "efa-bw.de", "ding.eu", "naldo.de", "vrn.de", "avv-augsburg.de",
            ]),
    ]

    package func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        if let place = try place(ofLocationsIn: link) { return place }
        let fields = link.fields
        if fields.has("vbid", "ctxrecon", "stopid") { throw needsNetwork(link) }
        throw Self.noPlace
    }

    /// Returns the route between the locations of a link; `nil` if it has no location of HAFAS or EFA.
    func place(ofLocationsIn link: Link) throws(PlaceError) -> ParsedPlace? {
        var fields = link.fields
        if link.fragment.hasPrefix("!") {
            // Rejseplanen: "#!S|START!Z|END!start|1".
            let query = link.fragment.dropFirst().replacing("%7C", with: "=").replacing("|", with: "=")
            fields = LinkQuery(query.replacing("!", with: "&")[...])
        }
        let end = try Self.end(fields, ["zid", "zoid"], ["z", "zo", "req0journeystopsz0g"], "name_destination")
        guard let end else { return nil }
        return try answer(
            end, from: Self.end(fields, ["sid", "soid"], ["s", "so", "req0journeystopss0g"], "name_origin"),
            by: TransportMode.transit)
    }

    /// Returns the place of HAFAS locations in a link to an unknown host.
    package func place(ofLocationsOnlyIn link: Link) throws(PlaceError) -> ParsedPlace? {
        let fields = link.fields
        guard let end = try Self.end(fields, ["zid", "zoid"], [], "") else { return nil }
        return try answer(end, from: Self.end(fields, ["sid", "soid"], [], ""), by: TransportMode.transit)
    }

    private static func end(
        _ fields: LinkQuery, _ locations: [String], _ words: [String], _ ofEFA: String
    ) throws(PlaceError) -> MapItem? {
        if let text = try fields.text(among: locations), let item = try location(text) { return item }
        if let text = try fields.text(among: [ofEFA]) {
            let parts = text.split(separator: ":")
            if parts.count >= 3, parts[2].hasPrefix("WGS84") {
                return MapItem(coordinate: try PlaceText.coordinate(latitude: parts[1], longitude: parts[0]))
            }
            return try PlaceText.item(text)
        }
        guard var text = try fields.text(among: words) else { return nil }
        // A "!" at the end tells HAFAS to use the words literally.
        if text.hasSuffix("!") { text.removeLast() }
        return try PlaceText.item(text)
    }

    /// Returns the place of a HAFAS location; `nil` for any other text.
    static func location(_ text: String) throws(PlaceError) -> MapItem? {
        guard text.contains("@") else { return nil }
        var parts: [Substring: Substring] = [:]
        for part in text.split(separator: "@") {
            let name = part.prefix { $0 != "=" }
            parts[name] = part.dropFirst(name.count + 1)
        }
        let name = try PlaceText.name(parts["O"].map { String($0).singleSpaced })
        guard let x = parts["X"].flatMap({ DecimalNumber.value(of: $0) }),
            let y = parts["Y"].flatMap({ DecimalNumber.value(of: $0) })
        else { return name.map { MapItem(query: $0) } }
        return MapItem(name: name, coordinate: try PlaceText.coordinate(y / 1e6, x / 1e6))
    }
}
