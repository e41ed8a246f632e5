import Coordinates
import HunchModel
import JourneyWords

/// A rule for route planners whose links list the points of a route.
struct WaypointRule: LinkRule {
    /// The form of the points.
    enum Form: Sendable {
        /// A field for each point: `LAT,LON`, `LAT,LON_NAME` or words.
        case repeated(field: String)
        /// One field with the points, separated by `;` or `|`.
        case separated(field: String, PlaceText.Order)
        /// One field with all numbers, separated by commas.
        case flat(field: String, PlaceText.Order)
    }

    let name: String
    private let form: Form
    private let modeFields: [String]
    private let modeWords: [String: Set<TransportMode>]
    /// The modes of profiles that have no entry in ``modeWords`` and no common word.
    private let otherProfiles: Set<TransportMode>

    init(_ form: LinkForm) throws(LinkFormError) {
        name = form.name
        modeFields = form.words("mode")
        var words = try form.modeWords()
        otherProfiles = words.removeValue(forKey: "*") ?? []
        modeWords = words
        guard let field = try form.fields("points").first, Set(field.kinds) == [.lat, .lon] else {
            throw .noForm(form.name)
        }
        let order = field.kinds == [.lat, .lon] ? PlaceText.Order.latitudeFirst : .longitudeFirst
        self.form =
            switch field.parts[1].literal {
            case "": .repeated(field: field.name)
            case ",": .flat(field: field.name, order)
            default: .separated(field: field.name, order)
            }
    }

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        let fields = link.fields
        let view = MapFragment(link.fragment)
        var points = try points(in: fields)
        let source = points.count > 1 ? points.removeFirst() : nil
        let zoom = fields.zoom("z", "zoom") ?? view?.zoom
        let profile = try fields.text(among: modeFields)
        var modes = TravelWords.modes(profile, special: modeWords)
        if modes.isEmpty, let profile, modeWords[profile] == nil { modes = otherProfiles }
        if let end = points.last {
            let stops = points.dropLast().compactMap { $0?.name ?? $0?.query ?? $0?.coordinate.map { "\($0)" } }
            return try answer(
                end, zoom: zoom, from: source.flatMap { $0 }, via: stops, by: modes, near: view?.coordinate)
        }
        let middle = if let view { view.coordinate as Coordinate? } else { try fields.coordinate("center") }
        var place = try self.view(middle, zoom: zoom)
        place.modes = modes
        return place
    }

    /// Returns the points in order; `nil` for the user's own position.
    private func points(in fields: LinkQuery) throws(PlaceError) -> [MapItem?] {
        switch form {
        case .repeated(let field):
            var points: [MapItem?] = []
            for text in try fields.texts(field) { points.append(try Self.point(text)) }
            return points
        case .separated(let field, let order):
            guard let text = try fields.text(among: [field]) else { return [] }
            return try Self.positions(text.split(whereSeparator: { $0 == ";" || $0 == "|" }).map { String($0) }, order)
        case .flat(let field, let order):
            guard let text = try fields.text(among: [field]) else { return [] }
            let numbers = text.split(separator: ",")
            let pairs = stride(from: 0, to: numbers.count, by: 2).map { index in
                numbers[index..<min(index + 2, numbers.count)].joined(separator: ",")
            }
            return try Self.positions(pairs, order)
        }
    }

    private static func positions(_ texts: [String], _ order: PlaceText.Order) throws(PlaceError) -> [MapItem?] {
        var positions: [MapItem?] = []
        for text in texts { positions.append(MapItem(coordinate: try PlaceText.coordinate(text, order: order))) }
        return positions
    }

    private static func point(_ text: String) throws(PlaceError) -> MapItem? {
        guard let mark = text.firstIndex(of: "_"),
            let position = try? PlaceText.coordinate(text[..<mark])
        else { return try PlaceText.item(text) }
        return MapItem(name: try PlaceText.name(String(text[mark...].dropFirst())), coordinate: position)
    }
}
