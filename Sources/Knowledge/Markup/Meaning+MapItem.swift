public import FoundationEssentials
public import HunchModel

extension Meaning {
    /// The place of the subject: the place itself, the place of an event or a reservation, or where a journey departs.
    /// `nil` if the page gives it neither a position nor an address. The name of a venue counts as an address.
    public var mapItem: MapItem? {
        let country = text(.country)
        let isCode = country?.utf8.count == 2
        let address = PostalAddress(
            street: text(.street), city: text(.locality), state: text(.region), postalCode: text(.postalCode),
            country: isCode ? nil : country, countryCode: isCode ? country?.uppercased() : nil)
        let hasAddress = address.street != nil || address.city != nil
        // The location of an event on the web may be its address.
        let venue = (text(.placeName) ?? text(.departurePlace) ?? text(.departureCode)).flatMap {
            WebAddress.host(of: $0) == nil ? $0 : nil
        }
        let isItsOwnPlace =
            kind == .place || kind == .person || kind == .reservation && type.hasSuffix("LodgingReservation")
            || kind == .reservation && type.hasSuffix("FoodEstablishmentReservation")
        guard coordinate != nil || hasAddress || venue != nil && !isItsOwnPlace else { return nil }
        // The name of an airport is often that of its city, as on boarding passes.
        let code = text(.placeName) == nil ? text(.departureCode)?.uppercased() : nil
        return MapItem(
            name: venue ?? (isItsOwnPlace ? text(.name) : nil), coordinate: coordinate,
            address: hasAddress ? address : nil, query: coordinate == nil && !hasAddress ? code ?? venue : nil,
            phoneNumber: text(.telephone))
    }

    /// The position; `nil` without one. Pages that do not know it often have 0, 0.
    private var coordinate: Coordinate? {
        guard let latitude = text(.latitude).flatMap(Double.init),
            let longitude = text(.longitude).flatMap(Double.init),
            latitude != 0 || longitude != 0
        else { return nil }
        return try? Coordinate(latitude: latitude, longitude: longitude)
    }

    /// The address of the place on a map; `nil` without one.
    public var mapLink: String? { text(.map).flatMap { WebAddress.host(of: $0) == nil ? nil : $0 } }

    /// Returns the place of the subject, if it has one. A link to a map has the position that the page does not tell
    /// otherwise.
    ///
    /// - Parameter position: returns the position in a link to a map; `nil` without one.
    public func mapItem(readingLinks position: (String) -> Coordinate?) -> MapItem? {
        let item = mapItem
        guard item?.coordinate == nil, let coordinate = mapLink.flatMap(position) else { return item }
        var place = item ?? MapItem(name: title)
        place.coordinate = coordinate
        place.query = nil
        return place
    }

    /// Whether it is an event or a reservation that is cancelled.
    public var isCancelled: Bool { text(.status).map(Self.isCancelled) ?? false }

    /// Returns whether a status is that of something cancelled. In the United States, it is spelt with one “l”.
    static func isCancelled(_ status: String) -> Bool {
        let status = status.lowercased()
        return status.hasSuffix("cancelled") || status.hasSuffix("canceled")
    }

    /// The start and the end of an event or a reservation that is not cancelled, if the page has them in ISO 8601.
    public var time: (start: Date, end: Date?)? { isCancelled ? nil : plannedTime }

    /// The same, cancelled or not.
    private var plannedTime: (start: Date, end: Date?)? {
        guard [.event, .reservation].contains(kind), let start = text(.start).flatMap(WrittenTime.init)?.date else {
            return nil
        }
        let end = text(.end).flatMap(WrittenTime.init)?.end
        return (start, end.flatMap { $0 > start ? $0 : nil })
    }

    /// The title of the subject; `nil` if the page has none for it. A journey without a name is called by its connection
    /// and its ends: “United 110: San Francisco → New York”.
    public var title: String? {
        let ends = [text(.departurePlace) ?? text(.departureCode), text(.arrivalPlace) ?? text(.arrivalCode)]
            .compactMap(\.self)
        guard kind == .reservation, ends.count == 2 else { return text(.name) ?? text(.placeName) }
        let connection = [text(.provider), text(.vehicle)].compactMap(\.self).joined(separator: " ")
        return (connection.isEmpty ? "" : "\(connection): ") + ends.joined(separator: " → ")
    }

    /// The event or the reservation, if it has a title and a time and is not cancelled.
    public var event: CalendarEvent? { isCancelled ? nil : plannedEvent }

    /// The same, cancelled or not.
    public var plannedEvent: CalendarEvent? {
        guard let title, let time = plannedTime else { return nil }
        let isDay = text(.start).flatMap(WrittenTime.init)?.isDay ?? false
        return CalendarEvent(
            title: title, start: time.start, end: time.end, isAllDay: isDay, place: mapItem,
            webPageURL: text(.url).flatMap { WebAddress.host(of: $0) == nil ? nil : $0 },
            reservation: kind == .reservation ? type : nil, booking: booking)
    }

    /// A digest of the number of a reservation and its provider; `nil` if the page has no number.
    public var booking: String? {
        guard kind == .reservation, let number = text(.number) else { return nil }
        return StableHash("\(text(.provider) ?? "")\n\(number)".utf8).digits
    }

    /// Returns the text of a field; `nil` if the page has none.
    public func text(_ field: Field) -> String? { values[field]?.text.cut(toBytes: Self.textLimit) }

    /// The maximum size of a text in bytes.
    private static let textLimit = 1_024
}
