#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif
public import HunchModel
import Synchronization

/// Geocodes from the gazetteer file, opening it anew after an import has replaced it.
public final class GazetteerGeocoder: Geocoder {
    /// Tells one file from another that took its place.
    private struct Identity: Equatable {
        let device: UInt
        let inode: UInt
        let seconds: Int
        let nanoseconds: Int
    }

    private let file: GazetteerFile?
    private let executor: (any TaskExecutor)?
    private let open = Mutex<(identity: Identity, gazetteer: Gazetteer)?>(nil)

    /// Makes a geocoder. The file is opened by the first query.
    ///
    /// - Parameters:
    ///   - file: the gazetteer; need not exist yet. `nil` where there is no place for one.
    ///   - executor: where the blocking reads run; `nil` leaves them where the caller runs.
    public init(_ file: GazetteerFile?, executor: (any TaskExecutor)? = nil) {
        self.file = file
        self.executor = executor
    }

    /// The places that a text may mean, likeliest first. What names no place is refused, and a position answered, also
    /// where there is no gazetteer.
    ///
    /// - Throws: ``GeocoderError``; `noGazetteer` when the file does not exist.
    public func candidates(for query: GeocodingQuery) async throws(GeocoderError) -> [GeocodingCandidate] {
        try query.check()
        do throws(GeocoderError) {
            return try await reading { gazetteer throws(GeocoderError) in try gazetteer.candidates(for: query) }
        } catch {
            guard error.code == .noGazetteer, let position = try query.positionCandidate else { throw error }
            return [position]
        }
    }

    /// The places nearest to a position, nearest first.
    ///
    /// - Throws: ``GeocoderError``; `noGazetteer` when the file does not exist.
    public func places(near coordinate: Coordinate, limit: Int) async throws(GeocoderError) -> [GeocodingCandidate] {
        try await reading { gazetteer throws(GeocoderError) in try gazetteer.places(near: coordinate, limit: limit) }
    }

    private func reading<Value: Sendable>(
        _ body: @Sendable (Gazetteer) throws(GeocoderError) -> Value
    ) async throws(GeocoderError) -> Value {
        let result = await withTaskExecutorPreference(executor) { () async -> Result<Value, GeocoderError> in
            Result { () throws(GeocoderError) in try body(current()) }
        }
        return try result.get()
    }

    private func current() throws(GeocoderError) -> Gazetteer {
        guard let file else { throw GeocoderError(.noGazetteer, "neither XDG_DATA_HOME nor HOME is set") }
        var status = stat()
        let identity: Identity? =
            // -1 on failure; the file is then not there, which opening it will tell.
            stat(file.path, &status) == 0
            ? Identity(
                device: UInt(status.st_dev), inode: UInt(status.st_ino), seconds: status.st_mtim.tv_sec,
                nanoseconds: status.st_mtim.tv_nsec) : nil
        return try open.withLock { open throws(GeocoderError) in
            if let open, open.identity == identity { return open.gazetteer }
            let gazetteer = try Gazetteer(file)
            open = identity.map { ($0, gazetteer) }
            return gazetteer
        }
    }
}
