package import Coordinates
import HunchModel

/// The parts of a link. Percent-encoding is decoded on demand, so that a broken field does no harm if no rule needs it.
package struct Link: Sendable {
    /// The scheme in lower case; `https` for a web address without one.
    package let scheme: String
    /// The host in lower case, without user, port and leading `www.`; empty if the link has no authority.
    package let host: String
    /// The authority as written. In app links, it is a word or a case-sensitive code instead of a host.
    package let authority: Substring
    /// The parts of the path between slashes, still encoded. Empty parts are kept except for the last, since they mean
    /// a value that was not given.
    package let segments: [Substring]
    /// The fields after `?`.
    package let query: LinkQuery
    /// The fragment after `#`, still encoded, except for one that a program encoded as a whole.
    package let fragment: Substring

    /// The part between the scheme's colon and the fragment.
    private let body: Substring

    /// Whether the link is a web address.
    package var isWeb: Bool { scheme == "https" || scheme == "http" }

    /// The host and the domains above it, the host first.
    package var hosts: [String] {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.indices.map { labels[$0...].joined(separator: ".") }
    }

    /// The fields after `?`. If there are none, the fields of the fragment, where web apps have them.
    package var fields: LinkQuery { query.isEmpty ? LinkQuery(fragmentFields) : query }

    /// The part of the fragment with the form of a query: the text after its `?`, or the whole fragment without the `!`
    /// of older web apps.
    package var fragmentFields: Substring {
        guard let mark = fragment.firstIndex(of: "?") else { return fragment.drop { $0 == "!" } }
        return fragment[fragment.index(after: mark)...]
    }

    /// Reads a link whose scheme is already split off.
    ///
    /// - Parameter body: the text after the scheme's colon.
    package init(scheme: String, body: Substring) {
        let isHierarchical = body.hasPrefix("//")
        let withoutFragment = body.prefix { $0 != "#" }
        fragment = Self.decodedIfWhole(body.dropFirst(withoutFragment.count + 1))
        self.body = withoutFragment
        let beforeQuery = withoutFragment.prefix { $0 != "?" }
        var query = withoutFragment.dropFirst(beforeQuery.count + 1)
        var path = beforeQuery
        var authority = Substring()
        if isHierarchical {
            path = path.dropFirst(2)
            authority = path.prefix { $0 != "/" }
            path = path.dropFirst(authority.count)
        }
        self.scheme = scheme
        if scheme != "http", scheme != "https", query.isEmpty, !beforeQuery.contains("/") || isHierarchical {
            // App links have fields without a question mark: "maps:q=Berlin", "google.navigation:q=1,2&mode=w".
            if path.contains("="), !path.dropFirst().contains("/") {
                query = path.hasPrefix("/") ? path.dropFirst() : path
                path = ""
            } else if authority.contains("="), path.isEmpty {
                query = authority
                authority = ""
            }
        }
        self.authority = authority
        host = Self.host(in: authority)
        self.query = LinkQuery(query)
        let inside = path.hasPrefix("/") ? path.dropFirst() : path
        var segments = inside.isEmpty ? [] : inside.split(separator: "/", omittingEmptySubsequences: false)
        if segments.last?.isEmpty == true { segments.removeLast() }
        self.segments = segments
    }

    /// Reads a web address without a scheme: `maps.example.org/x`. Returns `nil` for any other text.
    package init?(bare text: Substring) {
        guard text.utf8.prefix(4).elementsEqual("www.".utf8) || Self.beginsWithHost(text) else { return nil }
        guard !text.utf8.contains(where: \.isASCIISpace) else { return nil }
        self.init(scheme: "https", body: "//" + text)
    }

    /// Returns the link without its fragment and with another scheme.
    package func text(withScheme scheme: String) -> String { "\(scheme):\(body)" }

    /// Returns a fragment decoded if its delimiters are encoded, since some programs encode all of it: `map%3D9%2F42%2F3`.
    private static func decodedIfWhole(_ fragment: Substring) -> Substring {
        let delimiters = "/=&?"
        guard fragment.contains("%"), !fragment.contains(where: delimiters.contains),
            let decoded = try? PercentEncoding.decode(fragment), decoded.contains(where: delimiters.contains)
        else { return fragment }
        return decoded[...]
    }

    private static func host(in authority: Substring) -> String {
        let withoutUser = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let host = withoutUser.prefix { $0 != ":" }.lowercased()
        return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
    }

    /// Returns whether a text begins with a host name such as `maps.example.org`, followed by `/`, `?` or `#`.
    private static func beginsWithHost(_ text: Substring) -> Bool {
        let longestName = 253
        let bytes = text.utf8.prefix(longestName + 1)
        guard let end = bytes.firstIndex(where: { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }) else { return false }
        let labels = bytes[..<end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, last.count >= 2, last.allSatisfy(\.isASCIILetter) else {
            return false
        }
        return labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D }
        }
    }

    /// Returns whether the host equals one of the names or is a subdomain of it: `maps.example.org` is within
    /// `example.org`.
    package func isWithin(_ names: String...) -> Bool {
        names.contains { host == $0 || host.hasSuffix("." + $0) }
    }

    /// Returns a part of the path, decoded and with single spaces; `nil` if it is missing or empty.
    ///
    /// - Throws: ``PlaceError`` with `malformedLink` if its encoding is broken.
    package func segment(_ index: Int, plusIsSpace: Bool = false) throws(PlaceError) -> String? {
        guard segments.indices.contains(index) else { return nil }
        let text = try PercentEncoding.decode(segments[index], plusIsSpace: plusIsSpace).singleSpaced
        return text.isEmpty ? nil : text
    }

    /// Returns a field of the query or of the fragment, or `NAME=…` between the slashes of the fragment, decoded; `nil` if
    /// there is none.
    ///
    /// - Throws: ``PlaceError`` with `malformedLink` if its encoding is broken.
    package func value(_ name: String) throws(PlaceError) -> String? {
        if let text = try query.text(among: [name]) { return text }
        let parts = fragment.split { $0 == "/" || $0 == "&" || $0 == "?" }
        guard let start = parts.firstIndex(where: { $0.lowercased().hasPrefix(name + "=") }) else { return nil }
        // The numbers themselves may have slashes between them.
        let rest = parts[start...].prefix { $0 == parts[start] || !$0.contains("=") }.joined(separator: "/")
        return try PercentEncoding.decode(rest.dropFirst(name.utf8.count + 1))
    }

    /// Returns whether the path begins with these words in lower case, ignoring the case of the path.
    package func pathBegins(_ words: String...) -> Bool {
        segments.count >= words.count && zip(segments, words).allSatisfy { $0.lowercased() == $1 }
    }
}
