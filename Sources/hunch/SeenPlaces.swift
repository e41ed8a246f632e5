import FoundationEssentials
import History
import HunchModel
import Places

/// Finds places: first those that apps had on the screen lately, as the person's history has them, then the gazetteer's.
struct SeenPlaces {
    /// How many of the last places are looked through.
    private static let consideredPlaces = 200

    private let places: [MapItem]
    private let matcher = SeenPlaceMatcher()
    private let gazetteer: Result<Gazetteer, GeocoderError>

    /// Reads the history, where there is one, and opens the gazetteer, which is filled when it is used first.
    ///
    /// - Parameter query: all that will be asked for, where that is known: what names no place fills no gazetteer.
    /// - Throws: ``CommandError`` when there is no gazetteer and nothing else to answer from, nor the network to ask.
    init(environment: [String: String], for query: GeocodingQuery? = nil) throws {
        places = Self.places(environment)
        do throws(GeocoderError) {
            try query?.check()
        } catch {
            gazetteer = .failure(error)
            return
        }
        do {
            gazetteer = .success(try Gazetteer.filledOnFirstUse(environment: environment))
        } catch let error as CommandError
            where error.code == "noGazetteer" && (!places.isEmpty || OnlineLookup.isAllowed(environment))
        {
            gazetteer = .failure(GeocoderError(.noGazetteer, error.message ?? "there is no gazetteer"))
        }
    }

    /// The places that a text may mean, likeliest first.
    func candidates(for query: GeocodingQuery) throws(GeocoderError) -> [GeocodingCandidate] {
        try matcher.candidates(for: query, among: places) { () throws(GeocoderError) in
            try gazetteer.get().candidates(for: query)
        }
    }

    private static func places(_ environment: [String: String]) -> [MapItem] {
        do {
            let path = try HistoryStore.defaultPath(environment: environment)
            return try HistoryStore.openReadOnly(at: path)?.seenPlaces(limit: consideredPlaces).map(\.place) ?? []
        } catch {
            Output.complain("places that were on the screen are not considered: \(error)")
            return []
        }
    }
}
