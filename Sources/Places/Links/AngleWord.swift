internal import HunchModel

/// A word that tells which angle of a position a number is, and the direction where it is a hemisphere.
struct AngleWord: Hashable, Sendable {
    let axis: Angle.Axis
    /// Whether it stands for the south or the west. `nil` for words such as "lat", beside which the number has a sign.
    let isNegative: Bool?
    let isAmbiguous: Bool

    private init(_ axis: Angle.Axis, isNegative: Bool? = nil, isAmbiguous: Bool = false) {
        self.axis = axis
        self.isNegative = isNegative
        self.isAmbiguous = isAmbiguous
    }

    private static let north = AngleWord(.latitude, isNegative: false)
    private static let south = AngleWord(.latitude, isNegative: true)
    private static let east = AngleWord(.longitude, isNegative: false)
    private static let west = AngleWord(.longitude, isNegative: true)

    private static let words: [String: AngleWord] = [
        "n": north, "north": north, "nord": north, "norte": north,
        "s": south, "south": south, "sud": south, "sur": south,
        "e": east, "east": east, "est": east, "este": east, "ost": east,
        "w": west, "west": west, "ouest": west, "ovest": west, "oeste": west,
        // East in German (Ost), west in French, Italian and Spanish (ouest, ovest, oeste).
        "o": AngleWord(.longitude, isNegative: false, isAmbiguous: true),
        "lat": AngleWord(.latitude), "latitude": AngleWord(.latitude),
        "lon": AngleWord(.longitude), "lng": AngleWord(.longitude), "long": AngleWord(.longitude),
        "longitude": AngleWord(.longitude),
    ]
    /// Chinese, Japanese and Korean: two characters each, and no space before the number.
    private static let ideographs: [String: AngleWord] = [
        "北纬": north, "北緯": north, "북위": north, "南纬": south, "南緯": south, "남위": south,
        "东经": east, "東經": east, "東経": east, "동경": east, "西经": west, "西經": west, "西経": west, "서경": west,
    ]
    private static let ideographLength = 2
    /// Russian, Ukrainian, Bulgarian and German: the first letters of "northern latitude" and so on, behind the number.
    private static let abbreviations: [(first: String, second: String, word: AngleWord)] = [
        ("n", "Br", north), ("s", "Br", south), ("ö", "L", east), ("w", "L", west), ("o", "L", east),
        ("с", "ш", north), ("пн", "ш", north), ("ю", "ш", south), ("пд", "ш", south),
        ("в", "д", east), ("сх", "д", east), ("и", "д", east), ("з", "д", west), ("зх", "д", west),
    ]

    /// Returns the word at the beginning of a text, with the number of its scalars.
    static func word(at text: ArraySlice<Unicode.Scalar>) -> (word: AngleWord, length: Int)? {
        guard let first = text.first else { return nil }
        for abbreviation in abbreviations where first == abbreviation.first.unicodeScalars.first {
            if let length = length(of: abbreviation.first, abbreviation.second, at: text) {
                return (abbreviation.word, length)
            }
        }
        if first.isASCII {
            let letters = text.prefix(while: \.isASCIILetter)
            if letters.count == 1, let word = axis(first), isAssignment(text.dropFirst()) { return (word, 1) }
            return words[Self.text(letters).lowercased()].map { ($0, letters.count) }
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

    /// Whether `=` or `:` follows: "5 x 3" is a size.
    private static func isAssignment(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        let next = text.drop { $0 == " " }.first
        return next == "=" || next == ":"
    }

    /// Returns the length of an abbreviation of two words, of which each may have a point: `с. ш.`, `с.ш`.
    private static func length(of first: String, _ second: String, at text: ArraySlice<Unicode.Scalar>) -> Int? {
        let letters = Array(first.unicodeScalars)
        guard text.prefix(letters.count).elementsEqual(letters) else { return nil }
        var rest = text.dropFirst(letters.count)
        if rest.first == "." { rest = rest.dropFirst() }
        rest = rest.drop { $0 == " " }
        guard rest.starts(with: second.unicodeScalars) else { return nil }
        rest = rest.dropFirst(second.unicodeScalars.count)
        if rest.first == "." { rest = rest.dropFirst() }
        return rest.first?.properties.isAlphabetic == true ? nil : text.count - rest.count
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}

extension Unicode.Scalar {
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
    var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}
