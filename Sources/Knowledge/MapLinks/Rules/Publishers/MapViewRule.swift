import Coordinates
import HunchModel
import JourneyWords

/// A rule for maps whose links have a view in one text, such as `#15/35.681/139.767` and `?p=52.37,4.89,12z`.
struct MapViewRule: LinkRule {
    /// The part of a link with the numbers.
    private enum Source: Sendable {
        /// A field of the query or the fragment, or `NAME=…` between the slashes of the fragment.
        case field(String)
        /// The whole query, or the whole fragment of a link without one.
        case firstField
        case fragment
        case path
        /// The text after the last `=` of the fragment.
        case lastValue
    }

    /// A text with numbers.
    private struct Text: Sendable {
        let source: Source
        /// Whether it is a point that somebody chose, rather than the centre of the map.
        let isPoint: Bool
        /// Whether its last numbers count: the end of a route.
        let isLast: Bool
        let separators: Set<Character>
        let parts: [LinkForm.Part]

        init(_ field: LinkForm.Field, isPoint: Bool) throws(LinkFormError) {
            guard Set(field.kinds).isSuperset(of: [.lat, .lon]) else { throw .notAField(field.name[...]) }
            self.isPoint = isPoint
            isLast = field.opening == "…"
            parts = field.kinds
            switch field.name {
            case "?": source = .firstField
            case "#": source = .fragment
            case "/": source = .path
            case "*": source = .lastValue
            default: source = .field(field.name)
            }
            separators = field.separators.union(field.name == "/" ? ["/"] : [])
        }
    }

    let name: String
    private let path: [String]
    /// The texts to read, in this order. The first with a latitude and a longitude counts.
    private let texts: [Text]
    /// The fields with words that are searched on the map.
    private let search: [String]

    init(_ form: LinkForm) throws(LinkFormError) {
        name = form.name
        path = form.words("path")
        search = form.words("search")
        var texts: [Text] = []
        for field in try form.fields("pin") { texts.append(try Text(field, isPoint: true)) }
        for field in try form.fields("map") { texts.append(try Text(field, isPoint: false)) }
        self.texts = texts
    }

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard LinkForm.begins(link.segments, with: path) else { return nil }
        for text in texts {
            guard let string = try Self.string(of: text, in: link) else { continue }
            var numbers = try Self.numbers(in: string, text.separators)
            if text.isLast { numbers = numbers.suffix(text.parts.count) }
            func number(_ part: LinkForm.Part) -> Substring? {
                text.parts.firstIndex(of: part).flatMap { numbers.dropFirst($0).first }
            }
            guard let latitude = number(.lat), let longitude = number(.lon) else { continue }
            // A point may also be an identifier.
            if text.isPoint, [latitude, longitude].contains(where: { NumberList.value(of: $0) == nil }) { continue }
            let position = try PlaceText.coordinate(latitude: latitude, longitude: longitude, wraps: !text.isPoint)
            if text.isPoint { return try answer(item(number(.name).map { String($0).singleSpaced }, at: position)) }
            let level = number(.zoom).map { $0.hasSuffix("z") ? $0.dropLast() : $0 }
            let zoom = level.flatMap { PlaceText.zoom($0) } ?? link.fields.zoom("z")
            if let words = try words(in: link) { return try answer(words, zoom: zoom, near: position) }
            return try view(position, zoom: zoom)
        }
        if let words = try words(in: link) { return try answer(words) }
        // Leave other pages to the generic rules.
        guard link.segments.isEmpty, texts.contains(where: { !$0.isPoint }) else { return nil }
        throw Self.noPlace
    }

    private static func string(of text: Text, in link: Link) throws(PlaceError) -> String? {
        switch text.source {
        case .field(let name): try link.value(name)
        case .firstField: link.fields.names.first
        case .fragment: try PercentEncoding.decode(link.fragment)
        case .path:
            try PercentEncoding.decode(link.segments.joined(separator: "/")).replacing(".html", with: "")
                .split(separator: "/").drop { !text.isPoint && !$0.contains(",") }.joined(separator: "/")
        case .lastValue: try PercentEncoding.decode(link.fragment.split(separator: "=").last ?? "")
        }
    }

    /// Returns the words that are searched on the map; `nil` if there are none.
    private func words(in link: Link) throws(PlaceError) -> MapItem? {
        for field in search {
            if let text = try link.value(field)?.singleSpaced { return try PlaceText.item(text) }
        }
        return nil
    }

    /// Returns the numbers of a text, from the first one on.
    private static func numbers(
        in text: String, _ separators: Set<Character>
    ) throws(PlaceError) -> ArraySlice<Substring> {
        let texts = text.split(whereSeparator: separators.contains).drop { NumberList.value(of: $0) == nil }
        guard separators.contains(",") else { return texts }
        return try NumberList.joined(Array(texts), mayHaveMore: true)[...]
    }
}

/// App links of Sygic: `com.sygic.aura://coordinate|LON|LAT|drive`, or `walk`, or `show`.
///
/// Source: https://www.sygic.com/developers/professional-navigation-sdk/ios/custom-url
struct SygicRule: PublisherRule {
    let name = "sygic"
    let hosts: [String] = []
    let schemes = ["com.sygic.aura"]

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let parts = try PercentEncoding.decode(link.authority).split(separator: "|").map { String($0).trimmed }
        switch parts.first?.lowercased() {
        case "coordinate" where parts.count >= 3:
            return try answer(
                MapItem(coordinate: PlaceText.coordinate(latitude: parts[2], longitude: parts[1])),
                by: TravelWords.modes(parts.last))
        case "search" where parts.count >= 2:
            return try answer(PlaceText.item(parts[1]), by: TravelWords.modes(parts.last))
        default: throw Self.noPlace
        }
    }
}
