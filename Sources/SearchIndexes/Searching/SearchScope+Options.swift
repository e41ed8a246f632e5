internal import GRDB
internal import HunchModel

extension SearchScope {
    /// Creates the scope of a search; `nil` if it contains no index.
    init?(_ options: SearchOptions, _ db: Database) throws {
        var sources: String?
        if options.applications != nil || options.index != nil {
            let rows = try Row.fetchAll(db, sql: "SELECT id, application, name FROM source").filter { row in
                options.applications.map { $0.contains(AppID(row[1] as String)) } ?? true
                    && options.index.map { $0 == row[2] } ?? true
            }
            guard !rows.isEmpty else { return nil }
            sources = "starts : (" + rows.map { "\"\u{2}\($0[0] as Int64)\"" }.joined(separator: " OR ") + ")"
        }
        let protection = SearchableItem.Protection.unlocked.rawValue
        self.init(sources: sources, hidden: options.isLocked ? "starts : \"\u{3}\(protection)\"" : nil)
    }
}
