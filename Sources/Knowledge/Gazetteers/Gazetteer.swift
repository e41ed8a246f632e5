public import Geocoding
public import HunchModel
internal import Localization
import FoundationEssentials
internal import Databases
import GRDB

/// An open, read-only gazetteer. Finds places by name and by coordinate.
///
/// It continues to read the file that it opened, even after an import has replaced it.
public final class Gazetteer: Sendable {
    let database: DatabaseQueue
    /// The numbers of the file's segments. The file is replaced as a whole and never modified.
    let segments: [Int64]

    /// Opens the file.
    ///
    /// - Throws: ``GeocoderError`` with `noGazetteer` if there is no file, `incompatible` if it has another version
    ///   or is not a gazetteer, `storage` if it cannot be read.
    public init(_ file: GazetteerFile) throws(GeocoderError) {
        guard file.exists else {
            throw GeocoderError(
                .noGazetteer, localized("there is no gazetteer yet; create one with “hunch gazetteer get”"))
        }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "gazetteer"
        // The file is never modified, so it can be memory-mapped. Unused parts take no memory.
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
                .incompatible, localized("%1 is not a gazetteer; remove it with “hunch gazetteer remove”", file.path),
                underlying: error)
        } catch {
            throw GeocoderError(
                .storage, localized("%1 cannot be read; check its permissions", file.path), underlying: error)
        }
    }

    /// Returns the paths of the files that were imported into a gazetteer of an earlier version, ordered by the names
    /// of their sources. Returns `nil` if the file has the current version or is not a gazetteer.
    public static func filesOfEarlierVersion(_ file: GazetteerFile) -> [String]? {
        var configuration = Configuration()
        configuration.readonly = true
        guard file.exists, let queue = try? DatabaseQueue(path: file.path, configuration: configuration) else {
            return nil
        }
        defer { queue.closeForGood() }
        return try? queue.read { db in
            guard try GazetteerSchema.isOfEarlierVersion(db) else { return nil }
            return try String.fetchAll(db, sql: "SELECT file FROM source ORDER BY name")
        }
    }

    deinit { database.closeForGood() }

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
                .storage, localized("the gazetteer cannot be read; import it again with “hunch gazetteer import”"),
                underlying: error)
        }
    }
}
