import HunchModel

/// Two decimal degrees as people and programs write them: `37.79,-122.39`, `37.79 -122.39`, `37.79°N 122.39°W`,
/// `N37.79, W122.39`.
enum CoordinateText {
    /// Longer texts are no coordinates; keeps the cost of looking at any text small.
    private static let maximumLength = 2 * DecimalNumber.maximumLength + 32

    /// The coordinate that the whole text is.
    ///
    /// Latitude comes first unless hemisphere letters say otherwise. Longitudes wrap. Two whole numbers between which
    /// there is only a space are not taken: they might be postal codes.
    /// - Returns: `nil` when the text is something else.
    /// - Throws: ``PlaceError`` with `badCoordinate` when it has the form of a coordinate and is none.
    static func coordinate(in text: some StringProtocol) throws(PlaceError) -> Coordinate? {
        guard text.utf8.count <= maximumLength else { return nil }
        var scanner = Scanner(text)
        guard let first = scanner.angle(), let separated = scanner.separator(), let second = scanner.angle(),
            scanner.isAtEnd
        else { return nil }
        guard separated || first.isMarked || second.isMarked else { return nil }

        let (latitude, longitude): (Angle, Angle)
        switch (first.axis, second.axis) {
        case (nil, nil), (.latitude, .longitude): (latitude, longitude) = (first, second)
        case (.longitude, .latitude): (latitude, longitude) = (second, first)
        default: throw PlaceError(.badCoordinate, "a coordinate needs one of N or S and one of E or W, or neither")
        }
        guard !latitude.isSignedTwice, !longitude.isSignedTwice else {
            throw PlaceError(.badCoordinate, "a coordinate has a sign or a hemisphere letter, not both")
        }
        do {
            return try Coordinate(latitude: latitude.value, longitude: longitude.value)
        } catch {
            throw PlaceError(.badCoordinate, error.description, underlying: error)
        }
    }

    private enum Axis { case latitude, longitude }

    private struct Angle {
        var value: Double
        var axis: Axis?
        /// Written with a sign, a point or a letter: not what a postal code looks like.
        var isMarked: Bool
        var isSignedTwice: Bool
    }

    private struct Scanner {
        private let characters: [Unicode.Scalar]
        private var position = 0

        init(_ text: some StringProtocol) { characters = Array(text.unicodeScalars) }

        var isAtEnd: Bool { position == characters.count }

        private var current: Unicode.Scalar? { position < characters.count ? characters[position] : nil }

        private mutating func skipSpaces() { while current == " " || current == "\t" { position += 1 } }

        /// Whether there was a comma or semicolon; `nil` when nothing separates.
        mutating func separator() -> Bool? {
            let start = position
            skipSpaces()
            if current == "," || current == ";" {
                position += 1
                skipSpaces()
                return true
            }
            return position > start ? false : nil
        }

        mutating func angle() -> Angle? {
            let before = hemisphere()
            if before != nil { skipSpaces() }
            let start = position
            while let scalar = current, scalar.isNumberPart { position += 1 }
            let digits = characters[start..<position].map { $0 == "\u{2212}" ? "-" : Character($0) }
            guard let value = DecimalNumber.value(of: String(digits), plusSign: true) else { return nil }
            let end = position
            skipSpaces()
            let hasDegreeSign = current == "°"
            if hasDegreeSign { position += 1 } else { position = end }
            let numberEnd = position
            skipSpaces()
            let after = before == nil ? hemisphere() : nil
            if after == nil { position = numberEnd }
            let letter = before ?? after
            let isSigned = digits.first == "-" || digits.first == "+"
            return Angle(
                value: letter?.negative == true ? -value : value, axis: letter?.axis,
                isMarked: letter != nil || isSigned || hasDegreeSign || digits.contains("."),
                isSignedTwice: letter != nil && isSigned)
        }

        /// A single letter N, S, E or W.
        private mutating func hemisphere() -> (axis: Axis, negative: Bool)? {
            let found: (Axis, Bool)
            switch current {
            case "N", "n": found = (.latitude, false)
            case "S", "s": found = (.latitude, true)
            case "E", "e": found = (.longitude, false)
            case "W", "w": found = (.longitude, true)
            default: return nil
            }
            position += 1
            return found
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isNumberPart: Bool {
        ("0"..."9").contains(self) || self == "." || self == "-" || self == "+" || self == "\u{2212}"
    }
}
