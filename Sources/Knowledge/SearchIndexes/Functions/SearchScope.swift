/// The items that a search looks at. Items of other apps must not influence it: that would reveal their words to an
/// app.
struct SearchScope: Hashable {
    /// The expression of FTS5 for the items of some indexes; `nil` for all indexes.
    let sources: String?
    /// The expression for items that are not looked at; `nil` for none.
    let hidden: String?

    /// The number of phrases in both.
    var phrases: Int { [sources, hidden].compactMap(\.self).reduce(0) { $0 + $1.count { $0 == "\"" } / 2 } }

    /// Returns an expression for its matches within the scope.
    func limiting(_ expression: String) -> String {
        var limited = expression
        if let sources { limited = "(\(limited)) AND \(sources)" }
        if let hidden { limited = "(\(limited)) NOT \(hidden)" }
        return limited
    }
}
