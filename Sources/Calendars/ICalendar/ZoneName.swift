internal import CICal
internal import FoundationEssentials
internal import HunchModel

/// The names of time zones that calendars use without defining them.
enum ZoneName {
    /// The words before offsets, as in `GMT-0500` and `(UTC-05:00) Eastern Time`.
    private static let words = ["utc", "gmt", "z"]

    /// Words in the names that Windows shows, of zones with summer time, and of those that are not whole hours from UTC.
    private static let shownNames = [
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

    /// The zones of the database, by their names and former names in lower case. Systems may lack the former names.
    private static let database: [String: String] = {
        // Without this source, names count only as the database writes them.
        let source = (try? String(contentsOfFile: "/usr/share/zoneinfo/tzdata.zi", encoding: .utf8)) ?? ""
        var names: [String: String] = [:]
        for line in source.split(separator: "\n") {
            // A zone, “Z NAME …”, or a link to one, “L NAME FORMER-NAME”.
            let fields = line.split(separator: " ", maxSplits: 2)
            guard fields.count == 3, fields[0] == "Z" || fields[0] == "L" else { continue }
            names[fields[fields[0] == "Z" ? 1 : 2].lowercased()] = String(fields[1])
        }
        return names
    }()

    /// Returns the name of a zone in the zone database, or `UTC+0530` for an offset with minutes; `nil` for an unknown
    /// zone.
    ///
    /// Known are the names of the database in any case and with a prefix (`/mozilla.org/20070129_1/America/New_York`),
    /// those of Windows, also with a number (`Eastern Standard Time 1`), those that Windows shows, and offsets
    /// (`GMT-0500`, `(UTC-05:00) …`, `+0100`).
    static func known(_ name: String) -> String? {
        let name = name.filter { $0 != "\"" }
        if isInDatabase(name) { return name }
        let lower = name.lowercased()
        if let windows = WindowsZones.names[lower], isInDatabase(windows) { return windows }
        // Outlook and Exchange number the zones of a calendar.
        let unnumbered = lower.split(separator: " ").reversed().drop { $0.allSatisfy(\.isNumber) }.reversed()
            .joined(separator: " ")
        if let windows = WindowsZones.names[unnumbered], isInDatabase(windows) { return windows }
        let parts = lower.split(separator: "/")
        for length in [parts.count, 3, 2] where parts.count >= length {
            if let zone = database[parts.suffix(length).joined(separator: "/")], isInDatabase(zone) { return zone }
        }
        let hasOffset = lower.hasPrefix("(")
        if let shown = shownNames.first(where: { hasOffset ? lower.contains($0.0) : lower.hasPrefix($0.0) }) {
            return isInDatabase(shown.1) ? shown.1 : nil
        }
        return offset(lower).flatMap { isInDatabase($0) || definition(of: $0) != nil ? $0 : nil }
    }

    /// Returns the definition of a zone such as `UTC+0530`, which the database lacks; `nil` for other zones.
    static func definition(of zone: String) -> String? {
        guard zone.hasPrefix("UTC"), zone.utf8.count == 8 else { return nil }
        let offset = zone.dropFirst(3)
        return """
            BEGIN:VTIMEZONE
            TZID:\(zone)
            BEGIN:STANDARD
            DTSTART:19700101T000000
            TZOFFSETFROM:\(offset)
            TZOFFSETTO:\(offset)
            END:STANDARD
            END:VTIMEZONE
            """
    }

    private static func isInDatabase(_ name: String) -> Bool {
        // NULL: the database has no zone of this name. Zones belong to libical.
        !name.isEmpty && icaltimezone_get_builtin_timezone(name) != nil
    }

    /// Returns the zone of `gmt-0500`, `utc+2`, `(utc-05:00) eastern time`, `gmt+5:30` or `+0100`.
    private static func offset(_ name: String) -> String? {
        var rest = name.drop { $0 == "(" }
        let word = words.first { rest.hasPrefix($0) } ?? ""
        rest = rest.dropFirst(word.count)
        guard let sign = rest.first, sign == "+" || sign == "-" || sign == "\u{2212}" else {
            return !word.isEmpty && (rest.isEmpty || rest.first == ")") ? "Etc/UTC" : nil
        }
        let time = rest.dropFirst().prefix { $0.isNumber || $0 == ":" }
        let digits = time.filter { $0 != ":" }
        // Without a word, the name is the offset alone.
        guard !word.isEmpty || time.endIndex == name.endIndex, (1...4).contains(digits.count), let number = Int(digits)
        else { return nil }
        let (hours, minutes) = digits.count > 2 ? (number / 100, number % 100) : (number, 0)
        guard minutes < 60, hours * 60 + minutes <= (sign == "+" ? 14 * 60 : 12 * 60) else { return nil }
        guard minutes == 0 else {
            let digits = "\(hours * 100 + minutes)"
            return "UTC\(sign == "+" ? "+" : "-")" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        // The signs of these zones are reversed, as POSIX has them.
        return hours == 0 ? "Etc/UTC" : "Etc/GMT\(sign == "+" ? "-" : "+")\(hours)"
    }
}
