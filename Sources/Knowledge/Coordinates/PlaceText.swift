package import HunchModel
import Localization

/// Reads texts in links whose form is common to all publishers.
package enum PlaceText {
    /// The order of two numbers.
    package enum Order: Sendable { case latitudeFirst, longitudeFirst }

    /// The zoom levels of web maps.
    private static let zoomLevels = 0.0...23.0

    /// Words for the user's own position, which a link does not contain.
    private static let wordsForHere: Set<String> = [
        "current location", "current+location", "currentlocation", "my location", "my+location", "mylocation",
        "your location", "my position", "myposition", "here", "我的位置", "当前位置", "當前位置", "내 위치", "내위치", "현재 위치",
        "現在地", "my current location", "current position", "where i am", "hier", "mein standort", "meinem standort",
        "aktueller standort", "meine position", "meiner position", "ici", "ma position", "aquí", "mi ubicación",
        "la mia posizione", "minha localização", "ここ", "这里", "這裡",
    ]

    /// Returns whether a text means the user's own position.
    package static func isHere(_ text: String) -> Bool {
        text.utf8.count <= 32 && wordsForHere.contains(text.lowercased())
    }

    /// Returns a place: a coordinate (optionally with a label in parentheses), a Plus Code, or a text to geocode.
    ///
    /// - Parameter text: the decoded and single-spaced text.
    /// - Returns: `nil` for an empty text and for words that mean the user's own position.
    /// - Throws: ``PlaceError`` with `badCoordinate` or `tooLong`.
    package static func item(_ text: String) throws(PlaceError) -> MapItem? {
        guard !text.isEmpty, !isHere(text) else { return nil }
        if let coordinate = try CoordinateText.coordinate(in: text) { return MapItem(coordinate: coordinate) }
        if let item = try labelled(text) { return item }
        // In a link, an unencoded "+" has become a space.
        if let item = try (PlusCodeText(text) ?? PlusCodeText(spaced: text))?.item { return item }
        return MapItem(query: try name(text))
    }

    /// Reads `NAME::LAT,LON`, an end in links of public transport planners; `nil` for other texts.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate`.
    package static func namedPosition(_ text: String) throws(PlaceError) -> MapItem? {
        guard let mark = text.firstRange(of: "::") else { return nil }
        return MapItem(
            name: try name(String(text[..<mark.lowerBound]).trimmed),
            coordinate: try coordinate(text[mark.upperBound...]))
    }

    /// Reads `LAT,LON (LABEL)`; `nil` for other texts and texts longer than ``PlaceLimits/text``.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate`.
    package static func labelled(_ text: String) throws(PlaceError) -> MapItem? {
        guard text.utf8.count <= PlaceLimits.text, text.hasSuffix(")"),
            let open = text.firstIndex(of: "("), open != text.startIndex,
            PlainNotation.mayHaveDigits(String(text[..<open]))
        else { return nil }
        let label = String(text[text.index(after: open)...].dropLast()).singleSpaced
        let order = StatedOrder.order(in: label)
        guard
            let coordinate = try CoordinateText.coordinate(
                in: String(text[..<open]).trimmed, order: order ?? .latitudeFirst)
        else { return nil }
        if order != nil { return MapItem(coordinate: coordinate) }
        return MapItem(name: try name(label), coordinate: coordinate)
    }

    /// Returns a name or a text to search for.
    ///
    /// - Returns: `nil` for an empty text.
    /// - Throws: ``PlaceError`` with `tooLong` beyond ``PlaceLimits/text``.
    package static func name(_ text: String?) throws(PlaceError) -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.count <= PlaceLimits.text else {
            throw PlaceError(
                .tooLong,
                localized("the text in the link is longer than %1 bytes; give only the place", PlaceLimits.text))
        }
        return text
    }

    /// Reads two decimal degrees with a comma between them. Further numbers are ignored, unless commas may be decimal.
    ///
    /// - Parameter wraps: whether the longitude may be a turn too large or too small, as on maps that scroll around the
    ///   Earth.
    /// - Throws: ``PlaceError`` with `badCoordinate` for anything else.
    package static func coordinate(
        _ text: Substring, separator: Character = ",", order: Order = .latitudeFirst, wraps: Bool = false
    ) throws(PlaceError) -> Coordinate {
        var parts = text.cut(toBytes: 4 * DecimalNumber.maximumLength).split(
            separator: separator, omittingEmptySubsequences: false
        ).map { String($0).trimmed[...] }
        if separator == "," {
            // "50,0647;19,9450"
            let halves = text.split(separator: ";").map { String($0).trimmed[...] }
            let isPair = halves.count == 2 && halves.allSatisfy { NumberList.value(of: $0) != nil }
            parts = try isPair ? halves : NumberList.position(parts)
        }
        guard parts.count >= 2 else { throw notAPosition(text, order) }
        let isLatitudeFirst = order == .latitudeFirst
        return try coordinate(
            latitude: parts[isLatitudeFirst ? 0 : 1], longitude: parts[isLatitudeFirst ? 1 : 0], wraps: wraps)
    }

    /// Reads a whole text.
    package static func coordinate(
        _ text: String, separator: Character = ",", order: Order = .latitudeFirst, wraps: Bool = false
    ) throws(PlaceError) -> Coordinate {
        try coordinate(text[...], separator: separator, order: order, wraps: wraps)
    }

    /// Returns the coordinate of a latitude and a longitude in decimal degrees, with a point or a comma.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate`.
    package static func coordinate(
        latitude: Substring, longitude: Substring, wraps: Bool = false
    ) throws(PlaceError) -> Coordinate {
        guard let north = NumberList.value(of: latitude), let east = NumberList.value(of: longitude) else {
            throw notAPosition("\(latitude),\(longitude)"[...], .latitudeFirst)
        }
        return try coordinate(north, east, wraps: wraps)
    }

    /// Returns the coordinate of two whole texts.
    package static func coordinate(latitude: String, longitude: String) throws(PlaceError) -> Coordinate {
        try coordinate(latitude: latitude[...], longitude: longitude[...])
    }

    /// Returns the coordinate of two numbers of degrees, with this module's error.
    package static func coordinate(
        _ latitude: Double, _ longitude: Double, wraps: Bool = false
    ) throws(PlaceError) -> Coordinate {
        let coordinate: Coordinate
        do throws(CoordinateError) {
            coordinate = try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            throw badCoordinate(latitude, longitude, error)
        }
        guard longitude.magnitude <= (wraps ? 540 : 180) else {
            throw PlaceError(
                .badCoordinate,
                localized("longitude %1 is outside −180…180 degrees; check the numbers", shortText(longitude)))
        }
        return coordinate
    }

    /// Returns the error for two numbers that are out of range. It suggests the reversed pair if that is valid, since
    /// geographic programs write the longitude first.
    static func badCoordinate(_ latitude: Double, _ longitude: Double, _ error: CoordinateError) -> PlaceError {
        // A longitude of 0 is probably a missing number. As a latitude it would be exactly on the equator, where nobody
        // means a place.
        guard case .latitudeOutOfRange = error, (-180...180).contains(latitude), (-90...90).contains(longitude),
            longitude != 0
        else { return PlaceError(.badCoordinate, error.description, underlying: error) }
        let (first, second) = (shortText(latitude), shortText(longitude))
        return PlaceError(
            .badCoordinate, localized("latitude %1 is outside −90…90; are the two swapped? Try %2,%1", first, second),
            underlying: error)
    }

    /// Returns a number with at most seven decimals, a centimetre.
    private static func shortText(_ degrees: Double) -> String {
        DecimalNumber.text(of: (degrees * 10_000_000).rounded() / 10_000_000)
    }

    private static func notAPosition(_ text: Substring, _ order: Order) -> PlaceError {
        let shown = text.cut(to: 40).singleSpaced
        return PlaceError(
            .badCoordinate,
            order == .latitudeFirst
                ? localized("“%1” in the link is not LATITUDE,LONGITUDE in decimal degrees", shown)
                : localized("“%1” in the link is not LONGITUDE,LATITUDE in decimal degrees", shown))
    }

    /// Returns a zoom level; `nil` if it is invalid. The place is valid without it.
    package static func zoom(_ text: Substring) -> Double? {
        DecimalNumber.value(of: text).flatMap { zoomLevels.contains($0) ? $0 : nil }
    }

    /// Returns the zoom level of a whole text.
    package static func zoom(_ text: String) -> Double? { zoom(text[...]) }
}

extension Coordinate {
    /// Whether this is 0,0 in the Gulf of Guinea, which means "unknown" if there is a name.
    package var isNull: Bool { latitude == 0 && longitude == 0 }
}
