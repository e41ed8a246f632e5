import CommandSupport
import Directions
import FoundationEssentials
import HunchModel
import PlaceFiles
import Places
import Localization

/// Finds the ends of a route: reads links and coordinates, looks up names, and asks at a terminal which place is
/// meant.
struct RouteEnds {
    private let environment: [String: String]
    private let parser = PlaceParser(rules: [DirectionsRule()] + PlaceParser.standardRules)
    private let planner: DirectionsPlanner

    init(environment: [String: String]) {
        self.environment = environment
        planner = DirectionsPlanner(geocoder: GeocoderChain.ofPerson(environment: environment))
    }

    /// Returns the place of a text, not looked up yet. A file name means the place in the file, and “-” means
    /// standard input. Follows short links if the person allows it.
    func place(_ text: String) async throws -> ParsedPlace {
        var text = text
        let files = PlaceFileReader(parser: parser)
        if text == "-" {
            switch try StandardInput.recognised() {
            case .file(let content): return try files.place(in: content)
            case .text(let head): text = try StandardInput.text(after: head)
            }
        } else if let path = try PlaceFilePath.path(in: text) {
            return try files.place(in: FileBytes(path: path))
        }
        let place = try parser.parse(try await OnlineLookup.followed(text, environment: environment))
        if place.isFromUnknownSite {
            Output.complain(localized("the place was read from a link of an unknown site; check it"))
        }
        return place
    }

    /// Returns the request with coordinates for ends that are certain or that the person chose.
    ///
    /// - Throws: `GeocoderError` if words name no place; ``CommandError`` if an end has neither coordinates nor words.
    func resolved(_ request: DirectionsRequest) async throws -> ResolvedDirections {
        guard request.needsGeocoding else { return ResolvedDirections(request: request) }
        var resolved = try await planner.resolve(request, here: await Moment.now.here)
        if case .ambiguous(let places) = resolved.destination,
            let chosen = try PlaceChoice.among(places, for: Self.words(resolved.request.destination))
        {
            resolved = resolved.choosing(destination: chosen)
        }
        if case .ambiguous(let places) = resolved.source, case .place(let item) = resolved.request.source,
            let chosen = try PlaceChoice.among(places, for: Self.words(item))
        {
            resolved = resolved.choosing(source: chosen)
        }
        return resolved
    }

    /// Writes to standard error what was understood of the words, “to Potsdam, Brandenburg, Germany, by bike, tomorrow
    /// 09:00”, and which parts of a request are not certain.
    static func tell(_ resolved: ResolvedDirections) {
        var ends: [String] = []
        if case .certain(let place) = resolved.source { ends.append(localized("from %1", place.label)) }
        if case .certain(let place) = resolved.destination { ends.append(localized("to %1", place.label)) }
        var parts = [ends.joined(separator: " "), TransportMode.phrase(resolved.request.modes)]
        if let time = resolved.request.time {
            let date = DateText.words(time.date)
            parts.append(time.isArrival ? localized("arriving %1", date) : date)
        }
        parts.removeAll(where: \.isEmpty)
        if !parts.isEmpty { Output.complain(parts.joined(separator: ", ")) }
        if let radius = resolved.request.uncertainty, radius >= Self.notableRadius {
            let kilometres = DecimalNumber.text(of: (radius / 100).rounded() / 10)
            Output.complain(
                localized(
                    "the link only shows a part of the map: the place lies within %1 km of its middle", kilometres))
        }
        for message in trouble(with: resolved) { Output.complain(message) }
    }

    /// The minimum uncertainty that is reported, in metres.
    private static let notableRadius = 500.0

    /// The minimum confidence at which a partial match is mentioned.
    private static let leastOfPart = 0.2
    /// The highest confidence of a match for a part of the words. A mistyped name scores higher.
    private static let mostOfPart = 0.5

    /// The distance in metres within which a similar name is mentioned.
    private static let longestHint = 500_000.0

    /// Returns a sentence for each end of a request that is not certain.
    static func trouble(with resolved: ResolvedDirections) -> [String] {
        let source: MapItem? = if case .place(let item) = resolved.request.source { item } else { nil }
        return [(resolved.destination, resolved.request.destination), (resolved.source, source)].compactMap { end in
            guard let item = end.1 else { return nil }
            let words = words(item).cut(to: 60)
            switch end.0 {
            case nil, .certain: return nil
            case .ambiguous(let places):
                let names = places.map(\.label).joined(separator: "; ")
                return localized("“%1” may be %2: say which, or give coordinates", words, names)
            case .unresolved(let places):
                if PlaceParser.meansHere(words) {
                    return localized("your position is not known here; give the place instead of “%1”", words)
                }
                if let asked = CategoryRequest(words), places.isEmpty { return trouble(with: asked, words) }
                guard let nearest = places.first, nearest.confidence >= leastOfPart else {
                    return localized("“%1” was not found here; “hunch gazetteer get” adds places", words)
                }
                if nearest.kind.isArea, nearest.match > .partial {
                    return localized("“%1” is a whole %2; name a place in it", words, nearest.kind)
                }
                // What is far and not called so is of no help.
                if nearest.match < .ownName, nearest.distance.map({ $0 > longestHint }) ?? false {
                    return localized("“%1” was not found here; “hunch gazetteer get” adds places", words)
                }
                if nearest.confidence > mostOfPart {
                    return localized("“%1” was not found here; did you mean %2?", words, nearest.label)
                }
                return localized(
                    "“%1” was not found here, only %2; “hunch gazetteer get” adds streets and places", words,
                    nearest.label)
            }
        }
    }

    /// Returns the sentence about a common noun, such as “cinema” or “home”.
    static func trouble(with asked: CategoryRequest, _ words: String) -> String {
        if asked.category.isOwn, asked.area == nil {
            return localized(
                "Hunch does not know the place “%1” yet; set it with “hunch places set %1 ADDRESS”", asked.category.code
            )
        }
        if asked.area == nil {
            return localized(
                "“%1” may be anywhere: add the town, as “%1 in TOWN”, or let an app search near you", words)
        }
        return localized("“%1” was not found here; “hunch gazetteer get” adds places", words)
    }

    private static func words(_ item: MapItem) -> String {
        item.query ?? item.name ?? item.address?.singleLine ?? ""
    }
}
