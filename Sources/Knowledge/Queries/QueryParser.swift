public import FoundationEssentials
internal import HunchModel
internal import Localization

/// An error in a text of the query language.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the character at which the error was found, from 1.
    public let position: Int
    /// The problem and its remedy, in one sentence without a full stop.
    public let message: String

    /// The position and the message.
    public var description: String { localized("character %1: %2", position, message) }
}

extension Query {
    /// The longest text, in bytes.
    public static let maximumLength = 16_384
    /// The deepest nesting of parentheses and negations.
    public static let maximumDepth = 16
    /// The most words of a text with the modifier `t`.
    public static let maximumTokens = 32
    /// The most comparisons.
    public static let maximumComparisons = 256

    /// Parses a text of the query language.
    ///
    ///     query      = all *("||" all)
    ///     all        = term *("&&" term)
    ///     term       = "!" term / "(" query ")" / comparison / range
    ///     comparison = attribute ("==" / "!=" / "<" / "<=" / ">" / ">=") value
    ///     range      = "InRange(" attribute "," number "," number ")"
    ///     attribute  = letter *(letter / digit / "_") / "*"
    ///     value      = text / number / "true" / "false"
    ///     text       = quotation-mark *character quotation-mark *("c" / "d" / "w" / "t")
    ///     number     = decimal / "$time.now" ["(" seconds ")"] / "$time.today" ["(" days ")"] / "$time.iso(" date ")"
    ///
    /// In a text, `*` stands for any characters, and a backslash takes the next character literally. `$time.today` is the
    /// first instant of the day on the local clock.
    ///
    /// - Parameters:
    ///   - text: at most ``maximumLength`` bytes.
    ///   - clock: the date that `$time` counts from.
    /// - Throws: ``QueryError``.
    public init(_ text: String, clock: Date) throws(QueryError) {
        guard text.utf8.count <= Self.maximumLength else {
            throw QueryError(position: 1, message: localized("the query has more than %1 bytes", Self.maximumLength))
        }
        var parser = QueryParser(Array(text), clock: clock)
        self = try parser.parse()
    }
}

/// A recursive-descent parser of the query language.
private struct QueryParser {
    private let text: [Character]
    private let clock: Date
    private var index = 0
    private var depth = 0
    private var comparisons = 0

    init(_ text: [Character], clock: Date) {
        self.text = text
        self.clock = clock
    }

    mutating func parse() throws(QueryError) -> Query {
        let query = try any()
        skipSpaces()
        guard peek() == nil else { throw error(localized("expected “&&”, “||” or the end")) }
        return query
    }

    private mutating func any() throws(QueryError) -> Query {
        var queries = [try all()]
        while take("||") { queries.append(try all()) }
        return queries.count == 1 ? queries[0] : .any(queries)
    }

    private mutating func all() throws(QueryError) -> Query {
        var queries = [try term()]
        while take("&&") { queries.append(try term()) }
        return queries.count == 1 ? queries[0] : .all(queries)
    }

    private mutating func term() throws(QueryError) -> Query {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Query.maximumDepth else {
            throw error(
                localized(
                    "parentheses are nested deeper than %1 levels; simplify the query", Query.maximumDepth))
        }
        skipSpaces()
        if !follows("!="), take("!") { return .not(try term()) }
        if take("(") {
            let query = try any()
            guard take(")") else { throw error(localized("expected “)”")) }
            return query
        }
        comparisons += 1
        guard comparisons <= Query.maximumComparisons else {
            throw error(localized("the query has more than %1 comparisons; shorten it", Query.maximumComparisons))
        }
        let start = index
        if word() == "InRange", take("(") { return try range() }
        index = start
        return try comparison()
    }

    private mutating func range() throws(QueryError) -> Query {
        let attribute = try attribute()
        guard take(",") else { throw error(localized("expected “,” after the attribute of InRange")) }
        let lower = try number()
        guard take(",") else { throw error(localized("expected “,” after the lower bound of InRange")) }
        let upper = try number()
        guard take(")") else { throw error(localized("expected “)” after the upper bound of InRange")) }
        return .range(attribute, lower, upper)
    }

    private mutating func comparison() throws(QueryError) -> Query {
        let attribute = try attribute()
        skipSpaces()
        let start = index
        // The longer ones first.
        let relations = Query.Relation.allCases.sorted { $0.rawValue.count > $1.rawValue.count }
        guard let relation = relations.first(where: { take($0.rawValue) }) else {
            throw error(localized("expected ==, !=, <, <=, > or >= after the attribute"))
        }
        let value = try value()
        switch value {
        case .number: break
        case .pattern, .flag:
            guard relation == .equal || relation == .unequal else {
                index = start
                throw error(
                    localized(
                        "%1 compares numbers and dates such as $time.iso(2026-01-01); use == or != for texts",
                        relation.rawValue))
            }
        }
        return .comparison(attribute, relation, value)
    }

    private mutating func attribute() throws(QueryError) -> Query.Attribute {
        if take("*") { return nil }
        let start = index
        let name = word()
        guard SearchableAttribute.isName(name) else {
            index = start
            skipSpaces()
            throw error(localized("expected an attribute, such as title, or “*” for any"))
        }
        return name
    }

    private mutating func value() throws(QueryError) -> Query.Value {
        skipSpaces()
        if let mark = peek(), let closing = Self.quotationMarks[mark] { return .pattern(try pattern(closing)) }
        let start = index
        switch word() {
        case "true": return .flag(true)
        case "false": return .flag(false)
        default: index = start
        }
        return .number(try number())
    }

    /// The quotation marks before and after texts. Office programs and messengers make typographic ones of straight ones.
    private static let quotationMarks: [Character: Set<Character>] = [
        "\"": ["\""], "'": ["'"], "“": ["”"], "„": ["“", "”"], "‘": ["’"],
    ]

    private mutating func pattern(_ closing: Set<Character>) throws(QueryError) -> Pattern {
        let start = index
        index += 1
        var parts = [""]
        while true {
            guard let character = peek() else {
                index = start
                throw error(localized("the text has no closing quotation mark"))
            }
            index += 1
            switch character {
            case _ where closing.contains(character):
                let pattern = Pattern(parts: parts, modifiers: try modifiers())
                guard !pattern.modifiers.contains(.tokens) || pattern.tokenCount <= Query.maximumTokens else {
                    index = start
                    throw error(localized("a text with t has more than %1 words; shorten it", Query.maximumTokens))
                }
                return pattern
            case "*": parts.append("")
            case "\\":
                guard let next = peek() else {
                    index = start
                    throw error(localized("the text has no closing quotation mark"))
                }
                index += 1
                parts[parts.count - 1].append(next)
            default: parts[parts.count - 1].append(character)
            }
        }
    }

    private mutating func modifiers() throws(QueryError) -> Pattern.Modifiers {
        var modifiers: Pattern.Modifiers = []
        while let letter = peek(), letter.isLetter || letter.isNumber {
            guard let modifier = Pattern.Modifiers.letters[letter] else {
                throw error(localized("unknown modifier “%1”; use c, d, w or t", letter))
            }
            modifiers.insert(modifier)
            index += 1
        }
        return modifiers
    }

    // MARK: Numbers and dates

    private mutating func number() throws(QueryError) -> Double {
        skipSpaces()
        if take("$time.") { return try time() }
        guard let number = decimal() else {
            throw error(localized("expected a text in quotation marks, a number, true, false or $time"))
        }
        return number
    }

    private mutating func decimal() -> Double? {
        let start = index
        var digits = ""
        while let character = peek(), character.isASCII, character.isNumber || "+-.eE".contains(character) {
            digits.append(character)
            index += 1
        }
        guard let number = Double(digits), number.isFinite else {
            index = start
            return nil
        }
        return number
    }

    private mutating func time() throws(QueryError) -> Double {
        let start = index
        switch word() {
        case "now": return clock.timeIntervalSince1970 + (try argument() ?? 0)
        case "today":
            // Days as the calendar counts them: one of them may have 23 or 25 hours.
            guard let days = Int32(exactly: try argument() ?? 0),
                let day = WrittenTime.startOfDay(of: clock, addingDays: days)
            else {
                index = start
                throw error(localized("$time.today takes a whole number of days"))
            }
            return day.timeIntervalSince1970
        case "iso":
            guard take("(") else { throw error(localized("expected “(” after $time.iso")) }
            let begin = index
            var written = ""
            while let character = peek(), character != ")" {
                written.append(character)
                index += 1
            }
            let isQuoted = written.count >= 2 && written.first == written.last && ["\"", "'"].contains(written.first)
            guard let time = WrittenTime(isQuoted ? String(written.dropFirst().dropLast()) : written), take(")") else {
                index = begin
                throw error(localized("expected a date in ISO 8601, such as 2026-11-01 or 2026-11-01T08:30:00Z"))
            }
            return time.date.timeIntervalSince1970
        default:
            index = start
            throw error(localized("expected now, today or iso after $time."))
        }
    }

    /// Parses a number in parentheses, which may be absent.
    private mutating func argument() throws(QueryError) -> Double? {
        guard take("(") else { return nil }
        skipSpaces()
        if take(")") { return nil }
        guard let number = decimal() else { throw error(localized("expected a number")) }
        guard take(")") else { throw error(localized("expected “)”")) }
        return number
    }

    // MARK: Characters

    private func peek() -> Character? { index < text.count ? text[index] : nil }

    private mutating func skipSpaces() { while peek()?.isWhitespace == true { index += 1 } }

    private func follows(_ token: String) -> Bool { text[index...].starts(with: token) }

    /// Skips spaces and a token, if it follows.
    private mutating func take(_ token: String) -> Bool {
        let start = index
        skipSpaces()
        guard follows(token) else {
            index = start
            return false
        }
        index += token.count
        skipSpaces()
        return true
    }

    private mutating func word() -> String {
        skipSpaces()
        var word = ""
        while let character = peek(), character.isASCII, character.isLetter || character.isNumber || character == "_" {
            word.append(character)
            index += 1
        }
        return word
    }

    private func error(_ message: String) -> QueryError {
        QueryError(
            position: index + 1,
            message: index < text.count ? message : localized("%1 (the query ends here)", message))
    }
}
