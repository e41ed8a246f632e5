import HunchModel

/// Reads texts in links that all publishers use alike.
enum PlaceText {
    /// The order of two numbers.
    enum Order: Sendable { case latitudeFirst, longitudeFirst }

    /// The levels of web maps.
    private static let zoomLevels = 0.0...23.0

    /// Words for where the person is, which is not a place that a link can tell.
    private static let wordsForHere: Set<String> = [
        "current location", "current+location", "currentlocation", "my location", "my+location", "mylocation",
        "your location", "my position", "myposition", "here", "我的位置", "当前位置", "當前位置", "내 위치", "내위치", "현재 위치",
        "現在地",
    ]

    /// Whether a text stands for where the person is.
    static func isHere(_ text: String) -> Bool {
        text.utf8.count <= 32 && wordsForHere.contains(text.lowercased())
    }

    /// A place: a position (with a label in parentheses behind it), a Plus Code, or a text to geocode.
    ///
    /// - Parameter text: decoded and single-spaced.
    /// - Returns: `nil` for an empty text and for the words that mean where the person is.
    /// - Throws: ``PlaceError`` with `badCoordinate` or `tooLong`.
    static func item(_ text: String) throws(PlaceError) -> MapItem? {
        guard !text.isEmpty, !isHere(text) else { return nil }
        if let coordinate = try CoordinateText.coordinate(in: text) { return MapItem(coordinate: coordinate) }
        if let item = try labelled(text) { return item }
        // In a link, a "+" that nobody encoded has become a space.
        if let item = try (PlusCodeText(text) ?? PlusCodeText(spaced: text))?.item { return item }
        return MapItem(query: try name(text))
    }

    /// `NAME::LAT,LON`, as planners of public transport write an end; `nil` when the text is something else.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate`.
    static func namedPosition(_ text: String) throws(PlaceError) -> MapItem? {
        guard let mark = text.firstRange(of: "::") else { return nil }
        return MapItem(
            name: try name(String(text[..<mark.lowerBound]).trimmed),
            coordinate: try coordinate(text[mark.upperBound...]))
    }

    /// `LAT,LON (LABEL)`; `nil` when the text is something else, or longer than ``PlaceParser/maximumTextLength``.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate`.
    static func labelled(_ text: String) throws(PlaceError) -> MapItem? {
        guard text.utf8.count <= PlaceParser.maximumTextLength, text.hasSuffix(")"),
            let open = text.firstIndex(of: "("), open != text.startIndex,
            PlainNotation.mayHaveDigits(text[..<open])
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

    /// A name or a text to search for.
    ///
    /// - Returns: `nil` for an empty one.
    /// - Throws: ``PlaceError`` with `tooLong` beyond ``PlaceParser/maximumTextLength``.
    static func name(_ text: String?) throws(PlaceError) -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.count <= PlaceParser.maximumTextLength else {
            throw PlaceError(
                .tooLong,
                "the text in the link is longer than \(PlaceParser.maximumTextLength) bytes; give only the place")
        }
        return text
    }

    /// Two decimal degrees with a comma between them; further numbers behind them are not looked at.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate` for anything else.
    static func coordinate(
        _ text: some StringProtocol, separator: Character = ",", order: Order = .latitudeFirst
    ) throws(PlaceError) -> Coordinate {
        let parts = text.split(separator: separator, maxSplits: 2, omittingEmptySubsequences: false).map {
            String($0).trimmed
        }
        guard parts.count >= 2 else { throw notAPosition(text, order) }
        let isLatitudeFirst = order == .latitudeFirst
        return try coordinate(
            latitude: parts[isLatitudeFirst ? 0 : 1], longitude: parts[isLatitudeFirst ? 1 : 0])
    }

    /// The position of a latitude and a longitude in decimal degrees.
    ///
    /// - Throws: ``PlaceError`` with `badCoordinate`.
    static func coordinate(
        latitude: some StringProtocol, longitude: some StringProtocol
    ) throws(PlaceError) -> Coordinate {
        guard let north = DecimalNumber.value(of: latitude, plusSign: true),
            let east = DecimalNumber.value(of: longitude, plusSign: true)
        else { throw notAPosition("\(latitude),\(longitude)", .latitudeFirst) }
        return try coordinate(north, east)
    }

    /// The position of two numbers of degrees, with the error of this module.
    static func coordinate(_ latitude: Double, _ longitude: Double) throws(PlaceError) -> Coordinate {
        do {
            return try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            throw badCoordinate(latitude, longitude, error)
        }
    }

    /// Returns the error for two numbers that are no position. It suggests the reversed pair where that is a position:
    /// geographic programs write the longitude first.
    static func badCoordinate(_ latitude: Double, _ longitude: Double, _ error: CoordinateError) -> PlaceError {
        // No place that anybody means lies exactly on the equator: there, 0 stands for a missing number.
        guard case .latitudeOutOfRange = error, (-180...180).contains(latitude), (-90...90).contains(longitude),
            longitude != 0
        else { return PlaceError(.badCoordinate, error.description, underlying: error) }
        let (first, second) = (shortText(latitude), shortText(longitude))
        return PlaceError(
            .badCoordinate, "latitude \(first) is outside −90…90; are the two swapped? Try \(second),\(first)",
            underlying: error)
    }

    /// Returns the text of a number with at most seven decimals, which are a centimetre.
    private static func shortText(_ degrees: Double) -> String {
        DecimalNumber.text(of: (degrees * 10_000_000).rounded() / 10_000_000)
    }

    private static func notAPosition(_ text: some StringProtocol, _ order: Order) -> PlaceError {
        let form = order == .latitudeFirst ? "LATITUDE,LONGITUDE" : "LONGITUDE,LATITUDE"
        return PlaceError(
            .badCoordinate, "“\(String(text).cut(to: 40).singleSpaced)” in the link is not \(form) in decimal degrees")
    }

    /// A zoom level; `nil` when it is none or not on the scale, which is no reason to refuse the place.
    static func zoom(_ text: some StringProtocol) -> Double? {
        DecimalNumber.value(of: text).flatMap { zoomLevels.contains($0) ? $0 : nil }
    }
}
