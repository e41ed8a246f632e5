internal import GRDB
internal import HunchModel

extension SearchScope {
    /// Creates the scope of a search; `nil` if it contains no index.
    init?(_ options: SearchOptions, _ db: Database) throws {
        var sources: [String]?
        var hidden: [String] = []
        if options.applications != nil || options.index != nil || !options.excluded.isEmpty {
            let rows = try Row.fetchAll(db, sql: "SELECT id, application, name FROM source")
            func tokens(_ isIncluded: (AppID, String) -> Bool) -> [String] {
                rows.filter { isIncluded(AppID($0[1] as String), $0[2]) }.map { "\u{2}\($0[0] as Int64)" }
            }
            hidden = tokens { application, _ in options.excluded.contains(application) }
            if options.applications != nil || options.index != nil {
                let own = tokens { application, name in
                    options.applications.map { $0.contains(application) } ?? true
                        && options.index.map { $0 == name } ?? true
                }
                guard !own.isEmpty else { return nil }
                sources = own
            }
        }
        if options.isLocked { hidden.append("\u{3}\(SearchableItem.Protection.unlocked.rawValue)") }
        self.init(sources: sources.map(Self.expression), hidden: hidden.isEmpty ? nil : Self.expression(hidden))
    }

    /// Returns an expression for the items with one of these tokens.
    private static func expression(_ tokens: [String]) -> String {
        "starts : (" + tokens.map { "\"\($0)\"" }.joined(separator: " OR ") + ")"
    }
}
