import CommandSupport
import Directions
import FoundationEssentials
import Geocoding
import HunchModel
import MapLinks
import PlaceFiles
import Places
import Localization

/// Finds the ends of a route: reads links and coordinates, looks up names, and asks at a terminal which place is
/// meant.
struct RouteEnds {
    private let environment: [String: String]
    private let parser: PlaceParser
    private let planner: DirectionsPlanner

    init(environment: [String: String]) {
        self.environment = environment
        parser = .ofUser(environment)
        planner = DirectionsPlanner(geocoder: GeocoderChain.ofPerson(environment: environment))
    }

    /// Returns the place of a text, not looked up yet. A file name means the place in the file, and “-” means
    /// standard input. Follows short links if the user allows it.
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

    /// Returns the request with coordinates for ends that are certain or that the user chose.
    ///
    /// - Throws: `GeocoderError` if words name no place; ``CommandError`` if an end has neither coordinates nor words.
    func resolved(_ request: DirectionsRequest) async throws -> ResolvedDirections {
        guard request.needsGeocoding else { return ResolvedDirections(request: request) }
        var resolved = try await planner.resolve(request, here: await Moment.now.here)
        if let chosen = try PlaceChoice.among(
            Self.possible(resolved.destination), for: resolved.request.destination.words)
        {
            resolved = resolved.choosing(destination: chosen)
        }
        if case .place(let item) = resolved.request.source,
            let chosen = try PlaceChoice.among(Self.possible(resolved.source), for: item.words)
        {
            resolved = resolved.choosing(source: chosen)
        }
        return resolved
    }

    /// Returns the places to ask about: those that are as likely as each other, the only one, which is doubtful, or those that
    /// a mistyped name may mean.
    private static func possible(_ outcome: GeocodingOutcome?) -> [GeocodingCandidate] {
        switch outcome {
        case .ambiguous(let places): places
        case .unresolved(let places):
            (outcome?.guesses ?? [])
                + places.prefix(1).filter { $0.match > .partial && !$0.kind.isArea && !$0.isByCommonWord }
        case .certain, nil: []
        }
    }
}

extension MapItem {
    /// The words that name the place.
    var words: String { query ?? name ?? address?.singleLine ?? "" }
}
