#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif
public import Geocoding
public import HunchModel
import Localization
import Synchronization

/// A geocoder that uses the gazetteer file. It reopens the file after an import has replaced it.
public final class GazetteerGeocoder: Geocoder {
    /// The identity of a file, to detect that it was replaced.
    private struct Identity: Equatable {
        let device: UInt
        let inode: UInt
        let seconds: Int
        let nanoseconds: Int
    }

    private let file: GazetteerFile?
    private let executor: (any TaskExecutor)?
    private let open = Mutex<(identity: Identity, gazetteer: Gazetteer)?>(nil)

    /// Creates a geocoder. The first query opens the file.
    ///
    /// - Parameters:
    ///   - file: the gazetteer, which need not exist yet; `nil` if its path is unknown.
    ///   - executor: the executor of blocking reads; `nil` for the caller's.
    public init(_ file: GazetteerFile?, executor: (any TaskExecutor)? = nil) {
        self.file = file
        self.executor = executor
    }

    /// Returns the places that a text may mean, likeliest first. Coordinates and invalid texts need no gazetteer.
    ///
    /// - Throws: ``GeocoderError``; `noGazetteer` if the file does not exist.
    public func candidates(for query: GeocodingQuery) async throws(GeocoderError) -> [GeocodingCandidate] {
        try query.check()
        do throws(GeocoderError) {
            return try await reading { gazetteer throws(GeocoderError) in try gazetteer.candidates(for: query) }
        } catch {
            guard error.code == .noGazetteer, let position = try query.positionCandidate else { throw error }
            return [position]
        }
    }

    /// Returns the places nearest to a coordinate, nearest first.
    ///
    /// - Throws: ``GeocoderError``; `noGazetteer` if the file does not exist.
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
        guard let file else {
            throw GeocoderError(.noGazetteer, localized("neither XDG_DATA_HOME nor HOME is set; set one of them"))
        }
        var status = stat()
        let identity: Identity? =
            // -1 on failure. Then opening the missing file will report it.
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
