internal import HunchModel

/// Replaces each word and its abbreviations in addresses with one short form.
///
/// If an abbreviation has several meanings, as "St." for Street, Saint and Sankt, all of these words become equal. It
/// does no harm that "Saint Louis" then equals "Street Louis".
package enum WordForms {
    /// Each row: the short form, and the words that it replaces. The words are folded.
    ///
    /// A short form of one row is not a word of another: each word is replaced once. A change of this table changes the
    /// words in a gazetteer, and so needs a new version of its format.
    static let rows: [(short: String, words: String)] = [
        ("st", "street saint sankt sint sainte ste santa sta santo sto"), ("str", "strasse straat strada stra"),
        ("av", "ave avenue avenida avda aven"), ("bd", "blvd boulevard bulevar bvd boul bulvar"), ("rd", "road"),
        ("dr", "drive doctor doktor"), ("ln", "lane laan"), ("ct", "court"), ("cir", "circle"),
        ("pl", "place platz plaza plac plz plein piazza pza"),
        ("sq", "square sqr"), ("hwy", "highway"), ("pkwy", "parkway"), ("ter", "terrace terr"), ("trl", "trail"),
        ("n", "north nord norte norden"), ("s", "south sud sur"), ("e", "east"), ("w", "west"), ("mt", "mount monte"),
        ("ft", "fort"),
        ("r", "ru rua"), ("c", "calle"), ("rte", "route"), ("ch", "chemin"), ("imp", "impasse"), ("all", "allee"),
        ("fbg", "faubourg fg"),
        ("ul", "ulica ulitsa"), ("ул", "улица"), ("пр", "проспект просп"), ("пл", "площадь"), ("г", "город"),
        ("mtn", "mountain"), ("intl", "international"), ("univ", "university universitat"), ("apt", "apartment"),
        ("v", "via"), ("ps", "paseo passeig pso pg po"), ("nam", "namesti"), ("tr", "trida"), ("krt", "korut"),
        ("u", "utca"), ("os", "osiedle"), ("hbf", "hauptbahnhof"), ("bf", "bahnhof bhf"),
        ("pte", "ponte"), ("crs", "corso"), ("cra", "carrera"), ("crk", "creek"),
        ("pt", "point port"),
        ("cad", "caddesi cd"), ("sok", "sokak sokagi sk"), ("mah", "mahallesi"), ("gen", "general"),
        ("prof", "professor"),
        ("1st", "first"), ("2nd", "second"), ("3rd", "third"), ("4th", "fourth"), ("5th", "fifth"), ("6th", "sixth"),
        ("7th", "seventh"), ("8th", "eighth"), ("9th", "ninth"), ("10th", "tenth"), ("11th", "eleventh"),
        ("12th", "twelfth"),
    ]
    private static let replacements: [String: [UInt8]] = {
        var replacements: [String: [UInt8]] = [:]
        for row in rows {
            for word in row.words.split(separator: " ") { replacements[folded(word)] = Array(row.short.utf8) }
        }
        return replacements
    }()
    private static let shortForms = Set(rows.map(\.short))

    /// Returns whether a folded word is a short form.
    package static func isShortForm(_ word: String) -> Bool { shortForms.contains(word) }

    /// Returns a word as folding leaves it: "ae", "oe" and "ue" lose the "e".
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

    /// Replaces a folded word with its short form.
    static func shorten(_ word: inout [UInt8]) {
        guard word.count > 1 else { return }
        if word.count <= longestForm * 2, let short = replacements[String(decoding: word, as: UTF8.self)] {
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
