public import HunchModel

/// The lines of an export in JSON Lines format: UTF-8, one object a line, each with the key `type`.
///
/// Keys that do not apply are omitted. Dates are ISO 8601 in UTC with milliseconds: `2025-06-02T09:30:00.000Z`. Control
/// characters, and characters that change the direction of text, are written as `\uXXXX`. Readers must ignore lines
/// with an unknown `type`. The last line of a complete export has the type `end`.
///
/// ```
/// {"type":"export","version":1,"date":…}
/// {"type":"settings","enabled":true,"pausedUntil":…,"retentionDays":120,"switches":{"lockScreenTitles":false,…},
///  "categories":{"messages":false,…}}
/// {"type":"exclusion","app":"org.example.App"}
/// {"type":"script","name":"backup"}
/// {"type":"reader","app":"org.example.App"}
/// {"type":"placeAccess","app":"org.example.App","allowed":true}
/// {"type":"devicePolicy","device":"…","policy":{"suggests":true,"resumes":false,"pauses":false}}
/// {"type":"ownPlace","name":"home","place":{"name":"…","coordinate":{…},…}}
/// {"type":"donation","app":"org.example.App","kind":"playMedia","parameters":{"item":"…"},
///  "combination":["item"],"date":…,"context":{"trigger":"device:…","device":"…","hour":9,"weekday":2,
///  "further":{"power":"battery"}},"identifier":"…","group":"…"}
/// {"type":"engagement","suggestion":"…","app":"…","kind":"media","outcome":"shown","date":…,"context":{…},
///  "requested":true,"item":{"title":"…","application":"…","parameters":{"item":"…"}}}
/// {"type":"resumePoint","device":"…","app":"…","item":"…","info":{"title":"…",…},
///  "pausedByDisconnect":false,"date":…}
/// {"type":"mutedPair","trigger":"device:…","app":"…","kind":"media","date":…}
/// {"type":"announcement","app":"…","list":"upcoming","item":{"item":"…","title":"…",…},"date":…}
/// {"type":"seenPlace","app":"…","place":{"name":"…","coordinate":{…},…},"content":"…","related":"…",
///  "group":"…","date":…,"offered":…,"reservation":{"title":"…","start":…,"end":…,"allDay":true,"url":"…",
///  "reservation":"FlightReservation","booking":"…"}}
/// {"type":"place","number":1,"word":"home","latitude":52.517,"longitude":13.378,"date":…}
/// {"type":"stay","place":1,"begin":…,"end":…}
/// {"type":"end","lines":13}
/// ```
///
/// Donations are equivalent if the values that `combination` names are equal. `context` has the keys of `Context`,
/// `requested` marks an engagement with an answer to a request, and `pardoned` a dismissal that no longer counts.
/// `info` those of `NowPlayingInfo` (lengths and positions in microseconds), and `place` those of `MapItem`. `lines`
/// counts the lines before.
public enum ExportLine {
    /// The version of the format.
    public static let version = 1

    /// A donation, as it is imported.
    public struct DonationLine: Codable, Sendable {
        var type = "donation"
        /// Desktop identifier of the app, without `.desktop`.
        public var app: AppID
        /// The kind of the donation.
        public var kind: String
        /// The values that describe the action, by parameter name.
        public var parameters: [String: String]
        /// The names of the parameters whose values distinguish it from other donations of its kind.
        public var combination: [String]?
        /// The date, as written by ``ExportLine/text(of:)``.
        public var date: String
        /// The context.
        public var context: Context?
        /// The donor's identifier.
        public var identifier: String?
        /// The donor's group.
        public var group: String?
    }

    /// Returns JSON that is safe to display. Escapes DEL, the C1 controls, line separators, and characters that change
    /// the direction of text as `\uXXXX`. The meaning of the JSON stays the same.
    ///
    /// - Parameter json: output of an encoder that escapes the C0 controls. All others then occur only in strings.
    public static func harmless(_ json: String) -> String {
        guard json.unicodeScalars.contains(where: \.isHazardous) else { return json }
        var text = ""
        for scalar in json.unicodeScalars {
            if scalar.isHazardous {
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Returns a date as ISO 8601 in UTC with milliseconds.
    ///
    /// - Parameter milliseconds: milliseconds since 1970, clamped to the years 0…9999.
    public static func text(of milliseconds: Int64) -> String {
        let milliseconds = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let day = rest < 0 ? days - 1 : days
        let time = rest < 0 ? rest + 86_400_000 : rest
        // Days since 1970 to a civil date: Howard Hinnant, “chrono-Compatible Low-Level Date Algorithms”.
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let index = (5 * ofYear + 2) / 153
        let month = index < 10 ? index + 3 : index - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(ofYear - (153 * index + 2) / 5 + 1, 2))"
        let clock = [time / 3_600_000, time / 60_000 % 60, time / 1_000 % 60].map { padded($0, 2) }
        return "\(date)T\(clock.joined(separator: ":")).\(padded(time % 1_000, 3))Z"
    }
}
