import Coordinates
import HunchModel
import JourneyWords

/// A rule for links with one field for each part of a request.
struct FieldLinkRule: LinkRule {
    /// The fields of an end of a route.
    struct End: Sendable {
        /// The fields with both numbers.
        var pair: [String] = []
        var order = PlaceText.Order.latitudeFirst
        var separator: Character = ","
        /// Whether a pair may also be an identifier that only the publisher knows.
        var pairMayBeIdentifier = false
        var latitude: [String] = []
        var longitude: [String] = []
        var name: [String] = []
        var address: [String] = []

        init(_ fields: [LinkForm.Field]) throws(LinkFormError) {
            for field in fields {
                switch field.kinds {
                case [.lat]: latitude.append(field.name)
                case [.lon]: longitude.append(field.name)
                case [.name]: name.append(field.name)
                case [.address]: address.append(field.name)
                case let kinds where [[.lat, .lon], [.lon, .lat]].contains(kinds.filter { $0 != .id }):
                    pair.append(field.name)
                    order = kinds[0] == .lat ? .latitudeFirst : .longitudeFirst
                    separator = field.parts[0].literal.first ?? ","
                    pairMayBeIdentifier = kinds.contains(.id)
                default: throw .notAField(field.name[...])
                }
            }
        }
    }

    /// The part of a link with the fields.
    enum FieldsPart: String, Sendable {
        /// The query, or the fragment of a link without one.
        case query
        /// The path: `/centerx:2.3/centery:48.9`.
        case path
        /// The fragment, with semicolons between the fields: `#y=48.9;x=2.3`.
        case fragment
    }

    let name: String
    /// The words with which the path must begin; empty for any path.
    private let path: [String]
    private let destination: End
    private let source: End
    /// The fields of a single place, used without a destination.
    private let place: End
    private let modeFields: [String]
    private let modeWords: [String: Set<TransportMode>]
    /// The modes of every route.
    private let modes: Set<TransportMode>
    private let zoom: [String]
    /// Fields and first path components of places that only the publisher knows.
    private let identifiers: [String]
    /// Whether the fields of ``place`` are only the centre of the map.
    private let placeIsView: Bool
    private let fieldsPart: FieldsPart
    /// Whether the fragment is a view, `#15/35.69/51.39`, used if no field has a place.
    private let fragmentIsView: Bool

    init(_ form: LinkForm) throws(LinkFormError) {
        name = form.name
        path = form.words("path")
        var destination = try End(form.fields("to"))
        // The words that are searched on a map are the place that is meant.
        destination.name += form.words("search")
        self.destination = destination
        source = try End(form.fields("from"))
        let views = try form.fields("view")
        placeIsView = !views.isEmpty
        place = try End(form.fields("place") + views)
        modeFields = form.words("mode")
        modeWords = try form.modeWords()
        modes = try LinkForm.modes(form.words("modes").joined(separator: ",")[...])
        zoom = form.words("zoom")
        identifiers = form.words("unresolved")
        let part = form.words("fields").first ?? FieldsPart.query.rawValue
        guard let part = FieldsPart(rawValue: part) else { throw .unknownKey("fields: \(part)") }
        fieldsPart = part
        fragmentIsView = try form.fields("map").contains { $0.name == "#" }
    }

    func place(of link: Link) throws(PlaceError) -> ParsedPlace? {
        guard LinkForm.begins(link.segments, with: path) else { return nil }
        let fields = self.fields(of: link)
        let end = try item(destination, in: fields)
        let view = try item(place, in: fields)
        let zoom = try fields.text(among: self.zoom).flatMap { PlaceText.zoom($0) }
        if let end {
            let words = try fields.text(among: modeFields)
            return try answer(
                end, zoom: zoom, from: item(source, in: fields),
                by: modes.union(TravelWords.modes(words, special: modeWords)),
                near: placeIsView ? view?.coordinate : nil)
        }
        if view == nil || placeIsView, let start = try item(source, in: fields) { return try answer(start, zoom: zoom) }
        if let view { return try placeIsView ? self.view(view.coordinate, zoom: zoom) : answer(view, zoom: zoom) }
        if fragmentIsView, let view = MapFragment(link.fragment) {
            return try self.view(view.coordinate, zoom: view.zoom)
        }
        let isKnownToPublisher =
            identifiers.contains { fields.has($0) } || link.segments.contains { identifiers.contains($0.lowercased()) }
        throw isKnownToPublisher ? needsNetwork(link) : Self.noPlace
    }

    private func fields(of link: Link) -> LinkQuery {
        switch fieldsPart {
        case .query: link.fields
        case .path: LinkQuery(link.segments.joined(separator: "&").replacing(":", with: "=")[...])
        case .fragment: LinkQuery(link.fragment.replacing(";", with: "&")[...])
        }
    }

    /// Returns the place of an end's fields; `nil` if none of them has a value.
    private func item(_ end: End, in fields: LinkQuery) throws(PlaceError) -> MapItem? {
        var label = try fields.name(among: end.name)
        var position: Coordinate?
        if let pair = try fields.text(among: end.pair) {
            if let named = try PlaceText.namedPosition(pair) { return named }
            let numbers = pair.split(separator: end.separator)
            let isIdentifier =
                end.pairMayBeIdentifier
                && (numbers.count < 2 || DecimalNumber.value(of: String(numbers[0]).trimmed) == nil)
            if !isIdentifier {
                position = try PlaceText.coordinate(pair, separator: end.separator, order: end.order)
            }
        } else if !end.latitude.isEmpty {
            position = try fields.coordinate(latitude: end.latitude, longitude: end.longitude)
        }
        let address = try fields.name(among: end.address)
        if let address, position == nil {
            return MapItem(name: label, query: address)
        }
        if label == nil { label = address }
        guard var item = try item(label, at: position) else { return nil }
        if let address, address != label { item.address = PostalAddress(street: address) }
        return item
    }
}
