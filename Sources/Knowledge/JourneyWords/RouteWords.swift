package import HunchModel

/// The two ends of a route that a text names: “from Berlin to Potsdam”, “Paris → Lyon”.
package struct RouteWords: Equatable {
    package let source: String
    package let destination: String
    /// The travel modes in the text; empty for none.
    package let modes: Set<TransportMode>
    /// The time in the text; `nil` for none.
    package private(set) var time: JourneyTime?
    /// The words about the journey for which no app can be asked; `nil` for none.
    package private(set) var ignored: String?
    /// Whether an end had words for a travel mode or a time next to it, so that no name has the words between the ends.
    private let hasWordsInside: Bool

    /// The maximum length of a text in bytes of UTF-8: two addresses with the words between them.
    package static let longestText = 320

    /// Creates the route of a request. Each end may have further words of the request behind or before it: “by bike from A at 9
    /// to B”, “to B by train from A”.
    private init?(
        _ source: some StringProtocol, _ destination: some StringProtocol, by modes: Set<TransportMode> = [],
        at time: JourneyTime? = nil, ignoring ignored: String? = nil
    ) {
        let ends = [RequestEnd(String(source).trimmed), RequestEnd(String(destination).trimmed)]
        self.source = ends[0].name
        self.destination = ends[1].name
        self.modes = modes.isEmpty ? ends[0].modes.union(ends[1].modes) : modes
        self.time = ends.reduce(time) { time, end in time?.completed(by: end.time) ?? end.time }
        let words = ends.compactMap(\.ignored) + (ignored.map { [$0] } ?? [])
        self.ignored = words.isEmpty ? nil : words.joined(separator: ", ")
        hasWordsInside = ends.contains(where: \.hasWords)
        guard !self.source.isEmpty, !self.destination.isEmpty else { return nil }
    }

    private init?(
        _ source: ArraySlice<Substring>, _ destination: ArraySlice<Substring>, in town: TownDestination?,
        of request: RequestWords
    ) {
        self.init(
            source.joined(separator: " "), town?.text ?? destination.joined(separator: " "), of: request)
    }

    private init?(_ source: some StringProtocol, _ destination: some StringProtocol, of request: RequestWords) {
        self.init(
            source, destination, by: request.hasPhrase ? request.modes : [], at: request.time, ignoring: request.ignored
        )
    }

    /// Reads a text that marks both ends with words or separates them with an arrow; `nil` for other texts, and for
    /// those with a third place.
    package init?(_ text: String) {
        guard Self.isShort(text) else { return nil }
        let text = RequestWords.fromStart(text)
        guard
            let route = Self.arrow(in: text) ?? Self.pair(in: text) ?? Self.homeward(in: text)
                ?? Self.eastern(in: text) ?? Self.interrupted(in: text)
        else { return nil }
        self = route
    }

    /// Returns the routes that a text may mean if it marks at most one end: “London to Paris”, “Lyon from Paris”.
    ///
    /// Such a text is not always a route: “Gateway to India” is a name, and “Berlin - Mitte” is one place.
    package static func possible(in text: String) -> [RouteWords] {
        guard isShort(text) else { return [] }
        let request = RequestWords(text)
        // “Wien nach Graz Zug”
        let other = RequestWords(text, isLenient: true)
        var routes: [RouteWords] = []
        for request in other.places == request.places ? [request] : [request, other] {
            routes += between(request.places, of: request, by: request.modes)
            if !request.opening.isEmpty { routes += between(request.opening + request.places, of: request, by: []) }
        }
        for dash in ["–", "—", " - "] {
            let ends = text.split(separator: dash)
            if ends.count == 2 { routes += [toEnd(ends)].compactMap(\.self) }
        }
        if let route = pair(in: text, mayBeGenitive: true) { routes.append(route) }
        return routes + attached(to: request.places, by: request.modes) + unspaced(text)
    }

    private static func isShort(_ text: String) -> Bool {
        text.utf8.count <= longestText && !text.contains(where: \.isNewline)
    }

    // MARK: Ends marked by words

    /// Words before the source and before the destination of a route, by language.
    private static let markers: [(from: [[String]], to: [[String]])] = [
        ("from", "to"), ("von vom ab", "nach bis bis+nach zu zum zur in+die ins an+die an+den ans"),
        ("de depuis d' du de+la depuis+la", "à a vers jusqu'à pour au aux"),
        ("de desde", "a al hasta hacia"), ("da dal dalla", "a al fino+a verso per"),
        ("de da do desde", "para para+o para+a ao à até"), ("van vanaf", "naar"), ("från", "till"), ("fra", "til"),
        ("z ze od", "do na"), ("iz od", "u do"), ("из от с со", "в во до на"), ("з із зі від", "до в у"),
        ("de+la din", "la până+la pana+la spre"), ("από", "προς στην στη στον στο έως ως μέχρι"), ("dari", "ke"),
        ("mula mula+sa galing galing+sa", "hanggang papunta+sa papuntang"), ("từ", "đến tới"), ("من", "إلى الى"),
        ("از", "به تا"),
    ].map { (phrases($0), phrases($1)) }

    /// The words before a start that are also those of a genitive, so that “à la gare de Lyon” is no route from there.
    private static let genitives: Set<String> = ["de", "d'", "du", "de la", "da", "do"]

    /// The words before a destination in any language, the longest phrases first.
    package static let beforeDestination = Set(markers.flatMap(\.to)).sorted { $0.count > $1.count }
    /// The first words of all of these phrases.
    static let markerWords = Set(markers.flatMap { $0.from + $0.to }.compactMap(\.first))
    /// The English and German words before a source or a destination, which are parts of no other words.
    package static let beforeEnds: Set<String> = [
        "to", "from", "into", "towards", "nach", "von", "vom", "ab", "zu", "zum", "zur", "bis", "ins", "ans",
    ]

    /// Returns whether a text has a word between the ends of a route that is hardly part of a name: “to”, “nach”, から.
    package static func isMarked(_ text: String) -> Bool {
        text.split(whereSeparator: \.isWhitespace).contains { beforeEnds.contains($0.lowercased()) }
            || text.contains("から") || text.contains("에서 ")
    }

    /// German words before a destination of which each alone may belong to a name.
    static let articledEnds = phrases("in+die an+die an+den")

    /// Words between the source and the destination if nothing marks the source.
    private static let betweenEnds = phrases(
        "to nach naar till til vers à a hasta hacia para para+o ao до do ke đến tới προς إلى الى до se से")
    /// Words between the destination and the source.
    private static let beforeStart = phrases("from von vom ab från из od z ze")

    /// Returns the phrases of a list, the longest first: “to near+to”.
    package static func phrases(_ list: String) -> [[String]] {
        list.split(separator: " ").map { $0.split(separator: "+").map { String($0) } }.sorted { $0.count > $1.count }
    }

    /// Returns the ranges of phrases between other words.
    private static func ranges(of phrases: [[String]], in words: [String]) -> [Range<Int>] {
        words.indices.dropFirst().compactMap { start in
            phrases.first { phrase in
                start + phrase.count < words.count && words[start..<(start + phrase.count)].elementsEqual(phrase)
            }.map { start..<(start + $0.count) }
        }
    }

    private static func arrow(in text: String) -> RouteWords? {
        for arrow in ["→", "➔", "➜", "⇒", "->", "=>", " > "] {
            let ends = text.split(separator: arrow)
            guard ends.count == 2 else { continue }
            return toEnd(ends)
        }
        return nil
    }

    /// Returns the route between two texts, of which the second one may have further words of the request: “Munich via Leipzig”.
    private static func toEnd(_ ends: [Substring]) -> RouteWords? {
        let last = RequestWords("to \(ends[1])")
        return RouteWords(ends[0], last.destination.joined(separator: " "), of: last)
    }

    /// The first words of ``beforeDestination``.
    static let destinationWords = Set(beforeDestination.compactMap(\.first))

    /// - Parameter mayBeGenitive: whether “à Lyon de Paris” counts.
    private static func pair(in text: String, mayBeGenitive: Bool = false) -> RouteWords? {
        // A quick check first: most texts are not a route, and parsing a request takes longer.
        let all = text.split(whereSeparator: \.isWhitespace)
        guard all.count >= 3, all.contains(where: { destinationWords.contains($0.lowercased()) }) else { return nil }
        let request = RequestWords(text)
        var words = request.places
        if let first = words.first, ["d'", "d’"].contains(where: first.lowercased().hasPrefix) {
            words = ["d'", first.dropFirst(2)] + words.dropFirst()
        }
        let lower = words.map { $0.lowercased() }
        for (from, to) in markers {
            // "from A to B", and "to B from A"
            for (first, second, isReversed) in [(from, to, false), (to, from, true)] {
                guard let opening = first.first(where: { lower.starts(with: $0) }) else { continue }
                let rest = Array(lower[opening.count...])
                let places = ranges(of: second, in: rest)
                // At the beginning of a text, a single letter such as Italian "a" is too ambiguous.
                guard let place = places.first, !isReversed || opening.joined().utf8.count > 1 else { continue }
                let names = words.dropFirst(opening.count)
                let former = names.prefix(place.lowerBound)
                let latter = names.dropFirst(place.upperBound)
                if isReversed {
                    // “Au musée de Lille” is one place.
                    let isGenitive = genitives.contains(rest[place].joined(separator: " "))
                    guard places.count == 1, !isGenitive || mayBeGenitive else { continue }
                    let destination = TownDestination(words.prefix(opening.count + place.lowerBound))
                    return RouteWords(latter, former, in: destination, of: request)
                }
                let destination = TownDestination(names.dropFirst(place.lowerBound))
                guard places.count == 1 || destination != nil,
                    !TownDestination.begins(lower[...], before: Array(rest[place]))
                else { continue }
                return RouteWords(former, latter, in: destination, of: request)
            }
        }
        return nil
    }

    /// Returns the route in “home from work”, “from Potsdam home” and “home to Potsdam”.
    private static func homeward(in text: String) -> RouteWords? {
        let all = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        guard all.count >= 3 else { return nil }
        // “Home to Potsdam”, “zu Hause nach Potsdam”
        let outward = (1..<min(all.count - 1, 3)).first { count in
            PlaceCategory.named(all.prefix(count).joined(separator: " "))?.isOwn == true
                && ["to", "nach", "zu", "zum", "zur"].contains(all[count])
        }
        guard outward != nil || all.contains(where: { starts.contains($0) || ["to", "nach"].contains($0) }) else {
            return nil
        }
        let request = RequestWords(text)
        if let outward, request.opening.isEmpty, request.places.count > outward + 1 {
            let (own, destination) = (request.places.prefix(outward), request.places.dropFirst(outward + 1))
            return RouteWords(own.joined(separator: " "), destination.joined(separator: " "), of: request)
        }
        let lower = request.places.map { $0.lowercased() }
        guard lower.count > 2 else { return nil }
        func names(_ range: Range<Int>) -> String {
            request.places.dropFirst(range.lowerBound).prefix(range.count).joined(separator: " ")
        }
        func isOwn(_ range: Range<Int>) -> Bool { PlaceCategory.named(names(range))?.isOwn ?? false }
        guard let mark = lower.firstIndex(where: starts.contains) else {
            // “Columbus to home”
            let end = lower.count - 1
            let isPlace = request.opening.isEmpty && request.places.first?.first?.isLowercase == false
            guard isPlace, ["to", "nach"].contains(lower[end - 1]), isOwn(end..<lower.count) else { return nil }
            return RouteWords(names(0..<(end - 1)), names(end..<lower.count), of: request)
        }
        // “Home” may follow the start: “from Columbus back home”.
        let first = (1..<lower.count).first { mark == 0 && $0 > 1 && isOwn($0..<lower.count) }
        let end = mark > 0 ? 0..<mark : (first ?? lower.count - 1)..<lower.count
        let start = mark > 0 ? (mark + 1)..<lower.count : 1..<end.lowerBound
        guard let own = PlaceCategory.named(names(end)), own.isOwn, PlaceCategory.named(names(start)) != own else {
            return nil
        }
        return RouteWords(names(start), names(end), of: request)
    }

    /// The words before the start of a route.
    static let starts: Set<String> = ["from", "von", "vom"]

    /// Returns the routes in words that contain one of ``betweenEnds`` or ``beforeStart``.
    private static func between(
        _ words: ArraySlice<Substring>, of request: RequestWords, by modes: Set<TransportMode>
    ) -> [RouteWords] {
        // Words such as “do” and “a” open requests in one language and stand before a destination in another one.
        let isPlaces = words.startIndex == request.places.startIndex
        let words = Array(words)
        let lower = words.map { $0.lowercased() }
        func routes(_ phrases: [[String]], isReversed: Bool) -> [RouteWords] {
            let places = ranges(of: phrases, in: lower)
            guard places.count == 1, let place = places.first else { return [] }
            let opened =
                (isPlaces ? request.opening.suffix(1).map { $0.lowercased() } : []) + lower[..<place.lowerBound]
            let isStart = ![lower[..<place.lowerBound], opened[...]].contains {
                TownDestination.begins($0, before: Array(lower[place]))
            }
            guard isReversed || isStart else { return [] }
            let former = words[..<place.lowerBound].joined(separator: " ")
            let latter = words[place.upperBound...].joined(separator: " ")
            let route = RouteWords(
                isReversed ? latter : former, isReversed ? former : latter, by: modes, at: request.time,
                ignoring: request.ignored)
            return route.map { [$0] } ?? []
        }
        return routes(betweenEnds, isReversed: false) + routes(beforeStart, isReversed: true)
    }

    /// Returns the routes with one of the words between its ends, such as “to”, if the text does not begin with another one. Each end
    /// may be a coordinate, which only the caller knows.
    package static func besideCoordinate(_ text: String) -> [RouteWords] {
        guard isShort(text), text.contains(where: \.isNumber), isMarked(text) else { return [] }
        let request = RequestWords(fromStart: text)
        return between(request.places, of: request, by: request.hasPhrase ? request.modes : [])
    }

    /// Returns the route whose ends have words for a travel mode or a time between them: “Hamburg by train from Leipzig”.
    private static func interrupted(in text: String) -> RouteWords? {
        guard isMarked(text) else { return nil }
        let request = RequestWords(text)
        guard !request.places.isEmpty, request.opening.isEmpty || request.isRequest else { return nil }
        let modes = request.hasPhrase ? request.modes : []
        return between(request.places, of: request, by: modes).first(where: \.hasWordsInside)
    }

    // MARK: Ends marked by affixes

    /// Markers before the source, between the ends, and after the destination, in languages that attach them to the
    /// names.
    private static let eastern: [(before: String, between: [String], after: [String])] = [
        ("从", ["到", "至", "去"], []), ("從", ["到", "至", "去"], []), ("", ["から"], ["まで", "へ", "に"]),
        ("", ["에서 "], ["까지", "으로", "로"]), ("จาก", ["ไปยัง", "ไปที่", "ไป", "ถึง"], []), ("", [" से "], ["तक"]),
    ]

    private static func eastern(in text: String) -> RouteWords? {
        // All of these scripts have letters of three bytes, and most texts have none.
        guard text.utf8.contains(where: { $0 >= 0xE0 }) else { return nil }
        let request = RequestWords(text)
        let text = request.places.joined(separator: " ")
        if text.hasSuffix("から") {
            // “大阪へ電車で東京から”
            for between in ["まで", "へ"] {
                let ends = text.dropLast(2).split(separator: between, omittingEmptySubsequences: false)
                if ends.count == 2, let route = RouteWords(ends[1], ends[0], of: request) { return route }
            }
        }
        for (before, betweens, endings) in eastern where text.hasPrefix(before) {
            for between in betweens {
                let ends = text.dropFirst(before.count).split(separator: between, omittingEmptySubsequences: false)
                guard ends.count == 2,
                    between != "から" || EasternWords.isDestination(ends[1], behind: ends[0])
                else { continue }
                let ending = endings.first { ends[1].hasSuffix($0) }
                // “家から横浜”, “渋谷から横浜 電車”
                let isSure =
                    ending != nil || between == "から" || endings.isEmpty || request.time != nil || !request.modes.isEmpty
                    || ends.contains { PlaceCategory.named(String($0))?.isOwn == true }
                let destination = ends[1].dropLast(ending?.count ?? 0)
                guard let route = RouteWords(ends[0], destination, of: request) else { continue }
                if isSure || route.hasWordsInside { return route }
            }
        }
        return nil
    }

    /// Returns the routes in a text without spaces with a word between the ends: “北京到上海”.
    private static func unspaced(_ text: String) -> [RouteWords] {
        ["到", "至", "去", "から", "에서 "].compactMap { between in
            let ends = text.split(separator: between, omittingEmptySubsequences: false)
            return ends.count == 2 ? RouteWords(ends[0], ends[1]) : nil
        }
    }

    /// Endings of the source and of the destination, by language: Turkish “Ankara'dan İzmir'e”, Hungarian
    /// “Budapestről Debrecenbe”.
    private static let suffixes: [(from: [String], to: [String])] = [
        (["'dan", "'den", "'tan", "'ten"], ["'ya", "'ye", "'na", "'ne", "'a", "'e"]),
        (
            ["ról", "ről", "ból", "ből", "tól", "től"],
            ["ra", "re", "ba", "be", "hoz", "hez", "höz", "ig"]
        ),
    ]

    /// Returns the routes whose ends are marked by endings, or by the prefixes of Hebrew.
    private static func attached(to words: ArraySlice<Substring>, by modes: Set<TransportMode>) -> [RouteWords] {
        let words = words.map { String($0.replacing("’", with: "'")) }
        var routes: [RouteWords] = []
        for (from, to) in suffixes {
            guard let (first, start) = ending(from, in: words, after: 0),
                let (last, end) = ending(to, in: words, after: first + 1)
            else { continue }
            let source = words[..<first] + [String(start)]
            let destination = words[(first + 1)..<last] + [String(end)]
            routes += [
                RouteWords(source.joined(separator: " "), destination.joined(separator: " "), by: modes)
            ].compactMap(\.self)
        }
        if words.count > 1, words[0].hasPrefix("מ"), let last = words.lastIndex(where: { $0.hasPrefix("ל") }), last > 0
        {
            let source = words[..<last].joined(separator: " ").dropFirst()
            let destination = words[last...].joined(separator: " ").dropFirst()
            routes += [RouteWords(source, destination)].compactMap(\.self)
        }
        return routes
    }

    /// Returns the first word with one of the endings, and its stem.
    private static func ending(
        _ endings: [String], in words: [String], after start: Int
    ) -> (index: Int, stem: Substring)? {
        for index in words.indices.dropFirst(start) {
            let word = words[index]
            if let ending = endings.first(where: { word.lowercased().hasSuffix($0) && word.count > $0.count + 1 }) {
                return (index, word.dropLast(ending.count))
            }
        }
        return nil
    }
}
