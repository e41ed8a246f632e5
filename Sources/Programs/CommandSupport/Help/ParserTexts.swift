internal import Localization

/// The texts of the argument parser in the language of the user. The parser has no translations.
package enum ParserTexts {
    /// The parser's errors, each with our words for it. An error is the first that matches, so longer texts come before
    /// their prefixes.
    private static let errors: [(pattern: StaticString, text: StaticString)] = [
        ("Unknown option '%1'. Did you mean '%2'?", localizable("unknown option “%1”; did you mean “%2”?")),
        ("Unknown option '%1'", localizable("unknown option “%1”")),
        ("Missing value for '%1'", localizable("%1 needs a value")),
        ("Missing expected argument '%1'", localizable("the argument %1 is missing")),
        ("Missing one of: '%1'", localizable("one of these arguments is missing: %1")),
        ("Missing required subcommand.", localizable("the name of a subcommand is missing")),
        ("Unexpected argument '%1'", localizable("“%1” is one argument too many")),
        ("%1 unexpected arguments: '%2'", localizable("these arguments are too many: %2")),
        (
            "The option '%1' does not take any value, but '%2' was specified.",
            localizable("%1 takes no value, so leave out “%2”")
        ),
        (
            "The value '%1' is invalid for '%2'. Please provide one of the following:\n%3",
            localizable("%2 cannot be “%1”; use one of %3")
        ),
        (
            "The value '%1' is invalid for '%2'. Please provide one of %3.",
            localizable("%2 cannot be “%1”; use one of %3")
        ),
        ("The value '%1' is invalid for '%2': %3", localizable("%2 cannot be “%1”: %3")),
        ("The value '%1' is invalid for '%2'", localizable("%2 cannot be “%1”")),
        ("Invalid option: %1", localizable("unknown option “%1”")),
    ]

    /// The parser's headings of a help text, each on a line of its own.
    private static let headings = [
        localizable("ARGUMENTS:"), localizable("OPTIONS:"), localizable("SUBCOMMANDS:"),
        localizable("%1 SUBCOMMANDS:"), localizable("  See '%1 <subcommand>' for detailed help."),
    ]

    /// The parser's texts that begin a line.
    private static let beginnings = [localizable("OVERVIEW: %1"), localizable("USAGE: %1")]

    /// The parser's texts within a help text.
    private static let remarks = [
        localizable("Show the version."), localizable("Show help information."),
        localizable("(values: %1; default: %2)"), localizable("(values: %1)"), localizable("(default: %1)"),
        localizable("(default)"),
    ]

    /// Returns the message of an error in the arguments.
    ///
    /// - Parameter message: the parser's message. Other messages are returned as they are.
    package static func translated(error message: String) -> String {
        for error in errors {
            guard let values = TextPattern(error.pattern).values(in: message) else { continue }
            return localized(error.text, values: values.map(plain))
        }
        return message
    }

    /// Returns a value of the parser's errors without its quotes: an option without its value's name, or a list.
    private static func plain(_ value: String) -> String {
        if value.hasPrefix("  - ") {
            return value.split(separator: "\n").map { $0.dropFirst(4) }.joined(separator: ", ")
        }
        if value.hasPrefix("'") {
            // “'on' and 'off'”: every second part was in quotes.
            let parts = value.split(separator: "'", omittingEmptySubsequences: false)
            return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }.joined(separator: ", ")
        }
        guard value.hasPrefix("--"), let end = value.firstRange(of: " <") else {
            return value.replacing("', '", with: ", ")
        }
        return String(value[..<end.lowerBound])
    }

    /// Returns a help text. The abstracts, discussions and help texts in it are translated before.
    ///
    /// - Parameter text: the parser's help text. Other texts, such as scripts, are returned as they are.
    package static func translated(help text: String) -> String {
        guard text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let (text, values) = match(String(line), headings + beginnings) else { return String(line) }
            return localized(text, values: values)
        }
        var result = lines.joined(separator: "\n")
        for remark in remarks { result = replacing(TextPattern(remark), in: result) }
        return result
    }

    private static func match(_ text: String, _ candidates: [StaticString]) -> (text: StaticString, values: [String])? {
        for candidate in candidates {
            if let values = TextPattern(candidate).values(in: text) { return (candidate, values) }
        }
        return nil
    }

    /// Translates all occurrences of a remark. A remark contains no parenthesis but its own.
    private static func replacing(_ pattern: TextPattern, in text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstRange(of: pattern.beginning)?.lowerBound,
            let end = rest[start...].firstRange(of: pattern.ending)?.upperBound
        {
            let occurrence = String(rest[start..<end])
            result += rest[..<start]
            result += pattern.values(in: occurrence).map { localized(pattern.text, values: $0) } ?? occurrence
            rest = rest[end...]
        }
        return result + rest
    }
}

/// A text with the placeholders `%1`, `%2` and so on, in this order, and with other texts between them.
private struct TextPattern {
    let text: StaticString
    /// The texts before, between and after the placeholders.
    private let pieces: [String]

    init(_ text: StaticString) {
        self.text = text
        var pieces = [""]
        var rest = text.description[...]
        while let sign = rest.firstIndex(of: "%") {
            pieces[pieces.count - 1] += rest[..<sign]
            pieces.append("")
            rest = rest[sign...].dropFirst(2)
        }
        pieces[pieces.count - 1] += rest
        self.pieces = pieces
    }

    var beginning: String { pieces.first ?? "" }
    var ending: String { pieces.count > 1 ? pieces.last ?? "" : beginning }

    /// Returns the values with which the pattern is the text; `nil` if there are none.
    func values(in text: String) -> [String]? {
        guard pieces.count > 1 else { return text == pieces[0] ? [] : nil }
        guard text.hasPrefix(pieces[0]) else { return nil }
        var rest = text.dropFirst(pieces[0].count)
        var values: [String] = []
        for piece in pieces[1..<(pieces.count - 1)] {
            guard let range = rest.firstRange(of: piece) else { return nil }
            values.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        let last = pieces[pieces.count - 1]
        guard rest.hasSuffix(last) else { return nil }
        return values + [String(rest.dropLast(last.count))]
    }
}
