package import HunchModel

/// A request for directions, split into its places and the other words: “How do I get from A to B by train tomorrow at 9?”
/// asks for “from A to B”.
package struct RequestWords {
    /// The words before the first place; empty for most texts.
    package let opening: ArraySlice<Substring>
    /// The words from the first place on.
    package let places: ArraySlice<Substring>
    /// The travel modes in the text; empty for none.
    package private(set) var modes: Set<TransportMode>
    /// The time in the text; `nil` for none.
    package let time: JourneyTime?
    /// Whether the modes are in a phrase that is not part of a name, such as “by bike” and “drive to”.
    package let hasPhrase: Bool
    /// Whether it asks for the way home or to work, behind a word such as “drive” or “take me”.
    let isToOwnPlace: Bool
    /// Whether its opening asks for directions, so that it is not part of a name.
    package private(set) var isRequest = false
    /// Whether no name begins with its opening: “how far is it”, “navigate”.
    package private(set) var isSure = false
    /// The words about the journey for which no app can be asked, such as “RE1” and “bis 17 Uhr”; `nil` for none.
    package private(set) var ignored: String?
    /// The destination if it is not what stands behind a word for “to”: in a language without spaces, and with its town.
    private var whole: Substring?
    /// Whether the destination is a person or a place with its town: “zu Oma nach Cottbus”.
    package private(set) var isInTown = false

    /// The maximum number of phrases before or after the places.
    private static let mostPhrases = 4

    /// Reads a text in one of the languages of `Data/requests.txt`.
    ///
    /// - Parameter isLenient: whether words count that may also belong to a name or an address: “Potsdam 12/24”, “Zug Hamburg”.
    package init(_ text: String, isLenient: Bool = false) {
        self.init(fromStart: Self.fromStart(text), isLenient: isLenient)
    }

    /// - Parameter text: the text with “from” before the place that somebody leaves.
    init(fromStart text: String, isLenient: Bool = false) {
        if let eastern = EasternWords(text) {
            (opening, places, modes, time) = ([], [eastern.places], eastern.modes, eastern.time)
            (hasPhrase, isToOwnPlace, isRequest, isSure) = (true, false, true, true)
            ignored = eastern.ignored.isEmpty ? nil : eastern.ignored.joined(separator: ", ")
            whole = eastern.destination
            return
        }
        var words = text.split(whereSeparator: \.isWhitespace)[...]
        if let last = words.last, !DateWords.endsInPoint(words),
            let end = last.lastIndex(where: { !"?!.…؟？。".contains($0) }),
            // A letter with a point is an abbreviation.
            end != last.startIndex || last[end].isNumber
        {
            words[words.index(before: words.endIndex)] = last[...end]
        }
        var lower = words.map { $0.lowercased() }
        var isLeaving = false
        if Self.departures.contains(lower.first ?? ""), let place = lower.firstIndex(of: "for") {
            // “Leave at nine for Potsdam”
            words[words.startIndex + place] = "to"
            lower[place] = "to"
            isLeaving = true
        }
        let typed = words
        var modes: Set<TransportMode> = []
        var time: JourneyTime?
        var ignored: [String] = []
        func note(_ words: String?) { if let words { ignored.append(Self.typed(words, in: typed)) } }
        if let (rest, arrival) = Self.arrival(atEndOf: words, isLenient) {
            (words, time) = (rest, arrival)
            lower = words.map { $0.lowercased() }
        }
        for _ in 0..<Self.mostPhrases {
            let isRoute =
                lower.contains(where: RouteWords.markerWords.contains) || Self.openings.contains(lower.first ?? "")
            let least = isLenient ? ModePhrase.Certainty.unknown : isRoute ? .word : .phrase
            if let (count, phrase) = Self.phrase(atEndOf: lower, least) {
                modes.formUnion(phrase.modes)
                note(phrase.ignored)
                words.removeLast(count)
            } else if let (count, found) = Self.time(atEndOf: words, besideModes: !modes.isEmpty, isLenient),
                time == nil || found.isVague
            {
                time = found.isVague ? time : found
                note(found.ignored)
                words.removeLast(count)
            } else {
                let count = max(JourneyTime.impossibleCount(atEndOf: lower), Self.detourCount(atEndOf: words))
                guard count > 0 else { break }
                note(lower.suffix(count).joined(separator: " "))
                words.removeLast(count)
            }
            Self.dropComma(&words)
            lower = words.map { $0.lowercased() }
        }
        if let stop = Self.detour(in: words) {
            note(lower[stop].joined(separator: " "))
            words = words.prefix(stop.lowerBound) + words.dropFirst(stop.upperBound)
            lower = words.map { $0.lowercased() }
        }
        for _ in 0..<Self.mostPhrases {
            // “Wie komme ich am Montag von …”
            let opened = Self.openingCount(lower)
            var removed: Range<Int>?
            for start in [0, opened] where removed == nil {
                let rest = lower.dropFirst(start)
                if modes.isEmpty, let (count, phrase) = Self.phrase(atStartOf: rest, isLenient) {
                    modes = phrase.modes
                    note(phrase.ignored)
                    removed = start..<(start + count)
                } else if let (count, found) = Self.time(
                    atStartOf: rest, isLenient || Self.isPresent(rest, beforePlace: words.dropFirst(start))),
                    time == nil || found.isVague
                {
                    time = found.isVague ? time : found
                    note(found.ignored)
                    removed = start..<(start + count)
                } else if let count = Self.impossibleCount(atStartOf: rest) {
                    note(rest.prefix(count).joined(separator: " "))
                    removed = start..<(start + count)
                }
            }
            guard let removed else { break }
            words = words.prefix(removed.lowerBound) + words.dropFirst(removed.upperBound)
            lower = words.map { $0.lowercased() }
        }
        if let given = time, let frame = Self.arrival(in: lower) {
            time = given.ofArrival
            words = words.dropFirst(frame.start).dropLast(frame.end)
            lower = words.map { $0.lowercased() }
        }
        let count = Self.openingCount(lower)
        opening = words[words.startIndex..<(words.startIndex + count)]
        places = words.dropFirst(count)
        // “Drive home”, “drive home from work”
        isToOwnPlace =
            count > 0 && Self.isOwnPlace(lower[...].dropFirst(count).prefix { !RouteWords.starts.contains($0) })
        isRequest =
            count > 0 && Self.isBeforePlace(lower.dropFirst(count)) || isToOwnPlace || count >= Self.leastOfRequest
        isSure = isRequest && !isLeaving && (count != 1 || isToOwnPlace || Self.isSure(lower))
        hasPhrase = !modes.isEmpty || isRequest
        self.modes = modes.isEmpty ? lower[..<count].reduce(into: []) { $0.formUnion(TravelWords.modes($1)) } : modes
        if let destination = TownDestination(isRequest ? places : opening + places) {
            // “Zu Oma um 9 nach Cottbus”
            let end = RequestEnd(destination.place.joined(separator: " "))
            (isInTown, whole) = (true, Substring(destination.text(of: end.name)))
            time = time?.completed(by: end.time) ?? end.time
            note(end.ignored)
            self.modes.formUnion(end.modes)
        }
        self.time = typed.contains { JourneyTime.isGerman($0.lowercased()) } ? time?.inGerman : time
        self.ignored = ignored.isEmpty ? nil : ignored.joined(separator: ", ")
    }

    /// Returns whether no name begins with words of which the first opens a request: “navigate to”, “Weg zum Bahnhof”. There
    /// are streets such as “Weg nach Rom” and “Weg zum See”.
    private static func isSure(_ words: [String]) -> Bool {
        sureOpenings.contains(words[0]) || words[0] != "weg" && words[1] == "nach" || words[1] == "zu"
            || PlaceCategory.named(words.dropFirst(2).joined(separator: " ")) != nil
    }

    /// The minimum number of words that open a request without a word such as “to”: “how far is Potsdam”.
    private static let leastOfRequest = 3

    /// Returns words in lower case as they were typed.
    package static func typed(_ lower: String, in words: ArraySlice<Substring>) -> String {
        let parts = lower.split(separator: " ")
        for start in words.indices {
            let found = words[start...].prefix(parts.count)
            if found.map({ $0.lowercased() }).joined(separator: " ").hasPrefix(lower), found.count == parts.count {
                return found.joined(separator: " ")
            }
        }
        // “9-17 Uhr” are several words.
        return parts.map { part in words.first { $0.lowercased() == part } ?? part }.joined(separator: " ")
    }

    static func dropComma(_ words: inout ArraySlice<Substring>) {
        if let last = words.last, last.last == ",", last.count > 1 { words[words.endIndex - 1] = last.dropLast() }
    }

    /// Returns the number of words before the first place: “how long does it take to walk”; 0 if there are no others.
    static func openingCount(_ words: [String]) -> Int {
        var count = 0
        while count < words.count {
            let rest = words.dropFirst(count + 1)
            let isInfinitive = count > 0 && words[count] == "to" && rest.first.map(verbs.contains) == true
            let isReturn =
                returns.contains(words[count])
                && (RouteWords.beforeEnds.contains(rest.first ?? "") || isOwnPlace(rest))
            if let phrase = openingPhrases.first(where: { words[count...].starts(with: $0) }) {
                count += phrase.count
            } else if openings.contains(words[count].last == "," ? String(words[count].dropLast()) : words[count])
                || isInfinitive || isReturn
            {
                count += 1
            } else {
                return count
            }
        }
        return 0
    }

    /// Whether it means home or work next to words such as “please”.
    package var isOnlyOwnPlace: Bool { Self.isOwnPlace(destination.map { $0.lowercased() }[...]) }

    static func isOwnPlace(_ words: ArraySlice<String>) -> Bool {
        PlaceCategory.named(words.joined(separator: " "))?.isOwn ?? false
    }

    /// Returns whether a text is only a phrase for a travel mode, such as “by car”.
    package static func isOnlyPhrase(_ text: String) -> Bool {
        let phrase = ModePhrase(text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }[...])
        return phrase.map { $0.certainty == .phrase && !$0.modes.isEmpty } ?? false
    }

    /// Returns whether words begin with one before a place, such as “from” and “to”, or with another phrase.
    private static func isBeforePlace(_ words: ArraySlice<String>, mayBeTime: Bool = true) -> Bool {
        guard words.count > 1, let first = words.first else { return false }
        if openings.contains(first), RouteWords.beforeEnds.contains(words.dropFirst().first ?? "") {
            return words.count > 2
        }
        return RouteWords.beforeEnds.contains(first)
            || (1..<min(words.count, ModePhrase.mostWords + 1)).contains { count in
                let isFollowed = RouteWords.beforeEnds.contains(words.dropFirst(count).first ?? "")
                return ModePhrase(words.prefix(count)).map {
                    ($0.certainty == .phrase || isFollowed) && !$0.modes.isEmpty
                } ?? false
            }
            || mayBeTime && isTime(atStartOf: words)
    }

    private static func isTime(atStartOf words: ArraySlice<String>) -> Bool {
        (1...JourneyTime.mostWords).contains { $0 < words.count && JourneyTime(words: words.prefix($0)) != nil }
    }

    /// Returns the phrase for travel modes before a place.
    private static func phrase(
        atStartOf words: ArraySlice<String>, _ isLenient: Bool
    ) -> (count: Int, phrase: ModePhrase)? {
        phrase({ words.prefix($0) }) { phrase, count in
            let rest = words.dropFirst(count)
            return phrase.isTravel
                && (isBeforePlace(rest) || phrase.certainty > .unknown && (isLenient || isOwnPlace(rest))
                    // “mit dem Rad an den Wannsee”
                    || phrase.certainty == .phrase && RouteWords.articledEnds.contains { rest.starts(with: $0) })
                && count < words.count
        }
    }

    /// Returns the phrase for travel modes or the word such as “please” behind a place.
    ///
    /// - Parameter least: the least certainty. “Nordic Walking” and “Indoor Cycling” are names.
    private static func phrase(
        atEndOf words: [String], _ least: ModePhrase.Certainty
    ) -> (count: Int, phrase: ModePhrase)? {
        phrase({ words.suffix($0) }) { phrase, count in
            // “By noon” is not an unknown vehicle.
            count < words.count && phrase.certainty >= least
                && (phrase.certainty > .unknown || JourneyTime(words: words.suffix(count)) == nil)
        }
    }

    /// Returns the longest phrase of known words that fits, else the shortest of unknown ones.
    private static func phrase(
        _ words: (Int) -> ArraySlice<String>, where fits: (ModePhrase, Int) -> Bool
    ) -> (count: Int, phrase: ModePhrase)? {
        let phrases = (1...ModePhrase.mostWords).reversed().compactMap { count in
            ModePhrase(words(count)).flatMap { fits($0, count) ? (count, $0) : nil }
        }
        return phrases.first { $0.1.certainty > .unknown } ?? phrases.last
    }

    /// Words in names before a date: “Straße des 17. Juni”.
    private static let beforeDate: Set<String> = [
        "des", "der", "du", "de", "del", "of", "the", "dei", "di", "la", "le", "el",
    ]

    /// The ends of the names of streets, which a house number such as “12/24” follows.
    private static let streetEnds = [
        "str", "gasse", "weg", "allee", "damm", "ufer", "ring", "rd", "av", "ln", "street", "pl",
    ]

    /// Returns whether a number with a decimal point follows another number: “52.4, 13.07” is not 13 July.
    private static func isCoordinate(_ word: String, after other: String) -> Bool {
        word.last?.isNumber == true && word.count(where: { $0 == "." }) == 1 && other.contains(where: \.isNumber)
    }

    /// Returns whether a short form of a weekday is written as the code of a state or a country: “Detroit MI”.
    private static func isCode(_ word: Substring, in words: ArraySlice<Substring>) -> Bool {
        word.utf8.count == 2 && word == word.uppercased() && DayWords.shortWeekdays[word.lowercased()] != nil
            && words.contains { $0.contains(where: \.isLowercase) }
    }

    /// Returns whether a word may be a number of houses: “12/24”, “7a”, “9-17”.
    private static func isHouse(_ word: String) -> Bool {
        word.contains { "/-–".contains($0) }
            || word.count > 1 && word.last?.isLetter == true && word.dropLast().allSatisfy(\.isNumber)
    }

    private static func isStreet(_ word: String) -> Bool {
        streetEnds.contains { WordFolding.joined(word).hasSuffix($0) }
    }

    /// Returns the time at the end of the words, at least one of which is left.
    ///
    /// Without a time of day or a word such as “on”, it may be the end of a name: “Ruby Tuesday”, “Café Morgen”. Then only a
    /// word such as “tomorrow” counts, in small letters and in a request.
    static func time(
        atEndOf typed: ArraySlice<Substring>, besideModes: Bool, _ isLenient: Bool
    ) -> (count: Int, time: JourneyTime)? {
        let words = typed.map { $0.lowercased() }
        let isRequest =
            besideModes || words.contains(where: RouteWords.beforeEnds.contains)
            || words.count > 2 && RouteWords.destinationWords.contains(words[0])
        for start in words.indices.dropFirst().suffix(JourneyTime.mostWords)
        where !beforeDate.contains(words[start - 1]) && !(isHouse(words[start]) && isStreet(words[start - 1]))
            && !isCoordinate(words[start], after: words[start - 1])
            && !(start == 1 && RouteWords.beforeEnds.contains(words[0]))
            // “Hauptstraße 5 bis 7” is a range of houses.
            && !(words[start] == "bis" && words[start - 1].last?.isNumber ?? false)
            && (isLenient || !typed.dropFirst(start).contains { isCode($0, in: typed) })
        {
            guard let time = JourneyTime(words: words[start...], isLenient: isLenient) else { continue }
            let isSmall = typed.dropFirst(start).allSatisfy { $0.first?.isLowercase ?? false }
            // “Potsdam tomorrow”, but not “Café Morgen”
            let isBehindName = typed.first?.first?.isUppercase ?? false
            guard isLenient || time.isExplicit || (isRequest || isBehindName) && time.isSmallWord && isSmall else {
                continue
            }
            return (words.count - start, time)
        }
        return nil
    }

    /// Returns the time at the beginning of the words.
    private static func time(
        atStartOf words: ArraySlice<String>, _ isLenient: Bool
    ) -> (count: Int, time: JourneyTime)? {
        for count in (1...JourneyTime.mostWords).reversed() where count < words.count {
            let rest = words.dropFirst(count)
            guard let time = JourneyTime(words: words.prefix(count)),
                isBeforePlace(rest, mayBeTime: false) || time.isExplicit && rest.first == "in" && rest.count > 1
                    // “9 Uhr Zahnarzt”
                    || time.isExplicit && PlaceCategory.named(rest.joined(separator: " ")) != nil
                    || isLenient
            else { continue }
            return (count, time)
        }
        return nil
    }

    /// Returns whether words begin with ones for now before a word such as “to” in any language, or in small letters before a
    /// name: “maintenant à Lyon”, “jetzt Potsdam”.
    ///
    /// - Parameter lower: the words in lower case.
    private static func isPresent(_ lower: ArraySlice<String>, beforePlace words: ArraySlice<Substring>) -> Bool {
        guard let count = JourneyTime.presentCount(lower), let next = words.dropFirst(count).first else { return false }
        return RouteWords.destinationWords.contains(next.lowercased()) && words.count > count + 1
            || words.first?.first?.isLowercase == true && next.first?.isUppercase == true
    }

    /// Returns the number of words before a place that have the form of a time that does not exist.
    private static func impossibleCount(atStartOf words: ArraySlice<String>) -> Int? {
        (1...JourneyTime.mostWords).reversed().first { count in
            count < words.count && JourneyTime.isImpossible(words.prefix(count))
                && isBeforePlace(words.dropFirst(count), mayBeTime: false)
        }
    }

    /// Returns the places without a word for “to” at their beginning.
    package var destination: ArraySlice<Substring> {
        if let whole { return [whole] }
        let places = isRequest ? places : opening + places
        let words = places.map { $0.lowercased() }
        // “Bis 12 Uhr in Dresden”
        if time != nil, words.count > 1, words.first == "in" { return places.dropFirst() }
        let phrase = RouteWords.beforeDestination.first {
            $0.count < words.count && words.starts(with: $0) && $0.joined().utf8.count > 1
        }
        return places.dropFirst(phrase?.count ?? 0)
    }

    /// Words for leaving, before “for” and the place.
    private static let departures = RequestLists.words("leaving")

    private static let openings = RequestLists.words("opening")
    private static let sureOpenings = RequestLists.words("sure opening")
    private static let openingPhrases = RequestLists.phrases("opening phrase")
    private static let returns = RequestLists.words("return")
    private static let verbs = RequestLists.words("verb")
}
