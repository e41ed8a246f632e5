import Directions
import FoundationEssentials
import HunchModel
import Places

/// Finds the ends of a route: reads links and coordinates, looks up names.
struct RouteEnds {
    private let environment: [String: String]
    private let parser = PlaceParser(rules: [DirectionsRule()] + PlaceParser.standardRules)
    /// `nil` before anything was looked up.
    private var places: SeenPlaces?

    init(environment: [String: String]) { self.environment = environment }

    /// The place that a text means, not looked up yet. A short link is followed where the person allows it.
    func place(_ text: String) async throws -> ParsedPlace {
        try parser.parse(try await OnlineLookup.followed(text, environment: environment))
    }

    /// The place with a coordinate: its own, or that of the likeliest place of its name on this machine, else, where the
    /// person allows it, on the network.
    ///
    /// - Parameter near: where the place is likely to be.
    /// - Throws: ``CommandError`` when nothing has that name, ``AmbiguousPlace`` when several places do, none stands out, and the
    ///   person at the terminal, if there is one, chose none.
    mutating func geocoded(_ item: MapItem, near: Coordinate? = nil) async throws -> MapItem {
        guard item.coordinate == nil else { return item }
        let address = item.address.map(\.singleLine).flatMap { $0.isEmpty ? nil : $0 }
        guard let text = item.query ?? address ?? item.name else {
            throw CommandError("the place has neither coordinates nor a name", ExitStatus.badInput)
        }
        let query = GeocodingQuery(text, limit: 5, near: near)
        var places = places ?? SeenPlaces(environment: environment)
        let known = try places.candidates(for: query)
        self.places = places
        let candidates = try await OnlineLookup.candidates(for: query, environment: environment, after: known).get()
        guard let best = candidates.first else {
            throw CommandError(notFound: text)
        }
        // Taken without asking only when it is likelier than all others together.
        let isSure = best.confidence > 0.5
        guard let chosen = isSure ? best : try PlaceChoice.among(candidates, for: text) else {
            throw AmbiguousPlace(input: text, candidates: candidates)
        }
        var found = item
        found.coordinate = chosen.item.coordinate
        found.name = item.name ?? chosen.item.name
        found.address = item.address ?? chosen.item.address
        return found
    }
}

/// A name that several places bear, none of which stands out, or of which a single place bears a part.
struct AmbiguousPlace: Error, Encodable {
    let input: String
    /// Likeliest first; at least one.
    let candidates: [GeocodingCandidate]

    var message: String {
        let names = candidates.map(GeocodeCommand.label)
        return names.count == 1
            ? "of “\(input)” only \(names[0]) is known: name that, give coordinates, or add streets with “hunch gazetteer import”"
            : "“\(input)” may be \(names.joined(separator: "; ")): say which, or give coordinates"
    }

    private enum Key: String, CodingKey { case input, candidates, error }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Output.cut(input), forKey: .input)
        try container.encode(candidates.map { CandidateFields($0) }, forKey: .candidates)
        try container.encode(ErrorField(code: "ambiguous", message: message), forKey: .error)
    }
}
