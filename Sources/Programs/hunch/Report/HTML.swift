import CommandSupport
internal import HunchModel

/// HTML markup. Texts in its interpolations are escaped; only other markup is inserted as it stands.
///
/// ```swift
/// let cell: HTML = "<td>\(title)</td>"
/// ```
struct HTML: ExpressibleByStringInterpolation {
    /// The markup.
    private(set) var markup: String

    init(stringLiteral literal: String) { markup = literal }

    init(stringInterpolation: Interpolation) { markup = stringInterpolation.markup }

    /// The maximum number of characters of an escaped text.
    static let longestText = 160

    /// Returns a foreign text as markup: one line without control characters and characters that change the direction
    /// of text, cut to ``longestText``.
    static func escaped(_ text: String) -> String { escapedSentence(text.cut(to: longestText)) }

    /// Returns a text of Hunch's own as markup, at its full length.
    static func escapedSentence(_ text: String) -> String { Output.plain(text).escapedForMarkup }

    /// Returns the name of an app, which may break after a full stop: a name may be a long identifier.
    static func name(_ name: String) -> HTML {
        "<bdi class=\"name\">\(HTML(stringLiteral: escaped(name).replacing(".", with: ".<wbr>")))</bdi>"
    }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var markup = ""

        init(literalCapacity: Int, interpolationCount: Int) { markup.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { markup += literal }
        mutating func appendInterpolation(_ html: HTML) { markup += html.markup }
        mutating func appendInterpolation(_ pieces: [HTML]) { pieces.forEach { markup += $0.markup } }
        mutating func appendInterpolation(_ text: String) { markup += HTML.escaped(text) }
        mutating func appendInterpolation(sentence text: String) { markup += HTML.escapedSentence(text) }
        mutating func appendInterpolation(_ number: Int) { markup += "\(number)" }
        /// Appends a length with at most two decimals.
        mutating func appendInterpolation(_ number: Double) { markup += "\((number * 100).rounded() / 100)" }
    }
}

extension HTML {
    static func += (html: inout HTML, other: HTML) { html.markup += other.markup }
}
