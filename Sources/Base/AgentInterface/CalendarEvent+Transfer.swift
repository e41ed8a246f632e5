internal import FoundationEssentials
public import HunchDBus
public import HunchModel

// An event as `a{sv}`. Keys: `id` s, `title` s, `start` t and `end` t (microseconds since 1970), `all-day` b, `place`
// a{sv} (a map item), `url` s, `meeting` s, `reservation` s, `booking` s, `series` s, `occurrence` s,
// `unknown-zone` s.

extension CalendarEvent: MapValue {
    /// Reads an event. Unknown keys are ignored, and so is `id`, which the others determine.
    ///
    /// - Throws: ``DBusError``: `…InvalidArgs` for a value of the wrong type, `InvalidInput` for a missing title or
    ///   start, for text of more than 4,096 bytes, and for an address that is not a web page.
    public init(transfer map: VariantMap) throws(DBusError) {
        guard let title = try map.text("title"), !title.isEmpty else {
            throw DBusError(.invalidInput, "“title” is missing")
        }
        guard let start = try map.date(microseconds: "start") else {
            throw DBusError(.invalidInput, "“start” is missing")
        }
        self.init(
            title: title, start: start, end: try map.date(microseconds: "end"),
            isAllDay: try map.value("all-day") ?? false,
            place: try map.value("place", as: VariantMap.self).map { map throws(DBusError) in try MapItem(transfer: map)
            },
            webPageURL: try map.webAddress("url"), meetingURL: try map.webAddress("meeting"),
            reservation: try map.text("reservation"), booking: try map.text("booking"))
        series = try map.text("series")
        occurrence = try map.text("occurrence")
        unknownZone = try map.text("unknown-zone")
    }

    /// The event with the keys above. Unknown values are left out.
    public var transfer: VariantMap {
        var map: VariantMap = [
            "id": .string(identifier), "title": .string(title), "start": .uint64(start.microseconds),
            "all-day": .boolean(isAllDay),
        ]
        map["end"] = end.map { .uint64($0.microseconds) }
        map["place"] = place?.transfer.dbusValue
        map["url"] = webPageURL.map(Value.string)
        map["reservation"] = reservation.map(Value.string)
        map["booking"] = booking.map(Value.string)
        map["series"] = series.map(Value.string)
        map["occurrence"] = occurrence.map(Value.string)
        map["meeting"] = meetingURL.map(Value.string)
        map["unknown-zone"] = unknownZone.map(Value.string)
        return map
    }
}

extension VariantMap {
    /// Returns the address of a web page; `nil` if the key is absent.
    fileprivate func webAddress(_ key: String) throws(DBusError) -> String? {
        guard let address = try text(key) else { return nil }
        guard WebAddress.host(of: address) != nil else {
            throw DBusError(.invalidInput, "“\(key)” must begin with https:// or http:// and name a host")
        }
        return address
    }
}
