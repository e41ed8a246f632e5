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

    private static let negations: Set<String> = ["not", "without", "nicht", "ohne"]

    /// The maximum number of phrases before or after the places.
    private static let mostPhrases = 4

    /// Reads a text in one of the languages of the lists below.
    ///
    /// - Parameter readsAnyTime: whether a date or a time of day counts that may also belong to a name or an address:
    ///   “Potsdam 12/24”.
    init(_ text: String, readsAnyTime: Bool = false) {
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
        if let (rest, arrival) = Self.arrival(atEndOf: words, readsAnyTime) {
            (words, time) = (rest, arrival)
            lower = words.map { $0.lowercased() }
        }
        for _ in 0..<Self.mostPhrases {
            let isRoute =
                lower.contains(where: RouteWords.markerWords.contains) || Self.openings.contains(lower.first ?? "")
            if let phrase = Self.phrases.first(where: {
                // “Nordic Walking” and “Indoor Cycling” are names.
                $0.words.count < lower.count && ($0.words.count > 1 || isRoute) && lower.ends(with: $0.words)
                    // “Not by car”
                    && !Self.negations.contains(lower[lower.count - $0.words.count - 1])
            }) {
                if modes.isEmpty { modes = phrase.modes }
                words.removeLast(phrase.words.count)
            } else if time == nil,
                let (count, found) = Self.time(
                    atEndOf: words, besideModes: !modes.isEmpty, readsAnyTime)
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
                if modes.isEmpty, let phrase = Self.phrase(atStartOf: rest) {
                    modes = phrase.modes
                    removed = start..<(start + phrase.words.count)
                } else if time == nil, let (count, found) = Self.time(atStartOf: rest, readsAnyTime) {
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
        atEndOf words: ArraySlice<Substring>, _ readsAnyTime: Bool
    ) -> (words: ArraySlice<Substring>, time: JourneyTime)? {
        guard let last = words.last, arrivalEnds.contains(last.lowercased()) else { return nil }
        var rest = words.dropLast()
        if let word = rest.last, ["da", "dort"].contains(word.lowercased()) { rest.removeLast() }
        guard let (count, time) = time(atEndOf: rest, besideModes: false, readsAnyTime) else { return nil }
        rest.removeLast(count)
        dropComma(&rest)
        return (rest, time.ofArrival)
    }

    private static func dropComma(_ words: inout ArraySlice<Substring>) {
        if let last = words.last, last.last == ",", last.count > 1 { words[words.endIndex - 1] = last.dropLast() }
    }

    private static let arrivals = [
        "be in", "be at", "be there in", "arrive in", "arrive at", "arrival in", "arrival at", "reach", "ankunft in",
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
        let words = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        return words.count > 1 && phrases.contains { !$0.modes.isEmpty && $0.words == words }
    }

    /// Returns whether words begin with one before a place, such as “from” and “to”, or with another phrase.
    private static func isBeforePlace(_ words: ArraySlice<String>, mayBeTime: Bool = true) -> Bool {
        guard words.count > 1, let first = words.first else { return false }
        if openings.contains(first), RouteWords.beforeEnds.contains(words.dropFirst().first ?? "") {
            return words.count > 2
        }
        return RouteWords.beforeEnds.contains(first)
            || phrases.contains { !$0.modes.isEmpty && words.starts(with: $0.words) }
            || mayBeTime && isTime(atStartOf: words)
    }

    private static func isTime(atStartOf words: ArraySlice<String>) -> Bool {
        (1...JourneyTime.mostWords).contains { $0 < words.count && JourneyTime(words: words.prefix($0)) != nil }
    }

    /// Returns the phrase for travel modes before a place.
    private static func phrase(
        atStartOf words: ArraySlice<String>
    ) -> (words: [String], modes: Set<TransportMode>)? {
        phrases.first {
            !$0.modes.isEmpty && words.starts(with: $0.words) && isBeforePlace(words.dropFirst($0.words.count))
        }
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

    private static func isStreet(_ word: String) -> Bool {
        streetEnds.contains { WordFolding.joined(word).hasSuffix($0) }
    }

    /// Returns the time at the end of the words, at least one of which is left.
    ///
    /// Without a time of day or a word such as “on”, it may be the end of a name: “Ruby Tuesday”, “Café Morgen”. Then only a
    /// word such as “tomorrow” counts, in small letters and in a request.
    private static func time(
        atEndOf typed: ArraySlice<Substring>, besideModes: Bool, _ readsAnyTime: Bool
    ) -> (count: Int, time: JourneyTime)? {
        let words = typed.map { $0.lowercased() }
        let isRequest = besideModes || words.contains(where: RouteWords.beforeEnds.contains)
        for start in words.indices.dropFirst().suffix(JourneyTime.mostWords)
        where !beforeDate.contains(words[start - 1]) && !(words[start].contains("/") && isStreet(words[start - 1]))
            && !isCoordinate(words[start], after: words[start - 1])
        {
            guard let time = JourneyTime(words: words[start...]) else { continue }
            let isSmall = typed.dropFirst(start).allSatisfy { $0.first?.isLowercase ?? false }
            // “Potsdam tomorrow”, but not “Café Morgen”
            let isBehindName = typed.first?.first?.isUppercase ?? false
            guard readsAnyTime || time.isExplicit || (isRequest || isBehindName) && time.isSmallWord && isSmall else {
                continue
            }
            return (words.count - start, time)
        }
        return nil
    }

    /// Returns the time at the beginning of the words.
    private static func time(
        atStartOf words: ArraySlice<String>, _ readsAnyTime: Bool
    ) -> (count: Int, time: JourneyTime)? {
        for count in (1...JourneyTime.mostWords).reversed() where count < words.count - (readsAnyTime ? 0 : 1) {
            let rest = words.dropFirst(count)
            guard let time = JourneyTime(words: words.prefix(count)),
                isBeforePlace(rest, mayBeTime: false) || time.isExplicit && rest.first == "in" && rest.count > 1
                    || readsAnyTime
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

    /// Phrases before or after the places with their travel modes, longer ones first.
    private static let phrases: [(words: [String], modes: Set<TransportMode>)] = {
        let phrases: [(Set<TransportMode>, String)] = [
            (
                [.car],
                "by car+with the car+driving+mit dem auto+mit dem wagen+per auto+en voiture+en coche+in auto+in macchina+de carro+met de auto+med bil"
                    + "+на машине+samochodem+autem"
            ),
            (
                [.train],
                "by train+by rail+with the train+by night train+by s-bahn+by shinkansen+by bullet train+mit der s-bahn+per s-bahn+mit dem ice+mit der regionalbahn+mit dem regionalzug+mit dem nachtzug+mit dem zug+per zug+mit der bahn+per bahn+en train+en tren+in treno+de trem+de comboio"
                    + "+met de trein+med tåg+med tog+на поезде+поездом+pociągiem+vlakem"
            ),
            (
                [.bus],
                "by bus+by coach+mit dem fernbus+mit dem flixbus+by flixbus+by greyhound+with the bus+mit dem bus+per bus+en bus+en autobús+in autobus+de ônibus+de autocarro+met de bus+на автобусе"
                    + "+autobusem"
            ),
            (
                TransportMode.transit,
                "by public transport+by transit+mit bus und bahn+mit bahn und bus+mit den öffis+mit öffis+mit dem öpnv+mit öffentlichen verkehrsmitteln+mit den öffentlichen+en transports en commun"
                    + "+en transporte público+coi mezzi+met het ov"
            ),
            (
                [.bike],
                "by bike+by bicycle+by e-bike+mit dem e-bike+on a bike+cycling+mit dem rad+per rad+per fahrrad+mit dem fahrrad+à vélo+en vélo+en bici+en bicicleta+in bici"
                    + "+in bicicletta+de bicicleta+op de fiets+met de fiets+på cykel+на велосипеде+rowerem+na kole"
            ),
            (
                [.pedestrian],
                "on foot+by foot+walking+zu fuß+zu fuss+laufen+à pied+a pie+a piedi+a pé+te voet+lopend+till fots+til fods+til fots+пешком"
                    + "+pieszo+pěšky"
            ),
            (
                [.subway],
                "by subway+by underground+by metro+by tube+mit der u-bahn+per u-bahn+en métro+en metro+in metro+de metrô+met de metro"
            ),
            (
                [.streetcar],
                "by tram+by streetcar+mit der straßenbahn+per straßenbahn+mit der tram+en tramway+en tranvía+in tram+met de tram"
            ),
            (
                [.plane],
                "by plane+by air+mit dem flieger+per flieger+mit dem flugzeug+per flugzeug+en avion+en avión+in aereo+de avião+met het vliegtuig"
            ),
            ([.ferry], "by ferry+by boat+mit der fähre+per fähre+en ferry+in traghetto+met de veerboot"),
            ([.taxi], "by taxi+by cab+with a taxi+mit dem taxi+mit einem taxi+per taxi+en taxi+in taxi+de táxi"),
            ([], "please+bitte+s'il vous plaît+por favor+per favore+fahren+gehen+reisen+kommen+nasıl gidilir"),
        ]
        return phrases.flatMap { modes, list in
            list.split(separator: "+").map { ($0.split(separator: " ").map { String($0) }, modes) }
        }.sorted { $0.words.count > $1.words.count }
    }()
}

extension [String] {
    fileprivate func ends(with other: [String]) -> Bool { suffix(other.count).elementsEqual(other) }
}
