package import GRDB

extension Database {
    /// Rewrites the file without free space and without copies of deleted rows. Outside transactions.
    ///
    /// SQLite makes the new file in a temporary one next to it: in memory, that of a large file would exceed the limit
    /// of the agent. The temporary file has no name, and its space is free afterwards.
    ///
    /// - Throws: `DatabaseError`. Then the file is unchanged.
    package func vacuum() throws {
        let path = try String.fetchOne(self, sql: "SELECT file FROM pragma_database_list WHERE name = 'main'") ?? ""
        // The agent may write only to few folders. SQLite takes /var/tmp if this one is gone.
        if let folder = path.lastIndex(of: "/").map({ path[..<$0] }), !folder.isEmpty {
            try execute(sql: "PRAGMA temp_store_directory = \(String(folder).quotedDatabaseIdentifier)")
        }
        try execute(sql: "PRAGMA temp_store = FILE")
        defer { try? execute(sql: "PRAGMA temp_store = MEMORY") }
        try execute(sql: "VACUUM")
    }
}
