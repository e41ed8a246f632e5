internal import HunchModel

/// A word that says which angle a number is, and the hemisphere if it names one.
struct AngleWord: Hashable, Sendable {
    let axis: Angle.Axis
    /// Whether it means the south or the west. `nil` for words such as "lat", whose number has a sign.
    let isNegative: Bool?
    let isAmbiguous: Bool
    /// Whether it may also mean a size, like German “Breite”, which is width or latitude.
    let mayBeSize: Bool

    private init(
        _ axis: Angle.Axis, isNegative: Bool? = nil, isAmbiguous: Bool = false, mayBeSize: Bool = false
    ) {
        self.axis = axis
        self.isNegative = isNegative
        self.isAmbiguous = isAmbiguous
        self.mayBeSize = mayBeSize
    }

    static let north = AngleWord(.latitude, isNegative: false)
    static let south = AngleWord(.latitude, isNegative: true)
    static let east = AngleWord(.longitude, isNegative: false)
    static let west = AngleWord(.longitude, isNegative: true)

    static let latitude = AngleWord(.latitude)
    static let longitude = AngleWord(.longitude)
    static let width = AngleWord(.latitude, mayBeSize: true)
    static let length = AngleWord(.longitude, mayBeSize: true)

    /// Words in Latin letters, in lower case.
    private static let words: [String: AngleWord] = [
        "n": north, "north": north, "nord": north, "norte": north, "noord": north, "kuzey": north,
        "s": south, "south": south, "sud": south, "sur": south, "süd": south, "sul": south, "syd": south, "sør": south,
        "zuid": south, "güney": south,
        "e": east, "east": east, "est": east, "este": east, "ost": east, "oost": east, "leste": east, "øst": east,
        "ø": east, "öst": east, "ö": east, "doğu": east,
        "w": west, "west": west, "ouest": west, "ovest": west, "oeste": west, "vest": west, "väst": west, "batı": west,
        // East in German (Ost), west in French, Italian and Spanish (ouest, ovest, oeste).
        "o": AngleWord(.longitude, isNegative: false, isAmbiguous: true),
        // Dutch: noorderbreedte, zuiderbreedte, oosterlengte and westerlengte.
        "nb": north, "zb": south, "ol": east, "wl": west,
        "lat": latitude, "latitude": latitude, "latitud": latitude, "latitudine": latitude, "breitengrad": latitude,
        "breedtegraad": latitude, "breddegrad": latitude, "breddgrad": latitude, "enlem": latitude,
        "leveysaste": latitude, "leveyspiiri": latitude, "lintang": latitude,
        "lon": longitude, "lng": longitude, "long": longitude, "longitude": longitude, "longitud": longitude,
        "longitudine": longitude, "längengrad": longitude, "lengtegraad": longitude, "lengdegrad": longitude,
        "længdegrad": longitude, "längdgrad": longitude, "boylam": longitude,
        "pituusaste": longitude, "pituuspiiri": longitude, "bujur": longitude,
        "breite": width, "breedte": width, "bredde": width, "bredd": width, "szerokość": width, "šířka": width,
        "leveys": width, "szélesség": width,
        "länge": length, "lengte": length, "lengde": length, "længde": length, "längd": length, "długość": length,
        "délka": length, "pituus": length, "hosszúság": length,
    ]
    private static let longestWord = 16
    /// Chinese, Japanese and Korean words: two characters each, without a space before the number.
    private static let ideographs: [String: AngleWord] = [
        "北纬": north, "北緯": north, "북위": north, "南纬": south, "南緯": south, "남위": south,
        "东经": east, "東經": east, "東経": east, "동경": east, "西经": west, "西經": west, "西経": west, "서경": west,
    ]
    private static let ideographLength = 2
    /// The Russian and Greek letters of the hemispheres. Turkish and Hungarian ones contradict each other: K is north or
    /// east.
    private static let otherLetters: [Unicode.Scalar: AngleWord] = [
        "с": north, "ю": south, "в": east, "з": west, "С": north, "Ю": south, "В": east, "З": west,
        "β": north, "ν": south, "α": east, "δ": west, "Β": north, "Ν": south, "Α": east, "Δ": west,
    ]

    /// Returns the word or phrase at the beginning of a text, with the number of its scalars.
    static func word(at text: ArraySlice<Unicode.Scalar>) -> (word: AngleWord, length: Int)? {
        guard let first = text.first else { return nil }
        if let phrase = phrase(at: text) { return phrase }
        if first.isLatin {
            let letters = text.prefix(longestWord + 1).prefix(while: \.isLatin)
            if letters.count == 1, let word = axis(first), isAssignment(text.dropFirst()) { return (word, 1) }
            return words[Self.text(letters).lowercased()].map { ($0, letters.count) }
        }
        guard !first.isASCII else { return nil }
        if let word = otherLetters[first], text.dropFirst().first?.properties.isAlphabetic != true {
            return (word, 1)
        }
        let ideographs = text.prefix(ideographLength)
        return Self.ideographs[Self.text(ideographs)].map { ($0, ideographLength) }
    }

    /// Returns the axis of `x` and `y`, which are longitude and latitude in programs for maps.
    private static func axis(_ letter: Unicode.Scalar) -> AngleWord? {
        switch letter {
        case "x", "X": AngleWord(.longitude)
        case "y", "Y": AngleWord(.latitude)
        default: nil
        }
    }

    /// Returns whether the text begins with `=` or `:`, as after a field. Without it, "5 x 3" is a size.
    private static func isAssignment(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        let next = text.drop { $0 == " " }.first
        return next == "=" || next == ":"
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}

extension Unicode.Scalar {
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
    var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    /// Whether this is a Latin letter or the accent of one.
    var isLatin: Bool {
        isASCIILetter || ("\u{300}"..."\u{36F}").contains(self)
            || ("\u{C0}"..."\u{24F}").contains(self) && properties.isAlphabetic
    }
}
