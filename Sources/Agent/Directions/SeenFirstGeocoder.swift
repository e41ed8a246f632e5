internal import History
internal import HunchModel
internal import Places

/// Geocodes from places that the person looked at lately, then from the gazetteer.
struct SeenFirstGeocoder: Geocoder {
    /// How many of the last places are looked through.
    static let consideredPlaces = 200

    let gazetteer: GazetteerGeocoder?
    let matcher: SeenPlaceMatcher
    let history: HistoryKeeper
    /// Whose places may be told.
    let visible: VisibleApps

    private static let missing = GeocoderError(.noGazetteer, "neither XDG_DATA_HOME nor HOME is set")

    func candidates(for query: GeocodingQuery) async throws(GeocoderError) -> [GeocodingCandidate] {
        let known: Result<[GeocodingCandidate], GeocoderError>
        do throws(GeocoderError) {
            guard let gazetteer else { throw Self.missing }
            known = .success(try await gazetteer.candidates(for: query))
        } catch {
            known = .failure(error)
        }
        guard visible != .none else { return try known.get() }
        let (matcher, visible) = (matcher, visible)
        do {
            return try await history.use { store, _ in
                let application: String? = if case .one(let own) = visible { own } else { nil }
                let places = try store.seenPlaces(of: application, limit: Self.consideredPlaces).map(\.place)
                return try matcher.candidates(for: query, among: places) { () throws(GeocoderError) in try known.get() }
            }
        } catch let error as GeocoderError {
            throw error
        } catch {
            // What was on the screen is an addition: a history that cannot be read keeps nobody from what is known.
            return try known.get()
        }
    }

    func places(near coordinate: Coordinate, limit: Int) async throws(GeocoderError) -> [GeocodingCandidate] {
        guard let gazetteer else { throw Self.missing }
        return try await gazetteer.places(near: coordinate, limit: limit)
    }
}
