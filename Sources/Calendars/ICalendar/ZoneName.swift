internal import CICal
internal import HunchModel

/// The names of time zones that calendars use without defining them.
enum ZoneName {
    /// The offsets of words such as `GMT-0500` and `(UTC-05:00) Eastern Time`, in hours and minutes.
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

    /// Returns the name of a zone in the zone database; `nil` for an unknown zone.
    ///
    /// Known are the names of the database in any case and with a prefix (`/mozilla.org/20070129_1/America/New_York`), those
    /// of Windows, also with a number (`Eastern Standard Time 1`), and offsets (`GMT-0500`, `(UTC-05:00) …`).
    static func known(_ name: String) -> String? {
        let name = name.filter { $0 != "\"" }
        if isInDatabase(name) { return name }
        let lower = name.lowercased()
        if let windows = WindowsZones.names[lower], isInDatabase(windows) { return windows }
        // Outlook and Exchange number the zones of a calendar.
        let unnumbered = lower.split(separator: " ").reversed().drop { $0.allSatisfy(\.isNumber) }.reversed()
            .joined(separator: " ")
        if let windows = WindowsZones.names[unnumbered], isInDatabase(windows) { return windows }
        let parts = name.split(separator: "/")
        for length in [2, 3] where parts.count >= length {
            let tail = parts.suffix(length).map { titled(String($0)) }.joined(separator: "/")
            if isInDatabase(tail) { return tail }
        }
        if lower.hasPrefix("("), let shown = shownNames.first(where: { lower.contains($0.0) }) {
            return isInDatabase(shown.1) ? shown.1 : nil
        }
        return offset(lower).flatMap { isInDatabase($0) ? $0 : nil }
    }

    private static func isInDatabase(_ name: String) -> Bool {
        // NULL: the database has no zone of this name. Zones belong to libical.
        !name.isEmpty && icaltimezone_get_builtin_timezone(name) != nil
    }

    /// Returns a part of a name as the database writes it: `new_york` is `New_York`.
    private static func titled(_ part: String) -> String {
        guard part == part.lowercased() || part == part.uppercased() else { return part }
        var result = ""
        var isFirst = true
        for character in part.lowercased() {
            result += isFirst ? character.uppercased() : String(character)
            isFirst = character == "_" || character == "-"
        }
        return result
    }

    /// Returns the zone of `gmt-0500`, `utc+2` or `(utc-05:00) eastern time`, which has whole hours only.
    private static func offset(_ name: String) -> String? {
        var rest = name.drop { $0 == "(" }
        guard let word = words.first(where: { rest.hasPrefix($0) }) else { return nil }
        rest = rest.dropFirst(word.count)
        guard let sign = rest.first, sign == "+" || sign == "-" || sign == "\u{2212}" else {
            return rest.isEmpty || rest.first == ")" ? "Etc/UTC" : nil
        }
        let digits = rest.dropFirst().prefix { $0.isNumber || $0 == ":" }.filter { $0 != ":" }
        guard (1...4).contains(digits.count), let number = Int(digits) else { return nil }
        let (hours, minutes) = digits.count > 2 ? (number / 100, number % 100) : (number, 0)
        guard hours <= 14, minutes == 0 else { return nil }
        // The signs of these zones are reversed, as POSIX has them.
        return hours == 0 ? "Etc/UTC" : "Etc/GMT\(sign == "+" ? "-" : "+")\(hours)"
    }
}
