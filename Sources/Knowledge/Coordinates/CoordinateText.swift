package import HunchModel
import Localization

/// Coordinates as people and programs write them: decimal degrees, degrees and minutes, or degrees, minutes and
/// seconds, with signs or hemispheres; ISO 6709; or a reference of one of the grids of ``GridReference``.
///
/// `37.79,-122.39` · `37.79 -122.39` · `37,79; -122,39` · `37.79°N 122.39°W` · `N 37° 47.4', W 122° 23.4'` ·
/// `37°47'24"N 122°23'24"W` · `5231N01324E` · `北緯35度41分22秒 東経139度41分30秒` · `lat: 37.79, lon: -122.39` ·
/// `+37.79-122.39/` · `Latitud 37.79 Longitud -122.39` · `緯度 35.6894 経度 139.6917`
package enum CoordinateText {
    /// The maximum length of a text, in bytes. Longer texts are not examined.
    private static let maximumLength = 2 * DecimalNumber.maximumLength + 64

    private static let mostPlainDegrees = 540.0
    private static let daysOfMonth = 31.0

    /// Returns the coordinate of a text that contains nothing else.
    ///
    /// The latitude comes first unless hemispheres or `order` say otherwise. Two whole numbers with only a space between
    /// them are rejected, since they may be postal codes.
    ///
    /// - Parameter order: the order of numbers without hemispheres.
    /// - Returns: `nil` if the text is something else.
    /// - Throws: ``PlaceError`` with `badCoordinate` if it has the form of a coordinate but is out of range.
    package static func coordinate(
        in text: String, order: PlaceText.Order = .latitudeFirst
    ) throws(PlaceError) -> Coordinate? {
        guard let text = unwrapped(text) else { return nil }
        do throws(PlaceError) {
            if let coordinate = try coordinate(ofDegrees: text, order) { return coordinate }
        } catch {
            // The letters of a square may be a word for a direction: "30SYD0222608702".
            if let coordinate = (try? GridReference.coordinate(in: text)) ?? nil { return coordinate }
            throw error
        }
        return try GridReference.coordinate(in: text)
    }

    /// Returns the coordinate of a part of a text. Other modules would not specialize a generic function.
    package static func coordinate(in text: Substring) throws(PlaceError) -> Coordinate? {
        guard text.utf8.count <= maximumLength else { return nil }
        return try coordinate(in: String(text))
    }

    /// Returns the coordinate of a text in degrees; `nil` for grid references, which look like other codes.
    package static func degrees(in text: String) throws(PlaceError) -> Coordinate? {
        guard let text = unwrapped(text) else { return nil }
        return try coordinate(ofDegrees: text)
    }

    /// Returns the coordinate of two angles.
    ///
    /// - Parameter text: the text around them, whose words decide what the letter O means.
    /// - Returns: `nil` for two plain numbers with the second beyond a full turn, such as a telephone number.
    static func coordinate(
        _ first: Angle, _ second: Angle, _ order: PlaceText.Order = .latitudeFirst, in text: [Unicode.Scalar]
    ) throws(PlaceError) -> Coordinate? {
        for angle in [first, second] {
            guard let fault = angle.fault else { continue }
            throw PlaceError(.badCoordinate, localized(fault, values: []))
        }
        if first.axis == nil, second.axis == nil, abs(second.value) > mostPlainDegrees { return nil }
        if first.isEastOrWest, second.axis != .longitude {
            return try EastOrWest.coordinate(second.value, first.value, in: String(String.UnicodeScalarView(text)))
        }
        if second.isEastOrWest, first.axis != .longitude {
            return try EastOrWest.coordinate(first.value, second.value, in: String(String.UnicodeScalarView(text)))
        }
        switch (first.axis, second.axis) {
        case (nil, nil) where order == .longitudeFirst:
            return try PlaceText.coordinate(second.value, first.value)
        case (nil, nil), (.latitude, .longitude):
            return try PlaceText.coordinate(first.value, second.value)
        case (.longitude, .latitude): return try PlaceText.coordinate(second.value, first.value)
        default:
            throw PlaceError(
                .badCoordinate, localized("a coordinate needs one of N or S and one of E or W, or neither"))
        }
    }

    /// Returns a text in plain notation, without enclosing brackets and punctuation at the end.
    ///
    /// - Returns: `nil` if it is too long or has no digit.
    private static func unwrapped(_ text: String) -> String? {
        guard text.utf8.count <= maximumLength, PlainNotation.mayHaveDigits(text) else { return nil }
        var plain = PlainNotation.text(text)
        guard plain.utf8.contains(where: \.isASCIIDigit) else { return nil }
        if plain.utf8.last == UInt8(ascii: ".") { plain.removeLast() }
        let ends = (plain.utf8.first, plain.utf8.last)
        if ends == (UInt8(ascii: "("), UInt8(ascii: ")")) || ends == (UInt8(ascii: "["), UInt8(ascii: "]")) {
            plain = String(plain.dropFirst().dropLast()).trimmed
        }
        return plain
    }

    private static func coordinate(
        ofDegrees text: String, _ order: PlaceText.Order = .latitudeFirst
    ) throws(PlaceError) -> Coordinate? {
        if let coordinate = try ISO6709.coordinate(in: text) { return coordinate }
        if let coordinate = try PackedDegrees.coordinate(in: text) { return coordinate }
        let scalars = Array(text.unicodeScalars)
        // Read the text with decimal commas only if it has no decimal points.
        for mark: Unicode.Scalar in [".", ","] where mark == "." || scalars.contains(",") && !hasDecimalPoint(scalars) {
            if let (first, second) = angles(in: scalars, decimalMark: mark) {
                return try coordinate(first, second, order, in: scalars)
            }
        }
        guard let (first, second) = unmarkedAngles(in: scalars) else { return nil }
        return try coordinate(first, second, order, in: scalars)
    }

    /// Returns two angles of degrees and minutes, or of degrees, minutes and seconds, that have neither marks nor
    /// hemispheres, or only some marks: `48 51.504, 2 17.670`, `48° 51.504, 2° 17.670`, `70 20 42.13 68 51 28.8`,
    /// `37:59:16 -0:39:18`, `52 31 12, 13 24 18`, `52,31,12.5, 13,24,18.5`.
    ///
    /// Times, dates, scores and telephone numbers look alike. So minutes and seconds are below 60, and a point, a sign,
    /// or degrees beyond the hours of a day are needed. Three whole numbers each need a comma between the two angles,
    /// and degrees beyond the days of a month.
    private static func unmarkedAngles(in scalars: [Unicode.Scalar]) -> (Angle, Angle)? {
        for mark: Unicode.Scalar in [".", ","] {
            var scanner = AngleScanner(scalars, decimalMark: mark, needsNoMarks: true)
            guard let first = scanner.angle(), scanner.separator(after: first) != nil, let second = scanner.angle(),
                scanner.isAtEnd, first.parts > 1, first.parts == second.parts, first.fault == nil, second.fault == nil,
                first.axis == nil, second.axis == nil
            else { continue }
            let isTime = !first.isMarked && !second.isMarked && max(first.value, second.value) < 24
            // A single plus begins a telephone number.
            let hasSigns = scalars.contains("-") || scalars.count { $0 == "+" } > 1
            let hasDecimals = scalars.contains(mark) && (mark == "." || scalars.contains(";")) || hasSigns
            let isList =
                mark == "." && first.parts == 3 && scalars.contains(",")
                && max(first.value, second.value) >= Self.daysOfMonth + 1
            let haveMarks = first.isMarked && second.isMarked
            guard !isTime, hasDecimals || haveMarks || scalars.contains(":") || isList else { continue }
            return (first, second)
        }
        var parts = scalars.split(separator: ",").map(Array.init)
        guard parts.count == 6, parts[2].contains("."), parts[5].contains(".") else { return nil }
        parts[2].append(";")
        return unmarkedAngles(in: Array(parts.joined(separator: [" "])))
    }

    private static func hasDecimalPoint(_ scalars: [Unicode.Scalar]) -> Bool {
        zip(scalars, scalars.dropFirst()).contains { $0 == "." && $1.isASCIIDigit }
    }

    private static func angles(in scalars: [Unicode.Scalar], decimalMark: Unicode.Scalar) -> (Angle, Angle)? {
        var scanner = AngleScanner(scalars, decimalMark: decimalMark)
        guard let first = scanner.angle(), let separator = scanner.separator(after: first),
            let second = scanner.angle(), scanner.isAtEnd
        else { return nil }
        switch separator {
        case .mark: break
        case .space: guard first.isMarked || second.isMarked else { return nil }
        case .nothing: guard first.endsInWord || second.beginsWithWord else { return nil }
        }
        if decimalMark == "," { guard first.isMarked, second.isMarked else { return nil } }
        // "Breite 40 Länge 60" is the size of a table.
        if first.mayBeSize || second.mayBeSize { guard first.isPrecise, second.isPrecise else { return nil } }
        return (first, second)
    }
}
