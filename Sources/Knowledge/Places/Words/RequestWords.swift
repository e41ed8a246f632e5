internal import HunchModel

/// A request for directions, split into its places and the other words: “How do I get from A to B by train tomorrow at 9?”
/// asks for “from A to B”.
struct RequestWords {
    /// The words before the first place; empty for most texts.
    let opening: ArraySlice<Substring>
    /// The words from the first place on.
    let places: ArraySlice<Substring>
    /// The travel modes in the text; empty for none.
    let modes: Set<TransportMode>
    /// The time in the text; `nil` for none.
    let time: JourneyTime?
    /// Whether the modes are in a phrase that is no part of a name, such as “by bike” and “drive to”.
    let hasPhrase: Bool
    /// Whether it asks for the way home or to work, behind a word such as “drive” or “take me”.
    let isToOwnPlace: Bool
    /// The line of public transport in the text, such as “RE1”, for which no app can be asked; `nil` for none.
    private(set) var line: String?

    private static let negations: Set<String> = ["not", "without", "nicht", "ohne"]

    /// The maximum number of phrases before or after the places.
    private static let mostPhrases = 4

    /// Reads a text in one of the languages of the lists below.
    ///
    /// - Parameter isLenient: whether words count that may also belong to a name or an address: “Potsdam 12/24”, “Zug Hamburg”.
    init(_ text: String, isLenient: Bool = false) {
        var words = text.split(whereSeparator: \.isWhitespace)[...]
        if let last = words.last, !DateWords.endsInPoint(words),
            let end = last.lastIndex(where: { !"?!.…؟？。".contains($0) }),
            // A letter with a point is an abbreviation.
            end != last.startIndex || last[end].isNumber
        {
            words[words.index(before: words.endIndex)] = last[...end]
        }
        var lower = words.map { $0.lowercased() }
        if Self.departures.contains(lower.first ?? ""), let place = lower.firstIndex(of: "for") {
            // “Leave at nine for Potsdam”
            words[words.startIndex + place] = "to"
            lower[place] = "to"
        }
        var modes: Set<TransportMode> = []
        var time: JourneyTime?
        if let (rest, arrival) = Self.arrival(atEndOf: words, isLenient) {
            (words, time) = (rest, arrival)
            lower = words.map { $0.lowercased() }
        }
        for _ in 0..<Self.mostPhrases {
            let isRoute =
                lower.contains(where: RouteWords.markerWords.contains) || Self.openings.contains(lower.first ?? "")
            let least = isLenient ? ModePhrase.Certainty.noun : isRoute ? .word : .phrase
            if let (count, phrase) = Self.phrase(atEndOf: lower, least) {
                modes.formUnion(phrase.modes)
                line = line ?? phrase.line
                words.removeLast(count)
            } else if time == nil,
                let (count, found) = Self.time(
                    atEndOf: words, besideModes: !modes.isEmpty, isLenient)
            {
                time = found
                words.removeLast(count)
            } else {
                break
            }
            Self.dropComma(&words)
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
                    line = line ?? phrase.line
                    removed = start..<(start + count)
                } else if time == nil, let (count, found) = Self.time(atStartOf: rest, isLenient) {
                    time = found
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
        // “Drive home”
        isToOwnPlace = count > 0 && Self.isOwnPlace(lower[...].dropFirst(count))
        let isRequest = count > 0 && Self.isBeforePlace(lower.dropFirst(count)) || isToOwnPlace
        hasPhrase = !modes.isEmpty || isRequest
        self.modes = modes.isEmpty ? lower[..<count].reduce(into: []) { $0.formUnion(TravelWords.modes($1)) } : modes
        self.time = time
    }

    /// Returns the number of words at the start and the end that ask to be at a place at a time: “I need to be in Potsdam”,
    /// “in Potsdam sein”; `nil` if there are none.
    private static func arrival(in words: [String]) -> (start: Int, end: Int)? {
        let opened = openingCount(words)
        let rest = words.dropFirst(opened)
        if let phrase = arrivals.first(where: { $0.count < rest.count && rest.starts(with: $0) }) {
            return (opened + phrase.count, 0)
        }
        guard let last = words.last, arrivalEnds.contains(last), rest.count > 1 else { return nil }
        return (opened, 1)
    }

    /// Reads a time before a word for arriving: “Potsdam um 18 Uhr ankommen”, “um 9 da sein”. Returns the words before it.
    private static func arrival(
        atEndOf words: ArraySlice<Substring>, _ isLenient: Bool
    ) -> (words: ArraySlice<Substring>, time: JourneyTime)? {
        guard let last = words.last, arrivalEnds.contains(last.lowercased()) else { return nil }
        var rest = words.dropLast()
        if let word = rest.last, ["da", "dort"].contains(word.lowercased()) { rest.removeLast() }
        guard let (count, time) = time(atEndOf: rest, besideModes: false, isLenient) else { return nil }
        rest.removeLast(count)
        dropComma(&rest)
        return (rest, time.ofArrival)
    }

    private static func dropComma(_ words: inout ArraySlice<Substring>) {
        if let last = words.last, last.last == ",", last.count > 1 { words[words.endIndex - 1] = last.dropLast() }
    }

    private static let arrivals = [
        "be in", "be at", "be there in", "arrive in", "arrive at", "arrive", "arrival in", "arrival at", "reach",
        "ankunft in",
        "ankunft",
        "ankommen in",
    ].map { $0.split(separator: " ").map { String($0) } }
    private static let arrivalEnds: Set<String> = ["sein", "ankommen", "ankunft"]

    /// Returns the number of words before the first place: “how long does it take to walk”.
    private static func openingCount(_ words: [String]) -> Int {
        words.indices.first { index in
            let isInfinitive =
                index > 0 && words[index] == "to" && words.dropFirst(index + 1).first.map(verbs.contains) == true
            let rest = words.dropFirst(index + 1)
            let isReturn =
                returns.contains(words[index])
                && (RouteWords.beforeEnds.contains(rest.first ?? "") || isOwnPlace(rest))
            return !openings.contains(words[index]) && !isInfinitive && !isReturn
        } ?? 0
    }

    /// Words that open a request only before a word such as “to”, or before home and work: “back to work”, “zurück heim”.
    private static let returns: Set<String> = ["back", "zurück", "wieder", "ab", "retour", "rentrer"]

    private static func isOwnPlace(_ words: ArraySlice<String>) -> Bool {
        PlaceCategory.named(words.joined(separator: " "))?.isOwn ?? false
    }

    private static let verbs: Set<String> = [
        "walk", "drive", "get", "go", "cycle", "bike", "travel", "fly", "ride", "be", "arrive", "reach",
    ]

    /// Returns whether a text is only a phrase for a travel mode, such as “by car”.
    static func isOnlyPhrase(_ text: String) -> Bool {
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
        for count in (1...ModePhrase.mostWords).reversed() where count < words.count {
            guard let phrase = ModePhrase(words.prefix(count)), !phrase.modes.isEmpty,
                case let rest = words.dropFirst(count),
                isLenient || isBeforePlace(rest) || isOwnPlace(rest)
                    // “mit dem Rad an den Wannsee”
                    || phrase.certainty == .phrase && RouteWords.articledEnds.contains(where: { rest.starts(with: $0) })
            else { continue }
            return (count, phrase)
        }
        return nil
    }

    /// Returns the phrase for travel modes or the word such as “please” behind a place.
    ///
    /// - Parameter least: the least certainty. “Nordic Walking” and “Indoor Cycling” are names.
    private static func phrase(
        atEndOf words: [String], _ least: ModePhrase.Certainty
    ) -> (count: Int, phrase: ModePhrase)? {
        for count in (1...ModePhrase.mostWords).reversed() where count < words.count {
            guard let phrase = ModePhrase(words.suffix(count)), phrase.certainty >= least,
                // “Not by car”
                !negations.contains(words[words.count - count - 1])
            else { continue }
            return (count, phrase)
        }
        return nil
    }

    /// Words in names before a date: “Straße des 17. Juni”.
    private static let beforeDate: Set<String> = [
        "des", "der", "du", "de", "del", "of", "the", "dei", "di", "la", "le", "el",
    ]

    /// The ends of the names of streets, which a house number such as “12/24” follows.
    private static let streetEnds = [
        "str", "gasse", "weg", "allee", "damm", "ufer", "ring", "rd", "av", "ln", "street", "pl",
    ]

    /// Returns whether a number with a decimal point follows another number: “52.4, 13.07” is no 13 July.
    private static func isCoordinate(_ word: String, after other: String) -> Bool {
        word.last?.isNumber == true && word.count(where: { $0 == "." }) == 1 && other.contains(where: \.isNumber)
    }

    /// Returns whether a short form of a weekday is written as the code of a state or a country: “Detroit MI”.
    private static func isCode(_ word: Substring, in words: ArraySlice<Substring>) -> Bool {
        word.utf8.count == 2 && word == word.uppercased() && DayWords.shortWeekdays[word.lowercased()] != nil
            && words.contains { $0.contains(where: \.isLowercase) }
    }

    private static func isStreet(_ word: String) -> Bool {
        streetEnds.contains { WordFolding.joined(word).hasSuffix($0) }
    }

    /// Returns the time at the end of the words, at least one of which is left.
    ///
    /// Without a time of day or a word such as “on”, it may be the end of a name: “Ruby Tuesday”, “Café Morgen”. Then only a
    /// word such as “tomorrow” counts, in small letters and in a request.
    private static func time(
        atEndOf typed: ArraySlice<Substring>, besideModes: Bool, _ isLenient: Bool
    ) -> (count: Int, time: JourneyTime)? {
        let words = typed.map { $0.lowercased() }
        let isRequest = besideModes || words.contains(where: RouteWords.beforeEnds.contains)
        for start in words.indices.dropFirst().suffix(JourneyTime.mostWords)
        where !beforeDate.contains(words[start - 1]) && !(words[start].contains("/") && isStreet(words[start - 1]))
            && !isCoordinate(words[start], after: words[start - 1])
            // “Hauptstraße 5 bis 7” is a range of houses.
            && !(words[start] == "bis" && words[start - 1].last?.isNumber ?? false)
            && (isLenient || !typed.dropFirst(start).contains { isCode($0, in: typed) })
        {
            guard let time = JourneyTime(words: words[start...]) else { continue }
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
        for count in (1...JourneyTime.mostWords).reversed() where count < words.count - (isLenient ? 0 : 1) {
            let rest = words.dropFirst(count)
            guard let time = JourneyTime(words: words.prefix(count)),
                isBeforePlace(rest, mayBeTime: false) || time.isExplicit && rest.first == "in" && rest.count > 1
                    || isLenient
            else { continue }
            return (count, time)
        }
        return nil
    }

    /// Returns the places without a word for “to” at their beginning.
    var destination: ArraySlice<Substring> {
        let words = places.map { $0.lowercased() }
        // “Bis 12 Uhr in Dresden”
        if time != nil, words.count > 1, words.first == "in" { return places.dropFirst() }
        let phrase = RouteWords.beforeDestination.first {
            $0.count < words.count && words.starts(with: $0) && $0.joined().utf8.count > 1
        }
        return places.dropFirst(phrase?.count ?? 0)
    }

    /// Words for leaving, before “for” and the place.
    private static let departures: Set<String> = ["leave", "leaving", "depart", "departing", "head", "heading", "go"]

    /// Words before the places of a request. Before a word for “from” or “to”, none of them is the beginning of a name.
    private static let openings = Set(
        ("""
        please show plan find the best fastest shortest quickest how do i we can you must need have want get go travel take me us way direction \
        directions navigate navigation route routes drive driving walk walking cycle cycling bike car train trains bus buses \
        flight flights fly ferry taxi distance is it far long does leave leaving depart departing head heading
        wie komme kommt man ich wir weg route wegbeschreibung verbindung verbindungen strecke entfernung fahrt zug züge bahn \
        fahrrad rad auto flug flüge bitte zeige mir den fahre fahren muss müssen will wollen möchte
        comment aller va-t-on itinéraire itineraire trajet distance vol vols y
        cómo como llegar ir voy ruta indicaciones tren trenes vuelo vuelos distancia autobús
        come arrivare arrivo andare si va percorso indicazioni treno treni volo voli distanza
        chegar vou rota trem comboio voo voos distância direções
        hoe kom ik reis trein treinen vlucht afstand
        hur kommer jag tar mig hvordan kommer jeg tåg tog rejse resa väg vägen vej veien
        jak dojechać dojść dostać się trasa pociąg droga dojazd dostanu cesta vlak spojení
        как добраться доехать дойти проехать маршрут поезд путь поездка як дістатися доїхати потяг
        nasıl gidilir cum ajung bagaimana cara pergi
        """).split(whereSeparator: \.isWhitespace).map { String($0) })
}
