public import Gazetteers
public import Geocoding
public import HunchModel
import Localization
import FoundationEssentials
import GRDB

/// The progress of an import.
public enum GazetteerProgress: Hashable, Sendable {
    /// The source is being read: `fraction` is the part that was read, 0…1, and `places` the number of places so far.
    case reading(fraction: Double, places: Int)
    /// The places are being indexed: `fraction` is the part that was indexed, 0…1, and `places` the number of all
    /// places.
    case indexing(fraction: Double, places: Int)
}

extension GazetteerFile {
    /// Imports a source into the gazetteer, replacing an earlier import of the same name.
    ///
    /// If the import fails, `read` throws or the process is killed, the gazetteer stays unchanged.
    ///
    /// - Parameters:
    ///   - source: the description of the source. Its counts are ignored.
    ///   - progress: called several times while places are indexed.
    ///   - read: adds the source's areas and places.
    /// - Returns: the source with its counts.
    /// - Throws: ``GeocoderError`` with `busy`, `incompatible` or `storage`, or an error of `read`.
    public func importSource(
        _ source: GazetteerSource, progress: (GazetteerProgress) -> Void = { _ in },
        read: (GazetteerWriter) throws -> Void
    ) throws -> GazetteerSource {
        var imported = source
        let others = try sources().filter { $0.name != source.name }
        try change(keepingContent: !others.isEmpty) { db in
            if let old = try Int64.fetchOne(db, sql: "SELECT id FROM source WHERE name = ?", arguments: [source.name]) {
                try GazetteerWriter.delete(source: old, from: db)
            }
            try db.execute(
                sql: """
                    INSERT INTO source (name, file, file_date, import_date, licence, attribution, place_count, house_count)
                    VALUES (?, ?, ?, ?, ?, ?, 0, 0)
                    """,
                arguments: [
                    source.name, source.file, source.fileDate.timeIntervalSince1970,
                    source.importDate.timeIntervalSince1970, source.licence, source.attribution,
                ])
            let writer = try GazetteerWriter(db, source: db.lastInsertedRowID)
            try read(writer)
            imported.placeCount = writer.placeCount
            imported.houseCount = writer.houseCount
            try writer.finish { progress(.indexing(fraction: $0, places: writer.placeCount + writer.houseCount)) }
        }
        return imported
    }

    /// Removes a source from the gazetteer. If it is the last source, removes the file.
    ///
    /// - Returns: whether there was such a source.
    /// - Throws: ``GeocoderError`` with `busy`, `incompatible` or `storage`.
    public func removeSource(named name: String) throws -> Bool {
        let sources = try sources()
        guard sources.contains(where: { $0.name == name }) else { return false }
        guard sources.count > 1 else {
            try remove()
            return true
        }
        try change(keepingContent: true) { db in
            if let old = try Int64.fetchOne(db, sql: "SELECT id FROM source WHERE name = ?", arguments: [name]) {
                try GazetteerWriter.delete(source: old, from: db)
            }
        }
        return true
    }

    private func change(keepingContent: Bool, _ body: (Database) throws -> Void) throws {
        try replace(keepingContent: keepingContent) { path in
            do {
                let queue = try DatabaseQueue(path: path, configuration: Self.importing)
                try queue.write { db in
                    if keepingContent {
                        try GazetteerSchema.check(db, path: self.path)
                    } else {
                        try GazetteerSchema.create(in: db)
                    }
                    try body(db)
                }
                try queue.close()
            } catch let error as DatabaseError {
                throw GeocoderError(
                    .storage,
                    localized(
                        "the gazetteer cannot be written (%1); check the free disk space",
                        error.message ?? localized("no reason given")),
                    underlying: error)
            }
        }
    }

    /// The configuration for writing. It has no journal, because the written file is a copy that is deleted on failure.
    private static var importing: Configuration {
        var configuration = Configuration()
        configuration.label = "gazetteer import"
        configuration.prepareDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA journal_mode = OFF;
                    PRAGMA synchronous = OFF;
                    PRAGMA cache_size = -65536;
                    """)
        }
        return configuration
    }
}
