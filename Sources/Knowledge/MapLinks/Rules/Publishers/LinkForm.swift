import HunchModel
import Localization

/// A section of a file of link forms: a publisher's hosts, and how its links are read.
///
/// ```
/// [citymapper] citymapper.com citymapper:
/// source: https://citymapper.com/tools/1053/launch-citymapper-for-directions
/// to: endcoord={lat},{lon} endname={name}
/// ```
///
/// The header has the name of the rule, then hosts and, with a colon, schemes. Each other line has a key and its value.
/// `Documentation/Directions.md` describes them for users.
struct LinkForm {
    /// A part of a value: `{lat}`.
    enum Part: String {
        case lat, lon, zoom, name, address, id, south, west, north, east
        case time, date, year, month, day, hour, minute
    }

    /// A field of a link and the form of its value: `p={lat},{lon},{zoom}`.
    struct Field {
        /// The name in lower case; `?`, `/`, `#` and `*` are parts of the link.
        let name: String
        /// The parts, each with the text behind it.
        var parts: [(part: Part, literal: String)] = []
        /// The text before the first part.
        var opening = ""

        /// The names of the parts.
        var kinds: [Part] { parts.map(\.part) }
        /// The characters between the parts.
        var separators: Set<Character> { Set(parts.map(\.literal).joined() + opening) }

        init(_ text: Substring) throws(LinkFormError) {
            let name = text.prefix { $0 != "=" }
            self.name = name.lowercased()
            guard !name.isEmpty, name.endIndex < text.endIndex else { throw .notAField(text) }
            var rest = text[text.index(after: name.endIndex)...]
            opening = String(rest.prefix { $0 != "{" })
            rest = rest.dropFirst(opening.count)
            while rest.first == "{" {
                let word = rest.dropFirst().prefix { $0 != "}" }
                guard let part = Part(rawValue: String(word)), word.endIndex < rest.endIndex else {
                    throw .notAField(text)
                }
                rest = rest[rest.index(after: word.endIndex)...]
                let literal = rest.prefix { $0 != "{" }
                parts.append((part, String(literal)))
                rest = rest[literal.endIndex...]
            }
            guard !parts.isEmpty, rest.isEmpty else { throw .notAField(text) }
        }
    }

    private static let keys: Set = [
        "source", "path", "fields", "to", "from", "place", "view", "pin", "map", "points", "box", "modes", "mode",
        "words", "zoom", "search", "unresolved", "time", "arrival",
    ]

    let name: String
    private var lines: [String: Substring] = [:]

    /// - Parameter body: the lines below the header.
    init(name: String, _ body: Substring) throws(LinkFormError) {
        self.name = name
        for line in body.split(separator: "\n") where !line.hasPrefix("#") {
            let key = line.prefix { $0 != ":" }
            guard Self.keys.contains(String(key)), lines[String(key)] == nil else { throw .unknownKey(line) }
            lines[String(key)] = line.dropFirst(key.count + 1)
        }
    }

    /// Returns the words of a line; empty without it.
    func words(_ key: String) -> [String] { (lines[key] ?? "").split(separator: " ").map(String.init) }

    /// Returns the fields of a line; empty without it.
    func fields(_ key: String) throws(LinkFormError) -> [Field] {
        var fields: [Field] = []
        for text in (lines[key] ?? "").split(separator: " ") { fields.append(try Field(text)) }
        return fields
    }

    /// Returns the modes of a text such as `car,bus` or `transit`.
    static func modes(_ text: Substring) throws(LinkFormError) -> Set<TransportMode> {
        var modes: Set<TransportMode> = []
        for word in text.split(separator: ",") {
            guard
                let named = TransportMode.allCases.first(where: { $0.rawValue == word }).map({ [$0] })
                    ?? (word == "transit" ? TransportMode.transit : nil)
            else { throw .unknownMode(word) }
            modes.formUnion(named)
        }
        return modes
    }

    /// Returns the modes of a publisher's words: `0=car 1=bike`.
    func modeWords() throws(LinkFormError) -> [String: Set<TransportMode>] {
        var modes: [String: Set<TransportMode>] = [:]
        for text in words("words") {
            let word = text.prefix { $0 != "=" }
            guard word.endIndex < text.endIndex else { throw .notAField(text[...]) }
            modes[word.lowercased()] = try Self.modes(text.dropFirst(word.count + 1)[...])
        }
        return modes
    }

    /// The rule that reads the links.
    func rule() throws(LinkFormError) -> any LinkRule {
        let rule = try placeRule()
        return lines["time"] == nil ? rule : try TimedLinkRule(rule, self)
    }

    private func placeRule() throws(LinkFormError) -> any LinkRule {
        let hasEnds = ["to", "from", "place", "view"].contains { lines[$0] != nil }
        if lines["points"] != nil { return try WaypointRule(self) }
        if lines["box"] != nil { return try BoxLinkRule(self) }
        if hasEnds { return try FieldLinkRule(self) }
        guard lines["map"] != nil || lines["pin"] != nil else { throw .noForm(name) }
        return try MapViewRule(self)
    }

    /// Returns whether a link's path begins with the words of the form. A word that ends with `*` is a beginning.
    static func begins(_ segments: [Substring], with words: [String]) -> Bool {
        segments.starts(with: words) { segment, word in
            word.hasSuffix("*") ? segment.lowercased().hasPrefix(word.dropLast()) : segment.lowercased() == word
        }
    }
}

/// A fault in a file of link forms.
enum LinkFormError: Error, CustomStringConvertible {
    case unknownKey(Substring)
    case notAField(Substring)
    case unknownMode(Substring)
    /// The name of the form.
    case noForm(String)

    /// One sentence for the user.
    var description: String {
        switch self {
        case .unknownKey(let line):
            localized("“%1” is not a line of a link form, or repeats one", String(line).cut(to: 60))
        case .notAField(let text):
            localized(
                "“%1” is not a field of a link with its parts, such as “at={lat},{lon}”", String(text).cut(to: 60))
        case .unknownMode(let word): localized("unknown mode “%1”", String(word).cut(to: 40))
        case .noForm(let name): localized("the link form “%1” does not say where the place is", name.cut(to: 40))
        }
    }
}
