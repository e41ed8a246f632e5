internal import CICal
internal import FoundationEssentials
internal import HunchModel

/// The names of time zones that calendars use without defining them.
enum ZoneName {
    /// The words before offsets, as in `GMT-0500` and `(UTC-05:00) Eastern Time`.
    private static let words = ["utc", "gmt", "z"]

    /// The zones of the database, by their names and former names in lower case. Systems may lack the former names.
    static let database: [String: String] = {
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
    /// those of Windows, also with a number (`Eastern Standard Time 1`), those that Windows shows
    /// (`(UTC-05:00) New York`), and offsets (`GMT-0500`, `+0100`).
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
        // “tzone://Microsoft/Utc”, and “…/Tzfile/UTC” of Evolution.
        if parts.count > 1, let last = parts.last, words.contains(String(last)) { return "Etc/UTC" }
        if let shown = ShownZoneName.zone(lower) { return isInDatabase(shown) ? shown : nil }
        guard let (minutes, places) = offset(lower) else { return nil }
        let zone = ShownZoneName.isFixed(minutes, places) ? zone(minutes) : ShownZoneName.zone(places, minutes)
        return zone.flatMap { isInDatabase($0) || definition(of: $0) != nil ? $0 : nil }
    }

    /// Returns the offset of a zone from UTC without summer time, in minutes; `nil` for a zone that the database lacks.
    static func standardOffset(of zone: String) -> Int? {
        // NULL: the database has no zone of this name. Zones belong to libical.
        guard let zone = icaltimezone_get_builtin_timezone(zone) else { return nil }
        // Summer time applies in January or in July.
        let offsets = ["20260101T000000", "20260701T000000"].map { day in
            var time = icaltime_from_string(day)
            return Int(icaltimezone_get_utc_offset(zone, &time, nil)) / 60
        }
        return offsets.min()
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

    /// Returns the offset in minutes of `gmt-0500`, `utc+2`, `(utc-05:00) new york`, `gmt+5:30` or `+0100`, and the words
    /// after it.
    private static func offset(_ name: String) -> (minutes: Int, places: String)? {
        var rest = name.drop { $0 == "(" }
        let word = words.first { rest.hasPrefix($0) } ?? ""
        rest = rest.dropFirst(word.count)
        guard let sign = rest.first, sign == "+" || sign == "-" || sign == "\u{2212}" else {
            return !word.isEmpty && (rest.isEmpty || rest.first == ")") ? (0, places(rest)) : nil
        }
        // Windows in Italian writes “05.30”.
        let time = rest.dropFirst().prefix { $0.isNumber || $0 == ":" || $0 == "." }
        let digits = time.filter(\.isNumber)
        // Without a word, the name is the offset alone.
        guard !word.isEmpty || time.endIndex == name.endIndex, (1...4).contains(digits.count), let number = Int(digits)
        else { return nil }
        let (hours, minutes) = digits.count > 2 ? (number / 100, number % 100) : (number, 0)
        let total = hours * 60 + minutes
        guard minutes < 60, total <= (sign == "+" ? 14 * 60 : 12 * 60) else { return nil }
        return (sign == "+" ? total : -total, places(rest[time.endIndex...]))
    }

    /// Returns the words after an offset.
    private static func places(_ rest: Substring) -> String { String(rest.drop { $0 == ")" || $0.isWhitespace }) }

    /// Returns the zone of a fixed offset in minutes.
    private static func zone(_ offset: Int) -> String {
        let (hours, minutes) = offset.magnitude.quotientAndRemainder(dividingBy: 60)
        guard minutes == 0 else {
            let digits = "\(hours * 100 + minutes)"
            return "UTC\(offset > 0 ? "+" : "-")" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        // The signs of these zones are reversed, as POSIX has them.
        return hours == 0 ? "Etc/UTC" : "Etc/GMT\(offset > 0 ? "-" : "+")\(hours)"
    }
}
