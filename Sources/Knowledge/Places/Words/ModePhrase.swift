internal import HunchModel

/// A phrase for travel modes in a request, such as “by bike”, “mit Bus und Bahn” or “mit dem RE1”, or only “Rad”.
struct ModePhrase {
    /// The travel modes; empty for other words beside the places, such as “please”.
    let modes: Set<TransportMode>
    /// The line, such as “RE1”, for which no app can be asked.
    let line: String?
    /// The certainty that it is no part of a name.
    let certainty: Certainty

    /// The kinds of phrases, the surest last.
    enum Certainty: Comparable {
        /// A noun or a verb that many names contain: “Rad”, “walk”.
        case noun
        /// Another single word: “laufen”, “please”.
        case word
        /// A phrase such as “by bike”.
        case phrase
    }

    /// The maximum number of words.
    static let mostWords = 6

    /// Reads words in lower case. Returns `nil` if they are not one phrase.
    init?(_ words: ArraySlice<String>) {
        guard !words.isEmpty, words.count <= Self.mostWords else { return nil }
        if let modes = Self.fixed[words.joined(separator: " ")] {
            (self.modes, line, certainty) = (modes, nil, words.count == 1 ? .word : .phrase)
            return
        }
        let preposition = Self.prepositions.first { $0.count < words.count && words.starts(with: $0) } ?? []
        var modes: Set<TransportMode> = []
        var line: String?
        // “mit dem Bus und der Bahn”
        for part in words.dropFirst(preposition.count).split(whereSeparator: Self.conjunctions.contains) {
            let nouns = part.drop(while: Self.articles.contains)
            guard let noun = Self.noun(nouns) else { return nil }
            modes.formUnion(noun.modes)
            line = line ?? noun.line
        }
        guard !modes.isEmpty, !Self.conjunctions.contains(words.last ?? "") else { return nil }
        (self.modes, self.line, certainty) = (modes, line, preposition.isEmpty ? .noun : .phrase)
    }

    /// Returns the modes of “rad”, “night train”, “bus 100”, “re1” and “s 5”; `nil` for other words.
    private static func noun(_ words: ArraySlice<String>) -> (modes: Set<TransportMode>, line: String?)? {
        if let modes = nouns[words.joined(separator: " ")] { return (modes, nil) }
        guard words.count <= 2, let first = words.first else { return nil }
        let line = words.joined(separator: " ").uppercased()
        if words.count == 2 {
            guard let number = words.last, isLine(number) else { return nil }
            return (nouns[first] ?? lines[first]).map { ($0, line) }
        }
        let letters = String(first.prefix(while: \.isLetter))
        let number = first.dropFirst(letters.count)
        guard !number.isEmpty, number.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return lines[letters].map { ($0, line) }
    }

    /// Returns whether a word is the number of a line: “100”, “M29”.
    private static func isLine(_ word: String) -> Bool {
        let digits = word.drop(while: \.isLetter)
        return word.utf8.count <= 5 && word.utf8.count - digits.utf8.count <= 2 && !digits.isEmpty
            && digits.utf8.allSatisfy(\.isASCIIDigit)
    }

    private static let conjunctions: Set<String> = ["and", "or", "und", "oder", "&", "+"]
    private static let articles: Set<String> = ["the", "a", "der", "dem", "den", "einem", "einer"]
    private static let prepositions = [
        "mit dem", "mit der", "mit den", "mit einem", "mit einer", "mit meinem", "mit meiner", "mit", "per", "by",
        "with the",
        "with a", "with my", "on a", "on my", "in my", "taking the", "taking a", "using the",
    ].map { $0.split(separator: " ").map { String($0) } }

    /// The letters before the number of a line.
    private static let lines: [String: Set<TransportMode>] = [
        "s": [.train], "re": [.train], "rb": [.train], "rs": [.train], "ic": [.train], "ec": [.train], "ice": [.train],
        "ir": [.train], "ire": [.train], "tgv": [.train], "rer": [.train], "u": [.subway],
        "linie": TransportMode.transit,
        "line": TransportMode.transit,
    ]

    private static let nouns: [String: Set<TransportMode>] = {
        let lists: [(Set<TransportMode>, String)] = [
            ([.car], "car,auto,wagen,pkw,mietwagen,leihwagen,rental car,motorrad,motorcycle,motorbike,drive"),
            (
                [.train],
                "train,trains,rail,railway,zug,züge,bahn,eisenbahn,s-bahn,s bahn,regionalbahn,regionalexpress,regionalzug,nachtzug,"
                    + "night train,sleeper train,amtrak,bullet train,regional train,shinkansen,ice,ic,ec,re,rb,tgv,eurostar"
            ),
            ([.bus], "bus,buses,coach,fernbus,flixbus,greyhound,nachtbus,night bus,megabus"),
            (
                TransportMode.transit,
                "public transport,public transportation,public transit,transit,öffis,öpnv,öffentlichen,öffentlichen verkehrsmitteln"
            ),
            ([.bike], "bike,bicycle,e-bike,ebike,pedelec,rad,fahrrad,lastenrad,cargo bike,cycle,radeln"),
            ([.subway], "subway,underground,metro,tube,u-bahn,u bahn"),
            ([.streetcar], "tram,streetcar,straßenbahn,strassenbahn,trambahn"),
            ([.plane], "plane,airplane,aeroplane,flugzeug,flieger,flight,flug,fly,fliegen"),
            ([.ferry], "ferry,boat,fähre,schiff,boot"), ([.pedestrian], "walk"), ([.taxi], "taxi,cab"),
            ([.rideShare], "uber,lyft"),
        ]
        return table(lists)
    }()

    private static func table(_ lists: [(Set<TransportMode>, String)]) -> [String: Set<TransportMode>] {
        lists.reduce(into: [:]) { table, list in
            for phrase in list.1.split(separator: ",") { table[String(phrase)] = list.0 }
        }
    }

    /// Phrases that are not a preposition and a noun of the lists above.
    private static let fixed: [String: Set<TransportMode>] = {
        let lists: [(Set<TransportMode>, String)] = [
            (
                [.car],
                "driving,en voiture,en coche,in auto,in macchina,de carro,met de auto,med bil,на машине,samochodem,autem"
            ),
            (
                [.train],
                "en train,en tren,in treno,de trem,de comboio,met de trein,med tåg,med tog,на поезде,поездом,pociągiem,vlakem"
            ),
            ([.bus], "en bus,en autobús,in autobus,de ônibus,de autocarro,met de bus,на автобусе,autobusem"),
            (
                TransportMode.transit,
                "mit bus und bahn,mit bahn und bus,en transports en commun,en transporte público,coi mezzi,met het ov"
            ),
            (
                [.bike],
                "cycling,biking,ride my bike,ride a bike,riding my bike,à vélo,en vélo,en bici,en bicicleta,in bici,in bicicletta,de bicicleta,op de fiets,"
                    + "met de fiets,på cykel,на велосипеде,rowerem,na kole"
            ),
            (
                [.pedestrian],
                "on foot,by foot,walking,zu fuß,zu fuss,laufen,à pied,a pie,a piedi,a pé,te voet,lopend,till fots,til fods,"
                    + "til fots,пешком,pieszo,pěšky"
            ),
            ([.subway], "en métro,en metro,in metro,de metrô,met de metro"),
            ([.streetcar], "en tramway,en tranvía,in tram,met de tram"),
            ([.plane], "flying,en avion,en avión,in aereo,de avião,met het vliegtuig,by air"),
            ([.ferry], "en ferry,in traghetto,met de veerboot"), ([.taxi], "en taxi,in taxi,de táxi"),
            ([], "please,bitte,s'il vous plaît,por favor,per favore,fahren,gehen,reisen,kommen,nasıl gidilir"),
        ]
        return table(lists)
    }()
}
