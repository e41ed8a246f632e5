internal import JourneyWords

/// The names of time zones that Windows shows: an offset and cities in the user's language, such as
/// `(UTC+01:00) Brüssel, Kopenhagen, Madrid, Paris`.
enum ShownZoneName {
    /// Words in the English names of zones with summer time, and of those that are not whole hours from UTC.
    private static let englishNames = [
        ("eastern time", "America/New_York"), ("central time (us", "America/Chicago"),
        ("mountain time (us", "America/Denver"), ("pacific time (us", "America/Los_Angeles"),
        ("atlantic time", "America/Halifax"), ("newfoundland", "America/St_Johns"), ("alaska", "America/Anchorage"),
        ("amsterdam, berlin", "Europe/Berlin"), ("brussels, copenhagen", "Europe/Paris"),
        ("belgrade, bratislava", "Europe/Budapest"), ("sarajevo, skopje", "Europe/Warsaw"),
        ("dublin, edinburgh", "Europe/London"), ("athens, bucharest", "Europe/Bucharest"),
        ("helsinki, ky", "Europe/Kiev"), ("jerusalem", "Asia/Jerusalem"), ("chisinau", "Europe/Chisinau"),
        ("canberra, melbourne", "Australia/Sydney"), ("hobart", "Australia/Hobart"), ("adelaide", "Australia/Adelaide"),
        ("auckland, wellington", "Pacific/Auckland"), ("santiago", "America/Santiago"),
        ("indiana", "America/Indiana/Indianapolis"), ("havana", "America/Havana"),
        ("baja california", "America/Tijuana"), ("haiti", "America/Port-au-Prince"),
        ("turks and caicos", "America/Grand_Turk"), ("asuncion", "America/Asuncion"),
        ("saint pierre", "America/Miquelon"), ("greenland", "America/Nuuk"), ("azores", "Atlantic/Azores"),
        ("aleutian", "America/Adak"), ("easter island", "Pacific/Easter"), ("marquesas", "Pacific/Marquesas"),
        ("casablanca", "Africa/Casablanca"), ("cairo", "Africa/Cairo"), ("beirut", "Asia/Beirut"),
        ("gaza", "Asia/Gaza"), ("eucla", "Australia/Eucla"), ("lord howe", "Australia/Lord_Howe"),
        ("norfolk", "Pacific/Norfolk"), ("chatham", "Pacific/Chatham"), ("kolkata", "Asia/Kolkata"),
        ("kathmandu", "Asia/Kathmandu"), ("tehran", "Asia/Tehran"),
        ("kabul", "Asia/Kabul"), ("yangon", "Asia/Yangon"), ("darwin", "Australia/Darwin"),
    ]

    /// The zones that Windows calls by a part of North America and the countries, in any language, by their offsets.
    private static let americanZones = [
        -480: "America/Los_Angeles", -420: "America/Denver", -360: "America/Chicago", -300: "America/New_York",
        -240: "America/Halifax", -210: "America/St_Johns",
    ]
    /// The offsets in minutes of the zones with summer time.
    private static let summerOffsets: Set = [
        -600, -540, -480, -420, -360, -300, -240, -210, -180, -120, -60, 0, 60, 120, 570, 600, 630, 660, 720, 765,
    ]
    /// Places in other languages than English, and those that the database does not name, without accents and blanks.
    private static let otherNames = """
        Africa/Cairo=kairo lecaire elcairo ilcairo
        Africa/Khartoum=khartum jartum
        Africa/Lagos=westcentralafrica westlzentralafrika africacentraloccidental
        Africa/Tripoli=tripolis
        Africa/Windhoek=windhuk
        America/Argentina/Buenos_Aires=cityofbuenosaires stadtbuenosaires villedebuenosaires ciudaddebuenosaires
        America/Bahia=salvador
        America/Cancun=chetumal
        America/Guatemala=centralamerica mittelamerika zentralamerika ameriquecentrale americacentral
        America/Havana=havanna lahavane lahabana lavana
        America/Nuuk=gronland groenland groenlandia
        America/Sao_Paulo=brasilia
        America/St_Johns=neufundland terreneuve terranova
        Asia/Beirut=beyrouth bejrut beiroet beirute
        Asia/Jerusalem=jerusalen gerusalemme jeruzalem jerozolima
        Asia/Kamchatka=petropavlovskkamchatsky
        Asia/Srednekolymsk=chokurdakh tschokurdach
        Atlantic/Azores=azoren acores azzorre azory
        Atlantic/Cape_Verde=caboverdeis caboverde capeverdeis kapverdischeinseln ilesducapvert
        Europe/Athens=athen athenes atenas atene athene ateny
        Europe/Bucharest=bukarest bucarest boekarest bukareszt bucareste
        Europe/Budapest=budapeszt
        Europe/Helsinki=helsinque
        Europe/Kiev=kiew
        Europe/Lisbon=lissabon lisbonne lisboa lisbona lizbona
        Europe/London=londres londra londen londyn
        Europe/Paris=parigi parijs paryz
        Europe/Prague=prag praga
        Europe/Rome=rom roma rzym
        Europe/Vienna=wien vienne viena wenen wieden
        Europe/Warsaw=warschau varsovie varsovia varsavia warszawa
        Pacific/Bougainville=bougainvilleisland inselbougainville
        Pacific/Easter=osterinsel iledepaques isladepascua isoladipasqua
        Pacific/Fiji=fidschi fidji
        Pacific/Guadalcanal=solomonis salomonen ilessalomon islassalomon
        """

    /// The zones by the places in their names, without accents and blanks.
    private static let zones: [String: [String]] = {
        var zones: [String: [String]] = [:]
        for (name, zone) in ZoneName.database.sorted(by: { $0.key < $1.key }) where name.contains("/") {
            let place = name.split(separator: "/").last.map { WordFolding.letters(of: String($0)) } ?? ""
            zones[place, default: []].append(zone)
        }
        for line in otherNames.split(separator: "\n") {
            let sides = line.split(separator: "=")
            for place in sides[1].split(separator: " ") {
                // “ue” becomes “u”, as in the places of a name.
                zones[WordFolding.letters(of: String(place)), default: []].append(String(sides[0]))
            }
        }
        return zones
    }()

    /// Returns the zone of an English name in lower case; `nil` for other names.
    static func zone(_ name: String) -> String? {
        let hasOffset = name.hasPrefix("(")
        return englishNames.first { hasOffset ? name.contains($0.0) : name.hasPrefix($0.0) }?.1
    }

    /// Returns whether a name means its offset in summer, too: no zone of the offset has summer time, or nothing but
    /// “Coordinated Universal Time” in some language follows it.
    static func isFixed(_ offset: Int, _ places: String) -> Bool {
        let words = WordFolding.letters(of: places)
        return words.isEmpty || !summerOffsets.contains(offset) || words.contains("coord") || words.contains("koord")
    }

    /// Returns the zone of the first known place in lower case with a standard offset in minutes; `nil` if there is none.
    static func zone(_ places: String, _ offset: Int) -> String? {
        let words = places.split { ",;:/()".contains($0) }.map { WordFolding.letters(of: String($0)) }
        var known = words.flatMap { zones[$0] ?? [] }
        if let zone = WindowsZones.names[places + " standard time"] { known.append(zone) }
        let isAmerican = places.contains("canad") || places.contains("kanad")
        return known.first { ZoneName.standardOffset(of: $0) == offset } ?? (isAmerican ? americanZones[offset] : nil)
    }
}
