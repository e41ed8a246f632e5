import Coordinates
import FoundationEssentials
import HunchModel

/// Links of OpenRouteService's map client: the former one (`n1`, `n2`, `a`) and the current one
/// (`#/directions/NAMES/data/JSON`).
///
/// Source: https://github.com/GIScience/ors-map-client
struct OpenRouteServiceRule: PublisherRule {
    let name = "openRouteService"
    let hosts = ["maps.openrouteservice.org"]

    private struct Route: Decodable {
        struct Options: Decodable { var profile: String? }
        var coordinates: String?
        var options: Options?
    }

    private static let profiles: [(String, Set<TransportMode>)] = [
        ("driving", [.car]), ("cycling", [.bike]), ("foot", [.pedestrian]), ("wheelchair", [.pedestrian]),
    ]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let query = link.query
        let zoom = query.zoom("n3")
        if let list = try query.text("a") {
            let numbers = list.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
            var points: [MapItem?] = []
            for index in stride(from: 0, to: numbers.count - 1, by: 2) {
                points.append(
                    numbers[index] == "null"
                        ? nil
                        : MapItem(
                            coordinate: try PlaceText.coordinate(
                                latitude: numbers[index], longitude: numbers[index + 1])))
            }
            let source = points.count > 1 ? points[0] : nil
            return try answer(points.last ?? nil, zoom: zoom, from: source)
        }
        if let middle = try query.coordinate(latitude: ["n1"], longitude: ["n2"]) {
            return try view(middle, zoom: zoom)
        }
        return try place(ofFragment: link.fragment)
    }

    private func place(ofFragment fragment: Substring) throws(PlaceError) -> ParsedPlace {
        var words: [String] = []
        for part in fragment.split(separator: "/") { words.append(try PercentEncoding.decode(part).singleSpaced) }
        if words.first == "place", let view = words.last, view.hasPrefix("@") {
            let parts = view.dropFirst().split(separator: ",")
            let position = try PlaceText.coordinate(parts.prefix(2).joined(separator: ","), order: .longitudeFirst)
            let label = words.count > 2 ? try PlaceText.name(words[1]) : nil
            return try answer(
                MapItem(name: label, coordinate: position), zoom: parts.count > 2 ? PlaceText.zoom(parts[2]) : nil)
        }
        guard words.first == "directions", let data = words.firstIndex(of: "data") else { throw Self.noPlace }
        let names = words[1..<data]
        let route = words.dropFirst(data + 1).first.flatMap {
            try? JSONDecoder().decode(Route.self, from: Data($0.utf8))
        }
        let positions = route?.coordinates?.split(separator: ";").map {
            try? PlaceText.coordinate($0, order: .longitudeFirst)
        }
        let profile = route?.options?.profile ?? ""
        return try answer(
            item(names.last, at: positions?.last ?? nil),
            from: names.count > 1 ? item(names.first, at: positions?.first ?? nil) : nil,
            by: Self.profiles.first { profile.hasPrefix($0.0) }?.1 ?? [])
    }
}
