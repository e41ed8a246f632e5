import HunchModel

/// A position as people and programs write it: decimal degrees, degrees and minutes, or degrees, minutes and seconds,
/// with signs or hemispheres, ISO 6709, or a reference of one of the grids of ``GridReference``.
///
/// `37.79,-122.39` · `37.79 -122.39` · `37,79; -122,39` · `37.79°N 122.39°W` · `N 37° 47.4', W 122° 23.4'` ·
/// `37°47'24"N 122°23'24"W` · `5231N01324E` · `北緯35度41分22秒 東経139度41分30秒` · `lat: 37.79, lon: -122.39` ·
/// `+37.79-122.39/` · `Latitud 37.79 Longitud -122.39` · `緯度 35.6894 経度 139.6917`
enum CoordinateText {
    /// Longer texts are no coordinates; keeps the cost of looking at any text small.
    private static let maximumLength = 2 * DecimalNumber.maximumLength + 64

    private static let mostPlainDegrees = 540.0

    /// Returns the coordinate that the whole text is.
    ///
    /// Latitude comes first unless hemispheres say otherwise. Longitudes wrap. Two whole numbers between which there is
    /// only a space are not taken: they might be postal codes.
    /// - Returns: `nil` when the text is something else.
    /// - Parameter order: the order of numbers without hemispheres.
    /// - Throws: ``PlaceError`` with `badCoordinate` when it has the form of a coordinate and is none.
    static func coordinate(
        in text: some StringProtocol, order: PlaceText.Order = .latitudeFirst
    ) throws(PlaceError) -> Coordinate? {
        guard let text = unwrapped(text) else { return nil }
        if let coordinate = try coordinate(ofDegrees: text, order) { return coordinate }
        return try GridReference.coordinate(in: text)
    }

    /// Returns the same for degrees alone. Codes of programs may look like references of grids.
    static func degrees(in text: some StringProtocol) throws(PlaceError) -> Coordinate? {
        guard let text = unwrapped(text) else { return nil }
        return try coordinate(ofDegrees: text)
    }

    /// Returns the coordinate of two angles.
    ///
    /// - Returns: `nil` for two plain numbers of which the second goes around the Earth more than once: a telephone's, say.
    static func coordinate(
        _ first: Angle, _ second: Angle, _ order: PlaceText.Order = .latitudeFirst
    ) throws(PlaceError) -> Coordinate? {
        for angle in [first, second] {
            guard let fault = angle.fault else { continue }
            throw PlaceError(.badCoordinate, fault)
        }
        if first.axis == nil, second.axis == nil, abs(second.value) > mostPlainDegrees { return nil }
        switch (first.axis, second.axis) {
        case (nil, nil) where order == .longitudeFirst: return try PlaceText.coordinate(second.value, first.value)
        case (nil, nil), (.latitude, .longitude): return try PlaceText.coordinate(first.value, second.value)
        case (.longitude, .latitude): return try PlaceText.coordinate(second.value, first.value)
        default: throw PlaceError(.badCoordinate, "a coordinate needs one of N or S and one of E or W, or neither")
        }
    }

    /// Returns a text in plain notation, without brackets around it and the end of the sentence from which it was copied.
    ///
    /// - Returns: `nil` when it is too long or has no digit, and can be no coordinate.
    private static func unwrapped(_ text: some StringProtocol) -> String? {
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
        // Where no point is a decimal one a comma may be: only then is the text read so.
        for mark: Unicode.Scalar in [".", ","] where mark == "." || scalars.contains(",") && !hasDecimalPoint(scalars) {
            if let (first, second) = angles(in: scalars, decimalMark: mark) {
                return try coordinate(first, second, order)
            }
        }
        return nil
    }

    private static func hasDecimalPoint(_ scalars: [Unicode.Scalar]) -> Bool {
        zip(scalars, scalars.dropFirst()).contains { $0 == "." && $1.isASCIIDigit }
    }

    private static func angles(in scalars: [Unicode.Scalar], decimalMark: Unicode.Scalar) -> (Angle, Angle)? {
        var scanner = AngleScanner(scalars, decimalMark: decimalMark)
        guard let first = scanner.angle(), let separator = scanner.separator(), let second = scanner.angle(),
            scanner.isAtEnd
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
