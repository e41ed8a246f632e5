internal import TextEncodings
import HunchModel

/// A property of a vCard or iCalendar object: RFC 6350 section 3.3, RFC 5545 section 3.1.
struct CardLine {
    /// The name in upper case, without a group ("item1.").
    let name: String
    /// The first value of each parameter, by its name in upper case.
    let parameters: [String: String]
    /// The raw value with escapes, decoded if a card of version 2.1 declares it as quoted-printable, in the character
    /// encoding that it names.
    let value: String

    /// The properties that describe a place or delimit an object. Others are skipped.
    private static let wanted: Set<String> = [
        "BEGIN", "END", "ADR", "LABEL", "GEO", "LOCATION", "X-APPLE-STRUCTURED-LOCATION", "FN", "ORG", "TEL",
        "URL",
    ]
    private static let longestName = 64
    /// The maximum number of properties, more than contacts or events have.
    private static let maximumLines = 4_096
    /// The maximum length of a line. A longer one is a picture and is cut.
    private static let maximumLength = 2_048

    /// Returns the properties of a text, unfolded: a line with leading white space continues the previous one. In version
    /// 2.1, the white space is part of the value (vCard 2.1, section 2.1.3).
    ///
    /// - Parameter onlyPlaces: whether to skip properties that do not describe a place.
    static func lines(of text: String, onlyPlaces: Bool) -> [CardLine] {
        var unfolded: [[UInt8]] = []
        var isSoftBreak = false
        var isSkipping = false
        let keepsSpace = text.contains("VERSION:2.1")
        for line in text.utf8.split(omittingEmptySubsequences: true, whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let isFolded = line.first == 0x20 || line.first == 0x09
            if isFolded, isSkipping { continue }
            if !unfolded.isEmpty, isFolded || isSoftBreak {
                let last = unfolded.count - 1
                if isSoftBreak { unfolded[last].removeLast() }
                let room = max(0, maximumLength - unfolded[last].count)
                unfolded[last] += (isSoftBreak || keepsSpace ? line : line.dropFirst()).prefix(room)
            } else if onlyPlaces, !isWanted(line) {
                isSkipping = true
                continue
            } else if unfolded.count < maximumLines {
                isSkipping = false
                unfolded.append(Array(line.prefix(maximumLength)))
            }
            // A line of quoted-printable text that ends with "=" continues on the next line.
            isSoftBreak = line.last == UInt8(ascii: "=") && unfolded.last.map(Self.isQuotedPrintable) == true
        }
        return unfolded.compactMap { CardLine(String(decoding: $0, as: UTF8.self)) }
    }

    private static func isWanted(_ line: Substring.UTF8View.SubSequence) -> Bool {
        let name = line.prefix(longestName).prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
        guard name.count < longestName,
            let word = name.split(separator: UInt8(ascii: ".")).last, word.allSatisfy({ $0 < 0x80 })
        else { return false }
        return wanted.contains(String(decoding: word, as: UTF8.self).uppercased())
    }

    private static func isQuotedPrintable(_ line: [UInt8]) -> Bool {
        line.prefix(200).split(separator: UInt8(ascii: ":")).first.map {
            String(decoding: $0, as: UTF8.self).uppercased().contains("QUOTED-PRINTABLE")
        } ?? false
    }

    private init?(_ line: String) {
        // A colon in quotes belongs to a parameter.
        var isQuoted = false
        guard
            let colon = line.unicodeScalars.firstIndex(where: { character in
                if character == "\"" { isQuoted.toggle() }
                return character == ":" && !isQuoted
            })
        else { return nil }
        var fields = Self.split(line[..<colon], at: ";", quotes: true)[...]
        guard let name = fields.popFirst() else { return nil }
        self.name = name.split(separator: ".").last.map { $0.uppercased() } ?? ""
        var parameters: [String: String] = [:]
        for field in fields {
            let key = field.prefix { $0 != "=" }
            let value = TextEncoding.parameter(String(field.dropFirst(key.count + 1)).replacing("\"", with: ""))
            if parameters[key.uppercased()] == nil { parameters[key.uppercased()] = value }
        }
        self.parameters = parameters
        let value = String(line[line.index(after: colon)...])
        let encoding = (parameters["ENCODING"] ?? "").uppercased()
        let isEncoded = encoding == "QUOTED-PRINTABLE" || parameters["QUOTED-PRINTABLE"] != nil
        let decoded = isEncoded ? TextEncoding.quotedPrintable(value, labelled: parameters["CHARSET"] ?? "") : value
        self.value = decoded.trimmed
    }

    /// The value as text: `\n`, `\,`, `\;` and `\\` resolved; RFC 6350 section 3.4.
    var text: String { Self.unescaped(value[...]) }

    /// The value of `ADR`: post office box, extended address, street, town, region, postal code, country.
    var address: PostalAddress {
        let parts = Self.split(value[...], at: ";").map { Self.unescaped($0).singleSpaced }
        func part(_ index: Int) -> String? { parts.indices.contains(index) ? parts[index] : nil }
        let street = [part(2), part(1), part(0)].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
        return PostalAddress(
            street: street, city: part(3), state: part(4), postalCode: part(5), country: part(6),
            countryCode: parameters["CC"]?.uppercased())
    }

    /// Resolves `\n`, `\,`, `\;` and `\\`.
    static func unescaped(_ text: Substring) -> String {
        var result = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                result.append(character == "n" || character == "N" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// Splits a text at unescaped separators, outside quotes if quotes count.
    private static func split(_ text: Substring, at separator: Character, quotes: Bool = false) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var isEscaped = false
        var isQuoted = false
        for index in text.indices {
            let character = text[index]
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"", quotes {
                isQuoted.toggle()
            } else if character == separator, !isQuoted {
                parts.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        parts.append(text[start...])
        return parts
    }
}
