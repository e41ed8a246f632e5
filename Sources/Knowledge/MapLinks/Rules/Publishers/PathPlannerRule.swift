import Coordinates
import HunchModel

/// Links of planners that have both ends in the path or in one field, each in its own form. The forms were observed.
/// Hunch also writes them.
struct PathPlannerRule: PublisherRule {
    let name = "planner"
    let hosts = ["rome2rio.com", "neshan.org", "maps.earth", "mappls.com", "cartes.app", "facilmap.org"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        switch link.host {
        case "rome2rio.com": try ofWords(link)
        case "neshan.org": try ofNeshan(link)
        case "maps.earth": try ofMapsEarth(link)
        case "mappls.com" where link.segments.first?.hasPrefix("@") == true: try ofView(link)
        case "mappls.com": try ofPoints(link.query.text("places"), between: ";", fields: ",")
        case "cartes.app": try ofPoints(link.query.text("allez"), between: "->", fields: "|")
        default: try ofSentence(link)
        }
    }

    /// `/@LAT,LON,ZOOMz`.
    private func ofView(_ link: Link) throws(PlaceError) -> ParsedPlace {
        let view = GoogleView(link.segments[...])
        return try self.view(view?.coordinate, zoom: view?.zoom)
    }

    /// `/map/START/END`.
    private func ofWords(_ link: Link) throws(PlaceError) -> ParsedPlace {
        guard link.pathBegins("map") || link.pathBegins("s"), link.segments.count >= 3 else { throw Self.noPlace }
        return try answer(item(link.segment(2), at: nil), from: item(link.segment(1), at: nil))
    }

    /// `/maps/routing/MODE/origin/LAT,LON/destination/LAT,LON`, and `/maps/@LAT,LON,ZOOMz`.
    private func ofNeshan(_ link: Link) throws(PlaceError) -> ParsedPlace {
        if !link.segments.contains("destination"), link.segments.contains(where: { $0.hasPrefix("@") }) {
            return try ofView(link)
        }
        func point(after word: String) throws(PlaceError) -> MapItem? {
            guard let index = link.segments.firstIndex(where: { $0 == word }), let text = try link.segment(index + 1)
            else { return nil }
            return MapItem(coordinate: try PlaceText.coordinate(text))
        }
        return try answer(point(after: "destination"), from: point(after: "origin"))
    }

    /// `/directions/MODE/END/START`, each `LON,LAT`.
    private func ofMapsEarth(_ link: Link) throws(PlaceError) -> ParsedPlace {
        guard link.pathBegins("directions") else { throw Self.noPlace }
        func point(_ index: Int) throws(PlaceError) -> MapItem? {
            guard let text = try link.segment(index), text.contains(",") else { return nil }
            return MapItem(coordinate: try PlaceText.coordinate(text, order: .longitudeFirst))
        }
        return try answer(point(2), from: point(3))
    }

    /// `LAT,LON,NAME;…` of Mappls, and `NAME||LON|LAT->…` of Cartes.
    private func ofPoints(_ text: String?, between: String, fields mark: Character) throws(PlaceError) -> ParsedPlace {
        var points: [MapItem?] = []
        for point in (text ?? "").split(separator: between) {
            let fields = point.split(separator: mark, omittingEmptySubsequences: false).map { String($0).trimmed }
            let isNumberFirst = DecimalNumber.value(of: fields[0]) != nil
            guard fields.count >= (isNumberFirst ? 2 : 4) else {
                points.append(try item(fields[0], at: nil))
                continue
            }
            let position =
                isNumberFirst
                ? try PlaceText.coordinate(latitude: fields[0], longitude: fields[1])
                : try PlaceText.coordinate(latitude: fields[3], longitude: fields[2])
            let label = isNumberFirst ? fields[2...].joined(separator: ", ") : fields[0]
            points.append(MapItem(name: try PlaceText.name(label), coordinate: position))
        }
        return try answer(points.last ?? nil, from: points.count > 1 ? points[0] : nil)
    }

    /// Reads `#q=START to END by MODE`.
    private func ofSentence(_ link: Link) throws(PlaceError) -> ParsedPlace {
        guard var text = try link.fields.text("q") else {
            guard let view = MapFragment(link.fragment) else { throw Self.noPlace }
            // #ZOOM/LAT/LON/LAYERS/SEARCH: what was searched for counts before the view.
            let parts = link.fragment.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count > 4,
                let text = try Optional(PercentEncoding.decode(parts[4], plusIsSpace: true).singleSpaced),
                // "m123" is the number of a marker that only the publisher knows.
                !(text.hasPrefix("m") && text.dropFirst().allSatisfy(\.isNumber)),
                let item = try text.hasPrefix("geo:")
                    ? MapItem(coordinate: GeoURI(path: text.dropFirst(4).prefix { $0 != "?" }).coordinate)
                    : PlaceText.item(text)
            else { return try self.view(view.coordinate, zoom: view.zoom) }
            return try answer(item, zoom: view.zoom, near: view.coordinate)
        }
        if let by = text.firstRange(of: " by ") { text = String(text[..<by.lowerBound]) }
        let ends = text.split(separator: " to ").map { String($0).trimmed }
        let end = try ends.last.flatMap { text throws(PlaceError) in try PlaceText.item(text) }
        return try answer(end, from: ends.count > 1 ? PlaceText.item(ends[0]) : nil)
    }
}
