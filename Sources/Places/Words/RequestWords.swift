internal import HunchModel

/// A request for directions, split into its places and the other words: “How do I get from A to B by train?” asks for
/// “from A to B”.
struct RequestWords {
    /// The words before the first place; empty for most texts.
    let opening: ArraySlice<Substring>
    /// The words from the first place on.
    let places: ArraySlice<Substring>
    /// The travel modes in the text; empty for none.
    let modes: Set<TransportMode>

    /// Reads a text in one of the languages of the lists below.
    init(_ text: String) {
        var words = text.split(whereSeparator: \.isWhitespace)[...]
        if let last = words.last, let end = last.lastIndex(where: { !"?!.…؟？。".contains($0) }), end != last.startIndex {
            words[words.index(before: words.endIndex)] = last[...end]
        }
        var lower = words.map { $0.lowercased() }
        var modes: Set<TransportMode> = []
        if let time = lower.indices.dropFirst(2).first(where: { Self.isTime(lower[$0...]) }) {
            words = words[..<time]
            lower.removeSubrange(time...)
        }
        if let phrase = Self.endings.first(where: { $0.words.count < lower.count && lower.ends(with: $0.words) }) {
            words.removeLast(phrase.words.count)
            lower.removeLast(phrase.words.count)
            modes = phrase.modes
        }
        let count = lower.firstIndex { !Self.openings.contains($0) } ?? 0
        opening = words[..<count]
        places = words[count...]
        self.modes = modes.isEmpty ? lower[..<count].reduce(into: []) { $0.formUnion(TravelWords.modes($1)) } : modes
    }

    /// Words before the places of a request. Before a word for “from” or “to”, none of them is the beginning of a name.
    private static let openings = Set(
        ("""
        please show plan find the best fastest shortest quickest how do i we can you get go travel take me us way direction \
        directions navigate navigation route routes drive driving walk walking cycle cycling train trains bus buses flight \
        flights fly ferry taxi distance is it far long does
        wie komme kommt man ich wir weg route wegbeschreibung verbindung verbindungen strecke entfernung fahrt zug züge bahn \
        flug flüge bitte zeige mir den fahre fahren
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

    /// Words after the places with their travel modes, longer ones first.
    private static let endings: [(words: [String], modes: Set<TransportMode>)] = {
        let phrases: [(Set<TransportMode>, String)] = [
            (
                [.car],
                "by car+driving+mit dem auto+per auto+en voiture+en coche+in auto+in macchina+de carro+met de auto+med bil"
                    + "+на машине+samochodem+autem"
            ),
            (
                [.train],
                "by train+by rail+mit dem zug+mit der bahn+per bahn+en train+en tren+in treno+de trem+de comboio"
                    + "+met de trein+med tåg+med tog+на поезде+поездом+pociągiem+vlakem"
            ),
            (
                [.bus],
                "by bus+by coach+mit dem bus+en bus+en autobús+in autobus+de ônibus+de autocarro+met de bus+на автобусе"
                    + "+autobusem"
            ),
            (
                TransportMode.transit,
                "by public transport+by transit+mit öffentlichen verkehrsmitteln+mit den öffentlichen+en transports en commun"
                    + "+en transporte público+coi mezzi+met het ov"
            ),
            (
                [.bike],
                "by bike+by bicycle+cycling+mit dem rad+mit dem fahrrad+à vélo+en vélo+en bici+en bicicleta+in bici"
                    + "+in bicicletta+de bicicleta+op de fiets+met de fiets+på cykel+на велосипеде+rowerem+na kole"
            ),
            (
                [.pedestrian],
                "on foot+by foot+walking+zu fuß+à pied+a pie+a piedi+a pé+te voet+lopend+till fots+til fods+til fots+пешком"
                    + "+pieszo+pěšky"
            ),
            ([.plane], "by plane+by air+mit dem flugzeug+en avion+en avión+in aereo+de avião+met het vliegtuig"),
            ([.ferry], "by ferry+by boat+mit der fähre+en ferry+in traghetto+met de veerboot"),
            ([.taxi], "by taxi+by cab+mit dem taxi+en taxi+in taxi+de táxi"),
            ([], "please+bitte+s'il vous plaît+por favor+per favore+fahren+gehen+reisen+kommen+nasıl gidilir"),
        ]
        return phrases.flatMap { modes, list in
            list.split(separator: "+").map { ($0.split(separator: " ").map { String($0) }, modes) }
        }.sorted { $0.words.count > $1.words.count }
    }()

    /// Returns whether words after the places are a time, which is ignored: “tomorrow at 9”, “at 18:00”, “um 18 Uhr”.
    private static func isTime(_ words: ArraySlice<String>) -> Bool {
        guard let first = words.first else { return false }
        if times.contains(first) { return true }
        let rest = words.dropFirst()
        guard beforeClock.contains(first), let hour = rest.first, hour.prefix(while: \.isNumber).count <= 2,
            hour.first?.isNumber ?? false, hour.allSatisfy({ $0.isNumber || ":.hamp".contains($0) })
        else { return false }
        return rest.dropFirst().allSatisfy { ["uhr", "am", "pm", "h", "o'clock"].contains($0) || times.contains($0) }
    }

    /// Words before a time of day.
    private static let beforeClock: Set<String> = [
        "at", "um", "ab", "à", "alle", "às", "om", "kl.", "kl", "o", "в",
    ]

    /// Words that begin a time after the places.
    private static let times: Set<String> = [
        "tomorrow", "today", "tonight", "heute", "demain", "aujourd'hui", "mañana", "domani", "amanhã", "vandaag",
        "idag",
        "imorgon", "dzisiaj", "jutro", "сегодня", "завтра",
    ]
}

extension [String] {
    fileprivate func ends(with other: [String]) -> Bool { suffix(other.count).elementsEqual(other) }
}
