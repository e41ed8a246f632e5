internal import HunchModel

/// Unifies words that are abbreviated in addresses.
///
/// If an abbreviation has several meanings, as "St." for Street, Saint and Sankt, all of these words become equal. It
/// does no harm that "Saint Louis" then equals "Street Louis".
package enum WordForms {
    /// The folded words: the kept form, and the forms that become it.
    private static let forms: [(kept: String, others: String)] = [
        ("st", "street saint sankt sint sainte ste santa sta santo sto"), ("str", "strasse straat strada stra"),
        ("av", "ave avenue avenida avda aven"), ("bd", "blvd boulevard bulevar bvd boul bulvar"), ("rd", "road"),
        ("dr", "drive doctor doktor"), ("ln", "lane laan"), ("ct", "court"), ("cir", "circle"),
        ("pl", "place platz plaza plac pza plz plein"),
        ("sq", "square sqr"), ("hwy", "highway"), ("pkwy", "parkway"), ("ter", "terrace terr"), ("trl", "trail"),
        ("n", "north nord norte norden"), ("s", "south sud sur"), ("e", "east"), ("w", "west"), ("mt", "mount monte"),
        ("ft", "fort"),
        ("r", "ru rua"), ("c", "calle"), ("rte", "route"), ("ch", "chemin"), ("imp", "impasse"), ("all", "allee"),
        ("fbg", "faubourg fg"),
        ("ul", "ulica ulitsa"), ("ул", "улица"), ("пр", "проспект просп"), ("пл", "площадь"), ("г", "город"),
        ("mtn", "mountain"), ("intl", "international"), ("univ", "university universitat"), ("apt", "apartment"),
        ("v", "via"), ("ps", "paseo passeig pso pg po"), ("nam", "namesti"), ("tr", "trida"), ("krt", "korut"),
        ("u", "utca"), ("os", "osiedle"), ("hbf", "hauptbahnhof"), ("bf", "bahnhof bhf"),
        ("pza", "piazza"), ("pte", "ponte"), ("crs", "corso"), ("cra", "carrera"), ("crk", "creek"),
        ("pt", "point port"),
        ("cad", "caddesi cd"), ("sok", "sokak sokagi sk"), ("mah", "mahallesi"), ("gen", "general"),
        ("prof", "professor"),
        ("1st", "first"), ("2nd", "second"), ("3rd", "third"), ("4th", "fourth"), ("5th", "fifth"), ("6th", "sixth"),
        ("7th", "seventh"), ("8th", "eighth"), ("9th", "ninth"), ("10th", "tenth"), ("11th", "eleventh"),
        ("12th", "twelfth"),
    ]
    private static let kept: [String: [UInt8]] = {
        var kept: [String: [UInt8]] = [:]
        for form in forms {
            for other in form.others.split(separator: " ") { kept[folded(other)] = Array(form.kept.utf8) }
        }
        return kept
    }()
    private static let all = Set(forms.map(\.kept))

    /// Returns whether a folded word is the form that several others become.
    package static func isKept(_ word: String) -> Bool { all.contains(word) }

    /// Returns a word without the "e" of a transcribed umlaut, as folding leaves it.
    private static func folded(_ word: Substring) -> String {
        var folded = ""
        for letter in word where letter != "e" || !(folded.last.map("aou".contains) ?? false) { folded.append(letter) }
        return folded
    }

    /// The ends of compounds: Hauptstraße, Marienplatz.
    private static let endings: [(long: [UInt8], short: [UInt8])] = [
        ("strasse", "str"), ("straat", "str"), ("platz", "pl"), ("plein", "pl"),
    ].map { (Array($0.0.utf8), Array($0.1.utf8)) }
    private static let longestForm = 16

    /// Replaces a folded word with its kept form.
    static func shorten(_ word: inout [UInt8]) {
        guard word.count > 1 else { return }
        if word.count <= longestForm * 2, let short = kept[String(decoding: word, as: UTF8.self)] {
            word = short
            return
        }
        for ending in endings
        where word.count > ending.long.count && word.suffix(ending.long.count).elementsEqual(ending.long) {
            word.removeLast(ending.long.count)
            word += ending.short
            return
        }
    }
}
