internal import HunchModel
internal import Localization

/// A link with fields for the values of a request, parsed and checked.
///
///     https://example.org/plan?to={lat},{lon}&name={label|form}[&t={time.ms}|&now=1]
///
/// | field | value |
/// |---|---|
/// | `{lat}`, `{lon}` | the coordinate of the destination in degrees |
/// | `{lat.e6}`, `{lon.e6}` | the coordinate of the destination in whole microdegrees |
/// | `{label}` | the name of the destination, else its address, else its query, else its coordinate |
/// | `{name}` | the name of the destination, else its address, else its query |
/// | `{query}` | the query of the destination, else its address, else its name |
/// | `{from.lat}` and so on | the same values of the source |
/// | `{mode}` | the app's own word for the first requested mode, inserted without encoding |
/// | `{time}`, `{time.ms}` | the time of departure or arrival, in seconds or milliseconds since 1970 |
/// | `{time.iso}` | `2026-01-31T18:00:00Z` |
/// | `{time.local}`, `{time.date}`, `{time.clock}` | `2026-01-31T18:00:00`, `2026-01-31`, `18:00` in the app's time zone |
/// | `{time.year}`, `{time.month}`, `{time.day}`, `{time.hour}`, `{time.minute}` | the parts of the time in the app's
/// time zone: the year with four digits, the others with two |
/// | `{time.minute.tens}`, `{time.minute.ones}` | the two digits of the minute |
/// | `{arrive}`, `{arrive.1}` | `true` or `1` for a time of arrival, `false` or `0` for one of departure |
/// | `{arrive.mark}`, `{depart.mark}` | an empty text, which has a value only for a time of arrival or of departure; it
/// selects an alternative |
/// | `{zoom}`, `{uncertainty}` | the zoom level, 0 to 23, and the radius in metres of the destination |
///
/// Values are percent-encoded. A suffix selects another encoding: `|form` writes a space as `+`, `|twice` encodes
/// twice, and `|json` first escapes the value as the inside of a JSON string.
///
/// A template is used only if all its fields have values. A part in square brackets is optional: if one of its fields
/// has no value, the first alternative after `|` whose fields all have values takes its place, or nothing.
public struct LinkTemplate: Hashable, Sendable {
    /// A value of a request that a link may carry.
    public enum Field: String, CaseIterable, Hashable, Sendable {
        case latitude = "lat"
        case longitude = "lon"
        case microLatitude = "lat.e6"
        case microLongitude = "lon.e6"
        case label, name, query
        case fromLatitude = "from.lat"
        case fromLongitude = "from.lon"
        case fromMicroLatitude = "from.lat.e6"
        case fromMicroLongitude = "from.lon.e6"
        case fromLabel = "from.label"
        case fromName = "from.name"
        case fromQuery = "from.query"
        case mode, zoom, uncertainty
        case time
        case milliseconds = "time.ms"
        case isoTime = "time.iso"
        case localTime = "time.local"
        case localDate = "time.date"
        case localClock = "time.clock"
        case year = "time.year"
        case month = "time.month"
        case day = "time.day"
        case hour = "time.hour"
        case minute = "time.minute"
        case minuteTens = "time.minute.tens"
        case minuteOnes = "time.minute.ones"
        case arrive
        case arriveDigit = "arrive.1"
        case arriveMark = "arrive.mark"
        case departMark = "depart.mark"

        /// Whether it describes the destination.
        var isDestination: Bool {
            switch self {
            case .latitude, .longitude, .microLatitude, .microLongitude, .label, .name, .query: true
            default: false
            }
        }

        /// Whether it describes the source.
        var isSource: Bool { contents.contains(.source) }

        /// The kind of value that it carries; empty for kinds that ``Contents`` does not distinguish.
        var contents: Contents {
            switch self {
            case .latitude, .longitude, .microLatitude, .microLongitude: .position
            case .fromLatitude, .fromLongitude, .fromMicroLatitude, .fromMicroLongitude, .fromLabel, .fromName,
                .fromQuery:
                .source
            case .time, .milliseconds, .isoTime, .localTime, .localDate, .localClock, .year, .month, .day, .hour,
                .minute, .minuteTens, .minuteOnes:
                .time
            case .mode: .mode
            default: []
            }
        }
    }

    /// The encoding of a value in the link.
    enum Encoding: String { case percent, form, twice, json }

    private enum Piece: Hashable, Sendable {
        case text(String)
        case value(Field, Encoding)
        case group([[Piece]])
    }

    /// The kinds of values that a link carries. An option set, because it is computed for each link of each request.
    struct Contents: OptionSet {
        let rawValue: UInt8
        static let source = Contents(rawValue: 1)
        static let time = Contents(rawValue: 2)
        static let mode = Contents(rawValue: 4)
        static let position = Contents(rawValue: 8)
    }

    /// The text that was parsed.
    public let text: String
    /// The scheme of the link, in lower case.
    public let scheme: String
    private let pieces: [Piece]
    /// Whether it has a field for a coordinate. A service without one looks up names.
    let carriesPosition: Bool

    /// Parses a template.
    ///
    /// - Throws: ``LinkTemplateError`` for an unknown field or encoding, an unclosed bracket, or a text that is not a
    ///   link with a destination.
    public init(_ text: String) throws(LinkTemplateError) {
        var scanner = TemplateScanner(rest: text[...])
        pieces = try scanner.pieces(inGroup: false)
        self.text = text
        scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }.lowercased()
        let fields = Self.fields(of: pieces)
        carriesPosition = fields.contains { $0.contents.contains(.position) }
        guard fields.contains(where: \.isDestination) else {
            throw LinkTemplateError(localized("it has no destination"))
        }
        guard text.dropFirst(scheme.count).first == ":", scheme.first?.isLetter == true else {
            throw LinkTemplateError(localized("it does not begin with a scheme such as “https:”"))
        }
    }

    /// Returns all fields, including those in optional parts.
    private static func fields(of pieces: [Piece]) -> Set<Field> {
        pieces.reduce(into: []) { fields, piece in
            switch piece {
            case .text: break
            case .value(let field, _): fields.insert(field)
            case .group(let alternatives): fields.formUnion(alternatives.flatMap(Self.fields))
            }
        }
    }

    /// A link, and the kinds of values that it carries.
    struct Filled {
        var link = ""
        var contents: Contents = []
    }

    /// Returns the link with the values of a request; `nil` if a value is missing.
    func filled(_ value: (Field) -> String?) -> Filled? { Self.filled(pieces, value) }

    private static func filled(_ pieces: [Piece], _ value: (Field) -> String?) -> Filled? {
        var result = Filled()
        for piece in pieces {
            switch piece {
            case .text(let text): result.link += text
            case .value(let field, let encoding):
                guard let value = value(field) else { return nil }
                result.link += field == .mode ? value : encoding.encoded(value)
                result.contents.formUnion(field.contents)
            case .group(let alternatives):
                for alternative in alternatives {
                    guard let part = filled(alternative, value) else { continue }
                    result.link += part.link
                    result.contents.formUnion(part.contents)
                    break
                }
            }
        }
        return result
    }

    /// A scanner that splits a template into its pieces.
    private struct TemplateScanner {
        var rest: Substring

        mutating func pieces(inGroup: Bool) throws(LinkTemplateError) -> [Piece] {
            var pieces: [Piece] = []
            while true {
                let end = rest.utf8.firstIndex { Self.isMark($0, inGroup: inGroup) } ?? rest.endIndex
                if end > rest.startIndex { pieces.append(.text(String(rest[..<end]))) }
                rest = rest[end...]
                switch rest.first {
                case "{": pieces.append(try field())
                case "[" where !inGroup: pieces.append(try group())
                case nil: return pieces
                case "]" where inGroup, "|" where inGroup: return pieces
                case .some(let mark): throw LinkTemplateError(localized("a “%1” is not allowed here", mark))
                }
            }
        }

        private static func isMark(_ byte: UInt8, inGroup: Bool) -> Bool {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"): true
            case UInt8(ascii: "|"): inGroup
            default: false
            }
        }

        private mutating func field() throws(LinkTemplateError) -> Piece {
            rest = rest.dropFirst()
            guard let close = rest.firstIndex(of: "}") else {
                throw LinkTemplateError(localized("a “%1” is not closed", "{"))
            }
            let parts = rest[..<close].split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            rest = rest[close...].dropFirst()
            guard let field = Field(rawValue: String(parts[0])) else {
                throw LinkTemplateError(localized("the field “{%1}” is unknown", parts[0]))
            }
            guard parts.count > 1 else { return .value(field, .percent) }
            guard let encoding = Encoding(rawValue: String(parts[1])) else {
                throw LinkTemplateError(
                    localized("the encoding “|%1” is unknown; use |form, |twice or |json", parts[1]))
            }
            return .value(field, encoding)
        }

        private mutating func group() throws(LinkTemplateError) -> Piece {
            var alternatives: [[Piece]] = []
            repeat {
                rest = rest.dropFirst()
                alternatives.append(try pieces(inGroup: true))
            } while rest.first == "|"
            guard rest.first == "]" else {
                throw LinkTemplateError(localized("a “%1” is not closed", "["))
            }
            rest = rest.dropFirst()
            return .group(alternatives)
        }
    }
}

/// The error of a template, as one sentence without a full stop.
public struct LinkTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension LinkTemplate.Encoding {
    fileprivate func encoded(_ value: String) -> String {
        switch self {
        case .percent: PercentCoding.encode(value)
        case .form: PercentCoding.encode(value, keeping: " ").replacing(" ", with: "+")
        case .twice: PercentCoding.encode(PercentCoding.encode(value))
        case .json: PercentCoding.encode(Self.escaped(value))
        }
    }

    /// Returns the text escaped for a JSON string, RFC 8259.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
