public import HunchModel
import FoundationEssentials
import GRDB

/// An open gazetteer, read-only: finds places by name and by coordinate.
///
/// It goes on reading the file that it opened, also after an import has put another one in its place.
public final class Gazetteer: Sendable {
    let database: DatabaseQueue
    /// The numbers of the file's segments; the file is replaced and never changed.
    let segments: [Int64]

    /// Opens the file.
    ///
    /// - Throws: ``GeocoderError`` with `noGazetteer` when there is no file, `incompatible` when it is another
    ///   version's or no gazetteer at all, `storage` when it cannot be read.
    public init(_ file: GazetteerFile) throws(GeocoderError) {
        guard file.exists else {
            throw GeocoderError(.noGazetteer, "there is no gazetteer yet; fill one with “hunch gazetteer import”")
        }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "gazetteer"
        // The file is replaced and never changed, so that it can be read in place; what is not needed takes no memory.
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA mmap_size = 268435456") }
        do {
            database = try DatabaseQueue(path: file.path, configuration: configuration)
            segments = try database.read { db in
                try GazetteerSchema.check(db, path: file.path)
                return try Int64.fetchAll(db, sql: "SELECT id FROM segment ORDER BY id")
            }
        } catch let error as GeocoderError {
            throw error
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw GeocoderError(
                .incompatible, "\(file.path) is not a gazetteer; remove it with “hunch gazetteer remove”",
                underlying: error)
        } catch {
            throw GeocoderError(.storage, "\(file.path) cannot be read; check its permissions", underlying: error)
        }
    }

    /// The files that a gazetteer of an earlier version was filled from, by the names of its sources; `nil` when the file is
    /// of this version, or no gazetteer at all.
    public static func filesOfEarlierVersion(_ file: GazetteerFile) -> [String]? {
        var configuration = Configuration()
        configuration.readonly = true
        guard file.exists, let queue = try? DatabaseQueue(path: file.path, configuration: configuration) else {
            return nil
        }
        defer { ClosedDatabases.close(queue) }
        return try? queue.read { db in
            guard try GazetteerSchema.isOfEarlierVersion(db) else { return nil }
            return try String.fetchAll(db, sql: "SELECT file FROM source ORDER BY name")
        }
    }

    deinit { ClosedDatabases.close(database) }

    /// Returns the sources of the gazetteer, by name.
    ///
    /// - Throws: ``GeocoderError`` with `storage`.
    public func sources() throws(GeocoderError) -> [GazetteerSource] {
        try read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM source ORDER BY name").map { row in
                GazetteerSource(
                    name: row["name"], file: row["file"], fileDate: Date(timeIntervalSince1970: row["file_date"]),
                    importDate: Date(timeIntervalSince1970: row["import_date"]), licence: row["licence"],
                    attribution: row["attribution"], placeCount: row["place_count"],
                    houseCount: row["house_count"])
            }
        }
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(GeocoderError) -> Value {
        do {
            return try database.read(body)
        } catch let error as GeocoderError {
            throw error
        } catch {
            throw GeocoderError(
                .storage, "the gazetteer cannot be read; import it anew with “hunch gazetteer import”",
                underlying: error)
        }
    }
}
