/// The phrases that name an angle: "northern latitude" before or after its number, abbreviations, and labels of several
/// words or in other scripts.
extension AngleWord {
    /// The words of a language for north, south, east and west, and for the angles. Either may come first.
    private typealias Hemispheres = (directions: String, latitudes: [String], longitudes: [String])
    /// The words of many languages, in lower case.
    private static let hemispheres: [Hemispheres] = [
        // English
        ("north south east west", ["latitude"], ["longitude"]),
        ("northern southern eastern western", ["latitude"], ["longitude"]),
        ("n s e w", ["lat", "latitude"], ["long", "longitude"]),
        // German and Dutch
        ("nördlicher südlicher östlicher westlicher", ["breite"], ["länge"]),
        ("nördliche südliche östliche westliche", ["breite"], ["länge"]),
        ("nördl südl östl westl", ["br"], ["l"]),
        ("noorder zuider ooster wester", ["breedte"], ["lengte"]),
        // Swedish, Norwegian, Danish and Finnish
        ("nordlig sydlig östlig västlig", ["bredd"], ["längd"]),
        ("nordlig sørlig østlig vestlig", ["bredde"], ["lengde"]),
        ("nordlig sydlig østlig vestlig", ["bredde"], ["længde"]),
        ("pohjoista eteläistä itäistä läntistä", ["leveyttä"], ["pituutta"]),
        // French, Portuguese, Spanish, Catalan, Italian and Romanian
        ("nord sud est ouest", ["latitude", "de latitude"], ["longitude", "de longitude"]),
        ("norte sul leste oeste", ["latitude", "de latitude"], ["longitude", "de longitude"]),
        ("norte sul este oeste", ["latitude", "de latitude"], ["longitude", "de longitude"]),
        ("norte sur este oeste", ["latitud", "de latitud"], ["longitud", "de longitud"]),
        ("nord sud est oest", ["latitud", "de latitud"], ["longitud", "de longitud"]),
        ("nord sud est ovest", ["latitudine", "di latitudine"], ["longitudine", "di longitudine"]),
        ("nord sud est vest", ["latitudine"], ["longitudine"]),
        ("nordică sudică estică vestică", ["latitudine"], ["longitudine"]),
        // Polish, Czech and Slovak
        (
            "północnej południowej wschodniej zachodniej", ["szerokości", "szerokości geograficznej"],
            ["długości", "długości geograficznej"]
        ),
        (
            "północna południowa wschodnia zachodnia", ["szerokość", "szerokość geograficzna"],
            ["długość", "długość geograficzna"]
        ),
        ("płn płd wsch zach", ["szer", "szer geogr"], ["dł", "dł geogr"]),
        ("n s e w", ["szer", "szer geogr"], ["dł", "dł geogr"]),
        (
            "severní jižní východní západní", ["šířky", "šířka", "zeměpisné šířky", "zeměpisná šířka"],
            ["délky", "délka", "zeměpisné délky", "zeměpisná délka"]
        ),
        ("severnej južnej východnej západnej", ["šírky", "zemepisnej šírky"], ["dĺžky", "zemepisnej dĺžky"]),
        ("severná južná východná západná", ["šírka", "zemepisná šírka"], ["dĺžka", "zemepisná dĺžka"]),
        // Hungarian, Turkish and Greek
        ("északi déli keleti nyugati", ["szélesség"], ["hosszúság"]),
        ("kuzey güney doğu batı", ["enlem", "enlemi"], ["boylam", "boylamı"]),
        ("βόρειο νότιο ανατολικό δυτικό", ["πλάτος", "γεωγραφικό πλάτος"], ["μήκος", "γεωγραφικό μήκος"]),
        ("βορείου νοτίου ανατολικού δυτικού", ["πλάτους", "γεωγραφικού πλάτους"], ["μήκους", "γεωγραφικού μήκους"]),
        // Russian, Ukrainian and Bulgarian
        ("северной южной восточной западной", ["широты"], ["долготы"]),
        ("северная южная восточная западная", ["широта"], ["долгота"]),
        ("сев юж вост зап", ["широты", "шир"], ["долготы", "долг"]),
        ("північної південної східної західної", ["широти"], ["довготи"]),
        ("північна південна східна західна", ["широта"], ["довгота"]),
        ("северна южна източна западна", ["ширина"], ["дължина"]),
        // Vietnamese and Indonesian
        ("bắc nam đông tây", ["vĩ độ"], ["kinh độ"]),
        ("utara selatan timur barat", ["lintang"], ["bujur"]),
    ]

    /// Abbreviations and labels, in lower case. A single Latin letter needs its point in most languages, since it may
    /// be an initial or a unit otherwise.
    private static let fixedPhrases: [(text: String, word: AngleWord)] = [
        // Serbian and Belarusian
        ("с г ш", north), ("ј г ш", south), ("ю г ш", south), ("и г д", east), ("з г д", west), ("у д", east),
        // Russian, Ukrainian and Bulgarian
        ("с ш", north), ("пн ш", north), ("ю ш", south), ("пд ш", south), ("в д", east), ("сх д", east), ("и д", east),
        ("з д", west), ("зх д", west), ("с широты", north), ("ю широты", south), ("в долготы", east),
        ("з долготы", west),
        // German, and Dutch, which shares "o. L." with it
        ("n br", north), ("s br", south), ("ö l", east), ("w l", west), ("o l", east), ("n. b", north), ("z. b", south),
        // Czech, Slovak and Hungarian
        ("s. š", north), ("j. š", south), ("v. d", east), ("z. d", west),
        ("é. sz", north), ("d. sz", south), ("k. h", east), ("ny. h", west),
        // Labels
        ("zeměpisná šířka", latitude), ("zeměpisná délka", longitude),
        ("zemepisná šírka", latitude), ("zemepisná dĺžka", longitude),
        ("földrajzi szélesség", latitude), ("földrajzi hosszúság", longitude),
        ("szerokość geograficzna", latitude), ("długość geograficzna", longitude),
        ("szer geogr", latitude), ("dł geogr", longitude), ("vĩ độ", latitude), ("kinh độ", longitude),
        ("широта", latitude), ("долгота", longitude), ("довгота", longitude), ("纬度", latitude), ("经度", longitude),
        ("緯度", latitude), ("経度", longitude), ("經度", longitude), ("위도", latitude), ("경도", longitude),
        ("خط العرض", latitude), ("خط الطول", longitude), ("अक्षांश", latitude), ("देशांतर", longitude),
        ("γεωγραφικό πλάτος", latitude), ("γεωγραφικό μήκος", longitude), ("πλάτος", width), ("μήκος", length),
        ("φ", latitude), ("λ", longitude),
    ]

    /// The phrases by their first character, in both cases, the longest first.
    private static let phrasesByCharacter: [Unicode.Scalar: [(text: [Unicode.Scalar], word: AngleWord)]] = {
        var phrases = fixedPhrases
        for (directions, latitudes, longitudes) in hemispheres {
            for (direction, word) in zip(directions.split(separator: " "), [north, south, east, west]) {
                for angle in word.axis == .latitude ? latitudes : longitudes {
                    phrases.append(("\(direction) \(angle)", word))
                    phrases.append(("\(angle) \(direction)", word))
                }
            }
        }
        var phrasesByCharacter: [Unicode.Scalar: [(text: [Unicode.Scalar], word: AngleWord)]] = [:]
        for (text, word) in phrases.sorted(by: { $0.text.utf8.count > $1.text.utf8.count }) {
            for first in Set([text, text.uppercased()].compactMap(\.unicodeScalars.first)) {
                phrasesByCharacter[first, default: []].append((Array(text.unicodeScalars), word))
            }
        }
        return phrasesByCharacter
    }()

    /// Returns the longest phrase at the beginning of a text, with the number of its scalars.
    static func phrase(at text: ArraySlice<Unicode.Scalar>) -> (word: AngleWord, length: Int)? {
        guard let first = text.first else { return nil }
        for (phrase, word) in phrasesByCharacter[first] ?? [] {
            if let length = length(of: phrase, at: text) { return (word, length) }
        }
        return nil
    }

    /// Returns the length of a phrase at the beginning of a text. Each word may have a point, and the spaces may be
    /// missing: `с. ш.`, `с.ш`.
    ///
    /// - Returns: `nil` if the text begins otherwise.
    private static func length(of phrase: [Unicode.Scalar], at text: ArraySlice<Unicode.Scalar>) -> Int? {
        var rest = text
        for character in phrase {
            if character == " " {
                if rest.first == "." { rest = rest.dropFirst() }
                rest = rest.drop { $0 == " " }
            } else {
                guard let next = rest.popFirst(), next.isEqual(toLowercase: character) else { return nil }
            }
        }
        if rest.first == "." { rest = rest.dropFirst() }
        return rest.first?.properties.isAlphabetic == true ? nil : text.count - rest.count
    }
}

extension Unicode.Scalar {
    /// Returns whether this is a lower-case character or its capital.
    fileprivate func isEqual(toLowercase other: Unicode.Scalar) -> Bool {
        if self == other { return true }
        if isASCII { return isASCIILetter && value | 0x20 == other.value }
        return properties.lowercaseMapping.unicodeScalars.elementsEqual(CollectionOfOne(other))
    }
}
