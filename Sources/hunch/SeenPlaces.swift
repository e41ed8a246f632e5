import FoundationEssentials
import History
import HunchModel
import Places

/// Finds places: first those that apps had on the screen lately, as the person's history has them, then the gazetteer's.
struct SeenPlaces {
    /// How many of the last places are looked through.
    private static let consideredPlaces = 200

    private let environment: [String: String]
    private let places: [MapItem]
    private let matcher = SeenPlaceMatcher()
    /// `nil` before anything was asked for that may be a place.
    private var gazetteer: Result<Gazetteer, GeocoderError>?

    /// Reads the history, where there is one.
    init(environment: [String: String]) {
        self.environment = environment
        places = Self.places(environment)
    }

    /// The places that a text may mean, likeliest first, or why there is no answer. The first that may mean a place opens the
    /// gazetteer, which is filled where there is none yet: what names no place fills no gazetteer.
    ///
    /// - Throws: ``CommandError`` when there is no gazetteer and nothing else to answer from, nor the network to ask.
    mutating func candidates(for query: GeocodingQuery) throws -> Result<[GeocodingCandidate], GeocoderError> {
        do throws(GeocoderError) {
            try query.check()
        } catch {
            return .failure(error)
        }
        let gazetteer: Result<Gazetteer, GeocoderError>
        do {
            gazetteer = try self.gazetteer ?? openGazetteer()
        } catch {
            // A position needs no gazetteer.
            guard let position = try query.positionCandidate else { throw error }
            return .success([position])
        }
        self.gazetteer = gazetteer
        return Result { () throws(GeocoderError) in
            try matcher.candidates(for: query, among: places) { () throws(GeocoderError) in
                if case .failure = gazetteer, let position = try query.positionCandidate { return [position] }
                return try gazetteer.get().candidates(for: query)
            }
        }
    }

    private func openGazetteer() throws -> Result<Gazetteer, GeocoderError> {
        do {
            return .success(try Gazetteer.filledOnFirstUse(environment: environment))
        } catch let error as CommandError
            where error.code == "noGazetteer" && (!places.isEmpty || OnlineLookup.isAllowed(environment))
        {
            return .failure(GeocoderError(.noGazetteer, error.message ?? "there is no gazetteer"))
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
