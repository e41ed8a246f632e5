import Coordinates
import HunchModel
import JourneyWords
import Localization
import MapLinks

/// A link inside a text, as apps share places: "Meet here: https://… see you!".
///
/// Links to the same place count as one. Links to unknown sites count if no other link has a place. Two places are the
/// ends of a route if the text says "from … to …"; otherwise the text is rejected. If no link has a place, the first link
/// that needs the network or is invalid gives the error. If there is no such link, the text without its links is
/// geocoded, provided that it looks like an address.
struct SharedTextRule: SearchingRule {
    let name = "sharedText"

    /// The maximum number of links that are read.
    fileprivate static let maximumLinks = 32
    /// The maximum number of words with a colon or a slash that are examined.
    fileprivate static let maximumSuspects = 1_024
    /// The maximum number of bytes of a text that are searched.
    fileprivate static let maximumLength = 65_536

    private let rules: [any PlaceRule]

    /// Creates the rule.
    ///
    /// - Parameter rules: the rules for each link. Places have the name of the rule that reads them.
    init(_ rules: [any PlaceRule]) { self.rules = rules }

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard input.text.utf8.contains(where: { $0 == 0x3A || $0 == 0x2F }) else { return nil }
        let words = SharedText(input.text)
        // A lone link was handled by the other rules.
        guard words.links.first.map({ $0.utf8.count < input.text.utf8.count }) ?? false else { return nil }
        var firstError: PlaceError?
        var isMeeting = false
        var found: [(link: Substring, place: ParsedPlace)] = []
        var foundOnUnknownSites = found
        search: for word in words.links {
            do throws(PlaceError) {
                let inner = try PlaceInput(checking: String(word))
                if let place = try firstPlace(in: inner) {
                    guard place.item.coordinate != nil || !continues(place, inner, input) else { break search }
                    found.append((word, place))
                    if found.count == Self.mostPlaces { break search }
                    continue
                }
                if foundOnUnknownSites.count < Self.mostPlaces, let place = try GenericLinkRule().place(in: inner) {
                    foundOnUnknownSites.append((word, place))
                    continue
                }
                _ = try UnknownLinkRule().place(in: inner)
            } catch {
                if error.code == .notAPlace { isMeeting = true }
                if firstError == nil, error.code != .notAPlace, error.code != .unsupportedLink { firstError = error }
            }
        }
        if let place = try Self.onePlace(found.isEmpty ? foundOnUnknownSites : found, in: input.text) { return place }
        if let whole = try wholeLink(input) { return whole }
        if let firstError {
            if firstError.code == .needsNetwork, let place = try Self.nameAndAddress(input.text) { return place }
            throw firstError
        }
        // Beside a link without a place, only an address counts, and not a sentence such as "See you at …".
        guard !isMeeting, Self.looksLikeAddress(words.withoutLinks) else {
            throw PlaceError(.notAPlace, localized("the links in the text have no place; give the address alone"))
        }
        return try TextRule().place(in: PlaceInput(checking: words.withoutLinks))
    }

    /// Returns the place to which all links lead, or the route of "from … to …"; `nil` without a link.
    ///
    /// - Throws: ``PlaceError`` with `notAPlace` if the links lead to different places.
    private static func onePlace(
        _ found: [(link: Substring, place: ParsedPlace)], in text: String
    ) throws(PlaceError) -> ParsedPlace? {
        guard let first = found.first else { return nil }
        guard found.dropFirst().contains(where: { areDifferent($0.place.item, first.place.item) }) else {
            return first.place
        }
        if found.count == 2, isRoute(first.link, found[1].link, in: text), found[1].place.source == nil {
            var route = found[1].place
            route.source = first.place.item
            return route
        }
        throw PlaceError(.notAPlace, localized("the text has links that lead to different places; give one of them"))
    }

    /// Returns whether two places are farther apart than one place is in links to different maps.
    private static func areDifferent(_ first: MapItem, _ second: MapItem) -> Bool {
        if let one = first.coordinate, let other = second.coordinate {
            return abs(one.latitude - other.latitude) > tolerance || abs(one.longitude - other.longitude) > tolerance
        }
        guard first.coordinate == nil, second.coordinate == nil else { return false }
        return first.query?.lowercased() != second.query?.lowercased()
    }

    private static func isRoute(_ first: Substring, _ second: Substring, in text: String) -> Bool {
        let before = text[..<first.startIndex].split(whereSeparator: \.isWhitespace).last?.lowercased() ?? ""
        let between = String(text[first.endIndex..<second.startIndex]).trimmed.lowercased()
        return routeWords.contains { $0 == (before, between) }
    }

    /// The maximum difference in degrees between links to the same place, about a kilometre.
    private static let tolerance = 0.01
    /// The maximum number of places to compare: one more than a route has.
    private static let mostPlaces = 3
    private static let routeWords = [("from", "to"), ("von", "nach"), ("de", "à"), ("de", "a"), ("da", "a")]

    /// Returns the place of Android's share sheet: the name, the address, and a short link on separate lines.
    private static func nameAndAddress(_ text: String) throws(PlaceError) -> ParsedPlace? {
        let lines = text.split(whereSeparator: \.isNewline).map { String($0).singleSpaced }
            // "[네이버 지도]" names the app.
            .filter { !$0.isEmpty && !$0.contains("://") && ShortLinks.host(of: $0) == nil && !$0.hasPrefix("[") }
        guard (2...4).contains(lines.count), looksLikeAddress(lines[1]) else { return nil }
        let address = try PlaceText.name(lines[1...].joined(separator: ", "))
        return ParsedPlace(item: MapItem(name: try PlaceText.name(lines[0]), query: address), rule: "sharedText")
    }

    private static func looksLikeAddress(_ text: String) -> Bool {
        text.utf8.contains(where: { $0 == 0x2C || $0.isASCIIDigit }) && text.contains(where: \.isLetter)
    }

    private func firstPlace(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        for rule in rules {
            if let place = try rule.place(in: input) { return place }
        }
        return nil
    }

    /// Returns the place of a link with an unencoded space: `https://maps.example.org/?q=5 Main Street`.
    private func wholeLink(_ input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard let scheme = input.scheme, input.text.utf8.count <= PlaceLimits.link else { return nil }
        let encoded = input.text.replacing(" ", with: "%20")
        guard let inner = try? PlaceInput(checking: encoded), inner.scheme == scheme,
            var place = try? firstPlace(in: inner)
        else { return nil }
        if let query = place.item.query {
            // “…?q=Main Street at 9”
            let request = RequestWords(query)
            if request.time != nil || request.hasPhrase && !request.modes.isEmpty, !request.destination.isEmpty {
                place.item.query = request.destination.joined(separator: " ")
            }
        }
        return place
    }

    /// Returns whether the input begins with a link whose last field is the text of its place. This text probably continues
    /// after the space.
    private func continues(_ place: ParsedPlace, _ inner: PlaceInput, _ input: PlaceInput) -> Bool {
        guard input.scheme != nil, input.text.hasPrefix(inner.text), let mark = inner.text.lastIndex(of: "=") else {
            return false
        }
        let value = try? PercentEncoding.decode(inner.text[inner.text.index(after: mark)...], plusIsSpace: true)
        return value.map { place.item.query?.hasSuffix($0.singleSpaced) ?? true } ?? true
    }
}

/// A text with its links.
private struct SharedText {
    /// The links in order, without surrounding punctuation.
    let links: [Substring]
    /// The other words, single-spaced.
    let withoutLinks: String

    /// The maximum number of colons in a word that are examined.
    private static let maximumColons = 64

    init(_ text: String) {
        var links: [Substring] = []
        var others: [Substring] = []
        var rest = text.utf8.prefix(SharedTextRule.maximumLength)
        var suspects = 0
        while links.count < SharedTextRule.maximumLinks, suspects < SharedTextRule.maximumSuspects,
            let start = rest.firstIndex(where: { !$0.isASCIISpace })
        {
            var mayBeLink = false
            var end = start
            while end < rest.endIndex, !rest[end].isASCIISpace {
                if rest[end] == 0x3A || rest[end] == 0x2F { mayBeLink = true }
                end = rest.index(after: end)
            }
            let word = Substring(rest[start..<end])
            rest = rest[end...]
            if mayBeLink { suspects += 1 }
            if mayBeLink, let link = Self.link(in: word) {
                links.append(link)
            } else if others.count <= PlaceLimits.text {
                others.append(word)
            }
        }
        self.links = links
        withoutLinks = others.joined(separator: " ")
    }

    /// Returns the link in a word: from its scheme, `www.` or host name, without closing punctuation.
    private static func link(in word: Substring) -> Substring? {
        let bytes = word.utf8
        guard bytes.count <= PlaceLimits.link else { return nil }
        var start = bytes.startIndex
        if let colon = schemeColon(in: bytes) {
            start = colon
            while start > bytes.startIndex {
                let before = bytes.index(before: start)
                guard bytes[before].isSchemePart else { break }
                start = before
            }
            while start < colon, !bytes[start].isASCIILetter { start = bytes.index(after: start) }
            guard start < colon else { return nil }
        } else {
            while start < bytes.endIndex, !bytes[start].isASCIILetter, !bytes[start].isASCIIDigit {
                start = bytes.index(after: start)
            }
            guard Link(bare: word[start...]) != nil else { return nil }
        }
        let opening = start > bytes.startIndex ? bytes[bytes.index(before: start)] : nil
        return unpunctuated(word[start...], opening)
    }

    /// Returns the index of the colon of `scheme://`, or of a scheme without slashes.
    private static func schemeColon(in bytes: Substring.UTF8View) -> String.Index? {
        var index = bytes.startIndex
        for _ in 0..<maximumColons {
            guard let colon = bytes[index...].firstIndex(of: 0x3A) else { return nil }
            let rest = bytes[bytes.index(after: colon)...]
            if rest.starts(with: [0x2F, 0x2F]) { return colon }
            for scheme in ["geo", "maps", "google.navigation"]
            where bytes[..<colon].reversed().starts(
                with: scheme.utf8.reversed())
            {
                let before = bytes[..<colon].dropLast(scheme.utf8.count)
                if before.last?.isSchemePart != true, !rest.isEmpty { return colon }
            }
            index = bytes.index(after: colon)
        }
        return nil
    }

    /// Returns a link without closing punctuation. A bracket that was opened within the link is kept.
    private static func unpunctuated(_ link: Substring, _ opening: UInt8?) -> Substring {
        var scalars = link.unicodeScalars
        if opening == 0x3C, let end = scalars.firstIndex(of: ">") { scalars = scalars[..<end] }
        if opening == 0x22, let end = scalars.firstIndex(of: "\"") { scalars = scalars[..<end] }
        var open = 0
        for byte in link.utf8 { open += byte == 0x28 ? 1 : byte == 0x29 ? -1 : 0 }
        var end = scalars.endIndex
        while end > scalars.startIndex {
            let before = scalars.index(before: end)
            let last = scalars[before]
            guard closing.contains(last) else { break }
            if last == ")" {
                if open >= 0 { break }
                open += 1
            }
            end = before
        }
        return link[link.startIndex..<end]
    }

    private static let closing = Set(".,;:!?)]}>\"'`*”’“‘»…。，、）」".unicodeScalars)
}

extension UInt8 {
    fileprivate var isSchemePart: Bool { isASCIILetter || isASCIIDigit || self == 0x2B || self == 0x2D || self == 0x2E }
}
