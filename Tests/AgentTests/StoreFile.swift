import FoundationEssentials
import GRDB
import TestSupport

/// The agent's store, looked into from outside.
struct StoreFile {
    let home: TemporaryHome

    var path: String { home.state + "/hunch/history.sqlite" }

    /// How many rows each table of what is recorded has.
    func counts() throws -> [String: Int] {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration).read { db in
            var counts: [String: Int] = [:]
            for table in ["donation", "engagement", "resumePoint", "action", "mutedPair", "word"] {
                counts[table] = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
            }
            return counts
        }
    }

    /// What became of suggestions, oldest first.
    func outcomes() throws -> [String] {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration).read { db in
            try String.fetchAll(db, sql: "SELECT outcome FROM engagement ORDER BY id")
        }
    }
}
