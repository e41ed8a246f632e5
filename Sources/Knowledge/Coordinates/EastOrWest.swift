import Glibc
package import HunchModel
import Localization

/// The meaning of the letter O: east in German (Ost), west in French, Spanish, Italian and Portuguese (ouest, oeste,
/// ovest).
///
/// The words of the text decide. If they do not, the language of the user and the degrees decide together: on some
/// degrees, one side is the open sea. If they contradict each other, or neither says anything, both sides are offered.
package enum EastOrWest {
    /// The cause of an error that offers both sides.
    struct Question: Error {}

    private typealias Area = (latitudes: ClosedRange<Double>, longitudes: ClosedRange<Double>)

    /// Central Europe, in degrees north and east. The same degrees west are in the open Atlantic.
    private static let east: [Area] = [(45.5...51.3, 5.8...17.3), (51.3...55.2, 10.7...17.3)]
    /// Spain and Portugal, in degrees north and west. The same degrees east are in the open Mediterranean.
    private static let west: [Area] = [(40.2...41.1, 3.4...7.9), (37.3...38.7, 0.4...9.6)]

    /// Words of German and Dutch for directions and angles, and frequent ones that the languages below do not have.
    private static let easternWords: Set<String> = [
        "breite", "länge", "laenge", "breitengrad", "längengrad", "grad", "minuten", "sekunden", "süd", "sued", "ost",
        "norden", "süden", "osten", "westen", "nördlich", "nördliche", "nördlicher", "südlich", "südliche", "südlicher",
        "östlich", "östliche", "östlicher", "breedte", "lengte", "graden", "noord", "zuid", "oost",
        "der", "die", "das", "den", "dem", "ist", "sind", "bei", "und", "wir", "ich", "zum", "zur", "auf", "het", "een",
        "bij", "wij",
    ]
    /// The same of French, Spanish, Italian and Portuguese.
    private static let westernWords: Set<String> = [
        "latitud", "longitud", "latitudine", "longitudine", "grados", "minutos", "segundos", "gradi", "minuti",
        "secondi", "graus", "degrés", "degres", "secondes", "norte", "sur", "sul", "sud", "este", "est", "leste",
        "ouest", "oeste", "ovest", "la", "el", "los", "está", "del", "le", "les", "aux", "il", "di", "della",
        "rue", "calle", "rua", "em", "nous", "por", "para", "pour", "avec", "con",
    ]
    /// Words that mean a direction in German and in Romance languages, and those for the angles in French and English.
    private static let frenchPair: (direction: String, angles: Set<String>) = ("nord", ["latitude", "longitude"])

    /// Returns the coordinate of a latitude and a longitude without its side.
    ///
    /// - Parameters:
    ///   - text: the text around the coordinate.
    ///   - language: the language of the user, ISO 639-1 with or without a country.
    /// - Throws: ``PlaceError`` with `badCoordinate` if a number is out of range, or if nothing decides. The latter offers
    ///   both, and ``Question`` is its cause.
    package static func coordinate(
        _ latitude: Double, _ longitude: Double, in text: String = "", language: String = languageOfMessages
    ) throws(PlaceError) -> Coordinate {
        // "O -3.7" has a sign, which the examples must not repeat.
        let size = longitude.magnitude
        _ = try PlaceText.coordinate(latitude, size)
        let language = language.prefix { $0 != "_" && $0 != "." && $0 != "@" && $0 != ":" }
        guard let isEast = isEast(in: text) ?? isEast(latitude, longitude, language) else {
            let (north, east) = (DecimalNumber.text(of: latitude.rounded(7)), DecimalNumber.text(of: size.rounded(7)))
            throw PlaceError(
                .badCoordinate, localized("O may mean east or west; give %1,%2 or %1,-%2", north, east),
                underlying: Question())
        }
        return try PlaceText.coordinate(latitude, isEast ? longitude : -size)
    }

    /// Returns whether O means east by the words of a text; `nil` if they do not decide it.
    private static func isEast(in text: String) -> Bool? {
        let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
        let isFrench = words.contains(frenchPair.direction) && !words.isDisjoint(with: frenchPair.angles)
        let isEastern = !words.isDisjoint(with: easternWords)
        let isWestern = isFrench || !words.isDisjoint(with: westernWords)
        return isEastern == isWestern ? nil : isEastern
    }

    /// Returns whether O means east by the language and the degrees; `nil` if they do not decide it or disagree.
    private static func isEast(_ latitude: Double, _ longitude: Double, _ language: Substring) -> Bool? {
        let byLanguage =
            eastern.contains(String(language)) ? true : western.contains(String(language)) ? false : nil as Bool?
        let byDegrees =
            contains(east, latitude, longitude) ? true : contains(west, latitude, longitude) ? false : nil as Bool?
        guard let byLanguage, let byDegrees else { return byLanguage ?? byDegrees }
        return byLanguage == byDegrees ? byLanguage : nil
    }

    /// The languages whose word for east begins with O.
    private static let eastern: Set<String> = ["de", "nl", "lb", "nds", "af", "fy"]
    /// The languages whose word for west begins with O.
    private static let western: Set<String> = ["fr", "es", "it", "pt", "ca", "gl", "oc", "ast", "eo"]

    /// The language of this process's messages, such as `de_DE.UTF-8`; `C` if none is set. As in gettext, `LANGUAGE`
    /// precedes the locale, unless that is `C`.
    static var languageOfMessages: String {
        // They belong to the C library, and nothing sets them after the start.
        let locale = setlocale(LC_MESSAGES, nil).map { String(cString: $0) } ?? ""
        let preferred = getenv("LANGUAGE").map { String(cString: $0) } ?? ""
        return locale == "C" || preferred.isEmpty ? locale : preferred
    }

    private static func contains(_ areas: [Area], _ latitude: Double, _ longitude: Double) -> Bool {
        areas.contains { $0.latitudes.contains(latitude) && $0.longitudes.contains(longitude) }
    }
}

extension Double {
    /// Returns the number rounded to a number of decimals.
    fileprivate func rounded(_ decimals: Int) -> Double {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
