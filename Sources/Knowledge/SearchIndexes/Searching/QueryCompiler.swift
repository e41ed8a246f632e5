internal import FullText
internal import GRDB
internal import HunchModel
internal import Queries

/// Translates a query into SQL. Names and values become arguments, never part of the SQL.
struct QueryCompiler {
    /// The condition on the table `item`.
    private(set) var condition = ""
    private(set) var arguments: StatementArguments = []
    /// The patterns of the condition, see ``PatternFunction``.
    private(set) var patterns: [Pattern] = []
    /// The expression of FTS5 that all matching items match; `nil` if there is none.
    let expression: String?

    init(_ query: Query) {
        expression = Self.expression(query)
        condition = compile(query)
    }

    private mutating func compile(_ query: Query) -> String {
        switch query {
        case .all(let queries): return "(" + queries.map { compile($0) }.joined(separator: " AND ") + ")"
        case .any(let queries): return "(" + queries.map { compile($0) }.joined(separator: " OR ") + ")"
        case .not(let query): return "NOT " + compile(query)
        case .range(let attribute, let lower, let upper):
            return exists(attribute, "type IN ('integer', 'real') AND atom BETWEEN ? AND ?", [lower, upper])
        case .comparison(let attribute, .unequal, let value):
            return "NOT " + compile(.comparison(attribute, .equal, value))
        case .comparison(let attribute, _, .pattern(let pattern)):
            patterns.append(pattern)
            return texts(attribute, pattern: patterns.count - 1)
        case .comparison(let attribute, _, .flag(let flag)):
            return exists(attribute, "type = ?", [flag ? "true" : "false"])
        case .comparison(let attribute, let relation, .number(let number)):
            let sign = relation == .equal ? "=" : relation.rawValue
            return exists(attribute, "type IN ('integer', 'real') AND atom \(sign) ?", [number])
        }
    }

    /// Returns the condition that a value of an attribute satisfies another one.
    private mutating func exists(
        _ attribute: Query.Attribute, _ condition: String, _ values: StatementArguments
    ) -> String {
        arguments += [Self.path(attribute)]
        arguments += values
        return "EXISTS (SELECT 1 FROM json_tree(item.attributes, ?) WHERE \(condition))"
    }

    /// Returns the condition that a text of an attribute matches the pattern with a number.
    private mutating func texts(_ attribute: Query.Attribute, pattern: Int) -> String {
        func condition(on column: String) -> String { "matches(\(column), \(pattern))" }
        switch attribute {
        case "title"?: return condition(on: "item.title")
        case "text"?: return "(item.text <> '' AND \(condition(on: "item.text")))"
        case "id"?: return condition(on: "item.identifier")
        case "domain"?: return "(item.domain IS NOT NULL AND \(condition(on: "item.domain")))"
        case nil:
            return "(\(texts("title", pattern: pattern)) OR \(texts("text", pattern: pattern)) OR "
                + exists(nil, "type = 'text' AND \(condition(on: "atom"))", []) + ")"
        default: return exists(attribute, "type = 'text' AND \(condition(on: "atom"))", [])
        }
    }

    /// The path of an attribute in JSON. Its name consists of letters, digits and underscores.
    static func path(_ attribute: Query.Attribute) -> String { attribute.map { "$.\($0)" } ?? "$" }

    // MARK: Words

    /// Returns an expression of FTS5 that all items match that the query matches; `nil` without one.
    private static func expression(_ query: Query) -> String? {
        switch query {
        case .all(let queries):
            let expressions = queries.compactMap(expression)
            return expressions.isEmpty ? nil : "(" + expressions.joined(separator: " AND ") + ")"
        case .any(let queries):
            let expressions = queries.compactMap(expression)
            return expressions.count < queries.count ? nil : "(" + expressions.joined(separator: " OR ") + ")"
        case .comparison(let attribute?, .equal, .pattern(let pattern)):
            guard let field = SearchableAttribute.standard[attribute]?.field else { return nil }
            let column =
                switch field {
                case .title: "title"
                case .names: "names"
                case .text: "text"
                }
            let words = words(pattern)
            return words.isEmpty
                ? nil : "(" + words.map { "\(column) : \"\($0)\"" }.joined(separator: " AND ") + ")"
        default: return nil
        }
    }

    /// Returns the words of the index that each matching text contains: those that no asterisk continues.
    private static func words(_ pattern: Pattern) -> [String] {
        // Between boundaries of words may also be a part of a word: “York” in “NewYork”. The words of a pattern and those of the
        // index are divided alike in most texts only.
        guard pattern.modifiers.isDisjoint(with: [.words, .tokens]) else { return [] }
        var words: [String] = []
        for (index, part) in pattern.parts.enumerated() {
            var part = Substring(part)
            if index > 0 { part = part.drop { !$0.isWhitespace } }
            if index < pattern.parts.count - 1 {
                part = part[..<(part.lastIndex(where: \.isWhitespace) ?? part.startIndex)]
            }
            words += WordScanner.words(String(part)).map(\.text).filter { !WordScanner.isUnspaced($0) }
        }
        return words
    }
}
