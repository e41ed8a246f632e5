/// The two ends of a route that a text names: “from Berlin to Potsdam”, “Paris → Lyon”.
struct RouteWords: Equatable {
    let source: String
    let destination: String

    /// The longest text that is read, in bytes of UTF-8: two addresses with the words between them.
    private static let longestText = 320

    /// Pairs of words before the start and before the destination, in lower case.
    private static let pairs: [(before: String, between: String)] = [
        ("from", "to"), ("von", "nach"), ("von", "zu"), ("von", "zum"), ("von", "zur"), ("de", "à"), ("de", "a"),
        ("desde", "hasta"), ("desde", "a"), ("da", "a"), ("de", "para"), ("van", "naar"), ("från", "till"),
        ("fra", "til"),
        ("z", "do"), ("ze", "do"), ("из", "в"), ("от", "до"), ("з", "до"), ("din", "la"),
    ]
    private static let arrows = ["→", "➔", "➜", "⇒", "->", "=>"]
    /// Markers before the start, between the two, and after the destination, in languages that attach them to the names.
    private static let eastern: [(before: String, between: String, after: [String])] = [
        ("从", "到", []), ("從", "到", []), ("", "から", ["まで", "へ"]), ("", "에서 ", ["까지", "으로", "로"]),
    ]

    private init?(_ source: some StringProtocol, _ destination: some StringProtocol) {
        self.source = String(source).trimmed
        self.destination = String(destination).trimmed
        guard !self.source.isEmpty, !self.destination.isEmpty else { return nil }
    }

    /// Reads a text that marks its two ends with words, or has an arrow between them; `nil` for other texts, and for those with
    /// a third place.
    init?(_ text: String) {
        guard text.utf8.count <= Self.longestText, !text.contains(where: \.isNewline),
            let route = Self.arrow(in: text) ?? Self.pair(in: text) ?? Self.eastern(in: text)
        else { return nil }
        self = route
    }

    /// Reads “London to Paris”. This form alone does not make a route: “Gateway to India” is a name.
    init?(unmarked text: String) {
        let words = text.split(separator: " ")
        let places = words.indices.filter { words[$0].lowercased() == "to" }
        guard text.utf8.count <= Self.longestText, let place = places.first, places.count == 1 else { return nil }
        self.init(words[..<place].joined(separator: " "), words[(place + 1)...].joined(separator: " "))
    }

    private static func arrow(in text: String) -> RouteWords? {
        for arrow in arrows {
            let ends = text.split(separator: arrow)
            if ends.count == 2 { return RouteWords(ends[0], ends[1]) }
        }
        return nil
    }

    private static func pair(in text: String) -> RouteWords? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count >= 4, let first = words.first?.lowercased() else { return nil }
        for (before, between) in pairs where before == first {
            let places = words.indices.dropFirst(2).filter { words[$0].lowercased() == between }
            guard places.count == 1, let place = places.first else { continue }
            return RouteWords(
                words[1..<place].joined(separator: " "), words[(place + 1)...].joined(separator: " "))
        }
        return nil
    }

    private static func eastern(in text: String) -> RouteWords? {
        for (before, between, endings) in eastern where text.hasPrefix(before) {
            let ends = text.dropFirst(before.count).split(separator: between, omittingEmptySubsequences: false)
            guard ends.count == 2 else { continue }
            let ending = endings.first { ends[1].hasSuffix($0) }
            if ending == nil, !endings.isEmpty { continue }
            return RouteWords(ends[0], ends[1].dropLast(ending?.count ?? 0))
        }
        return nil
    }
}
