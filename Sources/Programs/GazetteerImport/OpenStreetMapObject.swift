import Foundation
import Geocoding
internal import HunchModel

/// A place described by the tags of an OpenStreetMap object.
struct OpenStreetMapObject {
    let tags: [String: String]

    private static let nameKeys = [
        "int_name", "alt_name", "official_name", "short_name", "iata", "icao",
    ]
    /// The keys of doubtful names, which find a place with less certainty.
    private static let doubtfulKeys = ["loc_name", "old_name", "nickname"]
    /// The kinds of settlements, with their importance if the population is unknown, 0…1.
    private static let settlements: [String: (PlaceKind, Double)] = [
        "country": (.country, 0.9), "state": (.state, 0.6), "region": (.state, 0.4), "province": (.state, 0.5),
        "county": (.district, 0.3), "district": (.district, 0.3), "municipality": (.district, 0.3),
        "city": (.city, 0.6),
        "town": (.city, 0.45), "village": (.city, 0.3), "hamlet": (.city, 0.18), "isolated_dwelling": (.spot, 0.1),
        "farm": (.spot, 0.08), "borough": (.suburb, 0.3), "suburb": (.suburb, 0.28), "quarter": (.suburb, 0.22),
        "neighbourhood": (.suburb, 0.18), "island": (.terrain, 0.25), "islet": (.terrain, 0.1),
        "locality": (.other, 0.08), "square": (.other, 0.12), "archipelago": (.terrain, 0.25),
    ]
    private static let spots: [(key: String, kind: PlaceKind, importance: Double)] = [
        ("aeroway", .airport, 0.3), ("railway", .transport, 0.14), ("public_transport", .transport, 0.12),
        ("tourism", .spot, 0.14), ("historic", .spot, 0.13), ("amenity", .spot, 0.12), ("leisure", .park, 0.12),
        ("shop", .spot, 0.1), ("office", .spot, 0.09), ("healthcare", .spot, 0.1), ("craft", .spot, 0.08),
        ("natural", .terrain, 0.12), ("waterway", .water, 0.12), ("building", .spot, 0.08),
    ]

    var name: String? { tags["name"] ?? tags["name:en"] }

    /// The other names in use, such as official and short names and those in other languages; each once.
    var furtherNames: [String] {
        var names = names(under: Self.nameKeys)
        for (key, value) in tags.sorted(by: { $0.key < $1.key }) where key.hasPrefix("name:") {
            // A language, possibly with a script; not "name:etymology" etc.
            let language = key.dropFirst(5).prefix { $0 != "-" && $0 != "_" }
            if (2...3).contains(language.utf8.count) { names.append(value) }
        }
        var seen: Set<String> = [name ?? ""]
        return names.filter { seen.insert($0).inserted }
    }

    /// The local, former and colloquial names.
    var doubtfulNames: [String] { names(under: Self.doubtfulKeys) }

    private func names(under keys: [String]) -> [String] {
        keys.compactMap { tags[$0] }.flatMap { $0.split(separator: ";").map { String($0.drop { $0 == " " }) } }
    }

    /// The street. In a village without street names, the addresses have the name of the village or hamlet instead.
    var street: String? { tags["addr:street"] ?? tags["addr:place"] }
    var houseNumber: String? { tags["addr:housenumber"] }
    var city: String? { tags["addr:city"] }
    var postalCode: String? { tags["addr:postcode"] ?? tags["postal_code"] }
    var state: String? { tags["addr:state"] }
    var isRoad: Bool { tags["highway"] != nil && tags["public_transport"] == nil && tags["highway"] != "bus_stop" }

    /// The ISO 3166-1 alpha-2 code.
    var countryCode: String? {
        tags["addr:country"].map { $0.uppercased() }.flatMap { $0.utf8.count == 2 ? $0 : nil }
    }

    /// The kind of place and its importance, 0…1; `nil` for other objects.
    var meaning: (PlaceKind, Double)? {
        if let (kind, usual) = tags["place"].flatMap({ Self.settlements[$0] }) {
            let people = tags["population"].flatMap { Int($0.filter(\.isNumber)) }
            var importance = usual
            if let people, kind == .city || kind == .suburb || kind == .district {
                // The formula of `GeoNamesFeature`, so that both sources are comparable.
                importance = 0.05 + 0.85 * log10(1 + Double(people)) / 7.6
            }
            if tags["capital"] == "yes" { importance += 0.08 }
            return (kind, min(1, importance))
        }
        if tags["boundary"] == "administrative" {
            switch Int(tags["admin_level"] ?? "") ?? 10 {
            case ...2: return (.country, 0.85)
            case 3...4: return (.state, 0.55)
            default: return (.district, 0.15)
            }
        }
        guard let spot = Self.spots.first(where: { tags[$0.key] != nil }) else { return nil }
        let isStation = ["station", "halt"].contains(tags["railway"] ?? "")
        let isWater = tags["natural"] == "water" || tags["natural"] == "bay"
        let isAirfield = spot.kind != .airport || tags["aeroway"] == "aerodrome"
        let renown = tags["wikidata"] == nil ? 0 : 0.06
        return (
            isWater ? .water : isAirfield ? spot.kind : .transport,
            spot.importance + renown + (isStation ? 0.06 : 0)
        )
    }
}
