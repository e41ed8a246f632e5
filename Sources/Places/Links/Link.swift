import HunchModel

/// A link in its parts, as rules look at them. Nothing is percent-decoded before it is asked for, so that a broken
/// field which nobody needs does no harm.
struct Link: Sendable {
    /// The scheme in lower case; `https` for a web address without one.
    let scheme: String
    /// The host in lower case, without user, port and a leading `www.`; empty when the link has no authority.
    let host: String
    /// The authority as written. App links have a word or a case-sensitive code in place of a host.
    let authority: Substring
    /// The parts of the path between slashes, still encoded. Empty ones inside are kept: they say "nothing given".
    let segments: [Substring]
    /// The fields behind `?`.
    let query: LinkQuery
    /// The fragment behind `#`, still encoded.
    let fragment: Substring

    /// The part between the scheme's colon and the fragment.
    private let body: Substring

    /// Whether the link is a web address.
    var isWeb: Bool { scheme == "https" || scheme == "http" }

    /// The fields behind `?`, or where there are none, those of the fragment, in which web apps keep theirs.
    var fields: LinkQuery { query.isEmpty ? LinkQuery(fragmentFields) : query }

    /// The part of the fragment that has the form of a query.
    var fragmentFields: Substring {
        let start = fragment.firstIndex(of: "?").map { fragment.index(after: $0) } ?? fragment.startIndex
        return fragment[start...]
    }

    /// Reads a link whose scheme is already told apart.
    ///
    /// - Parameter body: what follows the scheme and its colon.
    init(scheme: String, body: Substring) {
        let isHierarchical = body.hasPrefix("//")
        let withoutFragment = body.prefix { $0 != "#" }
        fragment = body.dropFirst(withoutFragment.count + 1)
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
            // Links of apps name fields without a question mark: "maps:q=Berlin", "google.navigation:q=1,2&mode=w".
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

    /// Reads a web address without a scheme: `maps.example.org/x`. `nil` when the text is none.
    init?(bare text: Substring) {
        guard text.utf8.prefix(4).elementsEqual("www.".utf8) || Self.beginsWithHost(text) else { return nil }
        guard !text.utf8.contains(where: \.isASCIISpace) else { return nil }
        self.init(scheme: "https", body: "//" + text)
    }

    /// The link without its fragment and with another scheme.
    func text(withScheme scheme: String) -> String { "\(scheme):\(body)" }

    private static func host(in authority: Substring) -> String {
        let withoutUser = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let host = withoutUser.prefix { $0 != ":" }.lowercased()
        return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
    }

    /// Whether a text begins with a name such as `maps.example.org` and goes on with `/`, `?` or `#`.
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

    /// Whether the host is a name or a name below it: `maps.example.org` is within `example.org`.
    func isWithin(_ names: String...) -> Bool {
        names.contains { host == $0 || host.hasSuffix("." + $0) }
    }

    /// A part of the path decoded and single-spaced; `nil` when it is not there or empty.
    ///
    /// - Throws: ``PlaceError`` with `malformedLink` when its encoding is broken.
    func segment(_ index: Int, plusIsSpace: Bool = false) throws(PlaceError) -> String? {
        guard segments.indices.contains(index) else { return nil }
        let text = try PercentEncoding.decode(segments[index], plusIsSpace: plusIsSpace).singleSpaced
        return text.isEmpty ? nil : text
    }

    /// Whether the path begins with these words, in any case.
    func pathBegins(_ words: String...) -> Bool {
        segments.count >= words.count && zip(segments, words).allSatisfy { $0.lowercased() == $1 }
    }
}
