import CommandSupport
import FoundationEssentials
import Geocoding
import History
import HunchModel
import Gazetteers
import Synchronization
import Localization

extension GeocoderChain {
    /// Returns the geocoders for the command line: places of the history, the gazetteer, which is filled on first
    /// use, and the network if `hunch online` allows it.
    ///
    /// - Parameter asksNetwork: whether to use the network at all. Batches do not.
    static func ofPerson(environment: [String: String], asksNetwork: Bool = true) -> GeocoderChain {
        let (seen, own) = knownPlaces(environment)
        return GeocoderChain(
            gazetteer: FirstUseGazetteer(environment: environment), own: { own }, seen: { seen },
            network: { query throws(GeocoderError) in
                asksNetwork ? try await OnlineLookup.candidates(for: query, environment: environment) : nil
            })
    }

    /// Returns the places that were on the screen, and those that the user named.
    private static func knownPlaces(_ environment: [String: String]) -> (seen: [MapItem], own: [String: MapItem]) {
        do {
            let path = try HistoryStore.defaultPath(environment: environment)
            guard let store = try HistoryStore.openReadOnly(at: path) else { return ([], [:]) }
            return (try store.seenPlaces(limit: SeenPlaces.considered).map(\.place), try store.ownPlaces())
        } catch {
            Output.complain(localized("your places and those that were on the screen are not considered: %1", error))
            return ([], [:])
        }
    }
}

/// The user's gazetteer, opened by the first query and filled if there is none yet.
private final class FirstUseGazetteer: Geocoder {
    private let environment: [String: String]
    private let opened = Mutex<Result<Gazetteer, GeocoderError>?>(nil)

    init(environment: [String: String]) { self.environment = environment }

    func candidates(for query: GeocodingQuery) async throws(GeocoderError) -> [GeocodingCandidate] {
        do throws(GeocoderError) {
            return try gazetteer().candidates(for: query)
        } catch {
            // A coordinate needs no gazetteer.
            guard let position = try query.positionCandidate else { throw error }
            return [position]
        }
    }

    func places(near coordinate: Coordinate, limit: Int) async throws(GeocoderError) -> [GeocodingCandidate] {
        try gazetteer().places(near: coordinate, limit: limit)
    }

    private func gazetteer() throws(GeocoderError) -> Gazetteer {
        try opened.withLock { opened throws(GeocoderError) in
            if let opened { return try opened.get() }
            let result = open()
            opened = result
            return try result.get()
        }
    }

    private func open() -> Result<Gazetteer, GeocoderError> {
        do {
            return .success(try Gazetteer.filledOnFirstUse(environment: environment))
        } catch let error as GeocoderError {
            return .failure(error)
        } catch {
            let failure = CommandError(error)
            let code: GeocoderError.Code = failure.code == "noGazetteer" ? .noGazetteer : .storage
            return .failure(
                GeocoderError(code, failure.message ?? localized("there is no gazetteer"), underlying: error))
        }
    }
}
