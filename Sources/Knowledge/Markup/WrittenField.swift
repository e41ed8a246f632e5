internal import DataFiles
internal import FoundationEssentials
internal import HunchModel
internal import JSON
internal import Localization

/// The rules for the texts of fields, which pages write in several ways.
enum WrittenField {
    /// Returns the text of a field in one form: numbers with a point, times with their hyphens and colons.
    ///
    /// - Parameter isPosition: whether the text has both numbers of a position.
    static func value(_ text: String, _ field: Meaning.Field, isPosition: Bool = false) -> String {
        switch field {
        case .latitude where isPosition: WrittenPosition(text)?.latitude ?? noPosition + text
        case .longitude where isPosition: WrittenPosition(text)?.longitude ?? noPosition + text
        case .latitude, .longitude: WrittenPosition.number(text) ?? text
        case .start, .end: withoutHour24(extended(text))
        default: text
        }
    }

    /// The words before the text of a position that cannot be read.
    private static let noPosition = "geo: "

    /// Returns why a text is not valid for a field; `nil` if it is.
    static func fault(of text: String, in field: Meaning.Field) -> String? {
        let limit: Double
        switch field {
        case .latitude: limit = 90
        case .longitude: limit = 180
        case .start, .end:
            return isTime(text)
                ? nil : localized("%1 “%2” is not a date of ISO 8601", field.rawValue, text.cut(to: 60))
        default: return nil
        }
        if text.hasPrefix(noPosition) {
            let position = String(text.dropFirst(noPosition.count)).cut(to: 60)
            return localized("“%1” is not a position; write it as 48.2;16.37", position)
        }
        guard let number = Double(text) else {
            return localized("%1 “%2” is not a number", field.rawValue, text.cut(to: 60))
        }
        return number.magnitude <= limit
            ? nil : localized("%1 %2 is outside −%3…%3", field.rawValue, text, Int(clamping: limit))
    }

    /// Whether a text is a time of ISO 8601: a day that exists, a month, a year, or a time of day alone.
    private static func isTime(_ text: String) -> Bool {
        if WrittenTime(text) != nil { return true }
        if let time = text.hasPrefix("T") ? text.dropFirst() : text.firstIndex(of: ":").map({ _ in text[...] }),
            time.utf8.prefix(3).last == UInt8(ascii: ":")
        {
            return WrittenTime("2000-01-01T\(time)") != nil
        }
        switch text.utf8.count {
        case 4: return WrittenTime("\(text)-01-01") != nil
        case 7: return WrittenTime("\(text)-01") != nil
        default: return false
        }
    }

    /// Returns a time in the basic format of ISO 8601 (`20270304T2015Z`) in the extended one; other texts as they are.
    private static func extended(_ text: String) -> String {
        let digits = Array(text.utf8.prefix { (0x30...0x39).contains($0) })
        guard digits.count == 8 else { return text }
        func part(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
        var result = "\(part(digits[..<4]))-\(part(digits[4..<6]))-\(part(digits[6...]))"
        var rest = Array(text.utf8.dropFirst(8))
        guard !rest.isEmpty else { return result }
        let time = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
        guard rest[0] == UInt8(ascii: "T"), time.count == 4 || time.count == 6 else { return result + part(rest) }
        let pairs = stride(from: time.startIndex, to: time.endIndex, by: 2).map { part(time[$0..<$0 + 2]) }
        result += "T" + pairs.joined(separator: ":")
        rest.removeFirst(1 + time.count)
        return result + part(rest)
    }

    /// Returns `T24:00`, the midnight that ends a day, as that of the next day; other texts as they are.
    private static func withoutHour24(_ text: String) -> String {
        let time = text.dropFirst(10)
        guard ["T24:00", "t24:00", " 24:00"].contains(where: { time.hasPrefix($0) }),
            !time.dropFirst(6).hasPrefix(":") || time.dropFirst(6).hasPrefix(":00"),
            let day = WrittenTime(text.cut(toBytes: 10))
        else { return text }
        let next = Date(timeIntervalSince1970: day.seconds + 86_400)
        return "\(Date.ISO8601FormatStyle().year().month().day().format(next))T00:\(time.dropFirst(4))"
    }

    /// The fields of the place of an event.
    static let placeFields: [Meaning.Field] = [
        .placeName, .street, .locality, .region, .postalCode, .country, .latitude, .longitude, .map,
    ]

    /// The names that sites give to the place of an event on the web.
    private static let onlineNames: Set<String> = [
        "online", "online event", "virtual", "virtual event", "webinar", "online-veranstaltung",
        "virtuelle veranstaltung", "événement en ligne", "en ligne", "evento online", "en línea",
    ]

    /// Whether an event is on the web only.
    ///
    /// - Parameter text: returns the text of a property.
    static func isOnline(_ event: [String: JSONValue], _ text: (String) -> String?) -> Bool {
        let mode = text("eventAttendanceMode") ?? event["eventAttendanceMode"]?.object?["@id"]?.string
        if let mode { return mode.hasSuffix("OnlineEventAttendanceMode") }
        guard let place = text("location")?.lowercased() else { return false }
        return onlineNames.contains(place) || CallServices.known.names.contains(place)
    }
}
