import Localization

/// One of the two angles of a coordinate.
struct Angle {
    /// The kinds of angles.
    enum Axis { case latitude, longitude }

    /// Degrees, negative to the south and west.
    var value: Double
    var axis: Axis?
    /// Whether it has a sign, a point, a mark or a word, unlike a postal code.
    var isMarked: Bool
    var beginsWithWord: Bool
    var endsInWord: Bool
    /// Whether it has minutes or at least three decimals, or four after a word that may mean a size.
    var isPrecise: Bool
    /// Whether its label may also mean a width or a length.
    var mayBeSize: Bool
    /// Whether its letter O means east or west.
    var isEastOrWest: Bool
    /// The number of its parts: degrees, minutes and seconds.
    var parts: Int
    /// The reason why it is not a valid angle, as an English sentence that `localizable(_:)` returned.
    var fault: StaticString?
}

/// Reads angles from a text.
struct AngleScanner {
    /// The text between two angles.
    enum Separator { case mark, space, nothing }

    private static let degreeMarks = [
        "degrees", "degree", "degrés", "deg", "grados", "graden", "gradi", "graus", "grad", "°", "º", "˚", "⁰", "*",
        "度", "도", "d",
        // Cyrillic letters.
        "о", "О",
    ].map { Array($0.unicodeScalars) }
    private static let minuteMarks = [
        "minutes", "minuten", "minutos", "minuti", "minute", "min", "'", "′", "’", "‘", "´", "`", "ʹ", "ʼ", "分", "분",
        "m",
    ].map { Array($0.unicodeScalars) }
    private static let secondMarks = [
        "seconds", "secondes", "seconden", "secondi", "second", "segundos", "sekunden", "sec", "''", "′′", "’’", "´´",
        "\"", "″", "”", "“", "ʺ", "˝", "秒", "초", "s",
    ].map { Array($0.unicodeScalars) }

    private static let separators = Set(",;/|&".unicodeScalars)
    private static let joiners = [
        "-", "and", "und", "et", "y", "e", "i", "a", "en", "och", "og", "ja", "és", "ve", "și", "và", "και", "и", "і",
        "й", "та",
    ].map { Array($0.unicodeScalars) }
    /// The minimum decimals of a precise number, and of a number without a digit before the point.
    private static let leastDecimals = 3
    /// The minimum decimals after a word that may mean a size, where “1.200” may be twelve hundred.
    private static let leastDecimalsOfSize = 4
    /// Marks that end a sentence or close a bracket.
    private static let ends = Set(".!?:)]".unicodeScalars)

    private let characters: [Unicode.Scalar]
    private let decimalMark: Unicode.Scalar
    /// Whether degrees, minutes and seconds need neither marks nor a hemisphere. Some may have marks.
    private let needsNoMarks: Bool
    private var position = 0

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - needsNoMarks: whether degrees, minutes and seconds need neither marks nor a hemisphere: `48 51.504, 2 17.67`.
    ///   - position: the index of the character at which reading starts.
    init(
        _ characters: [Unicode.Scalar], decimalMark: Unicode.Scalar, needsNoMarks: Bool = false, at position: Int = 0
    ) {
        self.characters = characters
        self.needsNoMarks = needsNoMarks
        self.decimalMark = decimalMark
        self.position = position
    }

    var isAtEnd: Bool { position == characters.count }

    /// Whether a number comes next, with or without spaces before it.
    var isBeforeNumber: Bool { characters[position...].first { !$0.properties.isWhitespace }?.isASCIIDigit ?? false }

    /// The next character.
    var current: Unicode.Scalar? { position < characters.count ? characters[position] : nil }

    /// Returns the separator after an angle, which may be nothing.
    mutating func separator(after angle: Angle) -> Separator? {
        let start = position
        skipSpaces()
        if let current, Self.separators.contains(current) {
            position += 1
            skipSpaces()
            return .mark
        }
        if position > start, skipJoiner(endsInWord: angle.endsInWord) { return .mark }
        return position > start ? .space : .nothing
    }

    /// Skips a dash or a word such as "and" before an angle that begins with a word. After an angle that ends in a
    /// word, a number may follow: "48° N and 2° E".
    private mutating func skipJoiner(endsInWord: Bool) -> Bool {
        for joiner in Self.joiners where characters[position...].starts(with: joiner) {
            let rest = characters[(position + joiner.count)...]
            guard rest.first == " ", let next = rest.first(where: { $0 != " " }),
                next.properties.isAlphabetic || endsInWord && next.isASCIIDigit && current != "-"
            else { continue }
            position += joiner.count
            skipSpaces()
            return true
        }
        return false
    }

    /// Returns the next angle; `nil` if there is none, and the position is then undefined.
    mutating func angle() -> Angle? {
        var before = word()
        if let label = before {
            // "Lat. 48.8584"
            if label.isNegative == nil, current == "." { position += 1 }
            skipSpaces()
            if current == ":" || current == "=" {
                position += 1
                skipSpaces()
            }
            // "Lat N 48.8584"
            var ahead = self
            if label.isNegative == nil, let hemisphere = ahead.word(), hemisphere.isNegative != nil {
                guard hemisphere.axis == label.axis else { return nil }
                before = hemisphere
                self = ahead
                skipSpaces()
            }
        }
        // In "N-48.8584", the dash may be a hyphen. In "N48.2082 E-16.3738", it is a sign.
        let isApart = position > 0 && characters[position - 1] == " " || before?.axis == .longitude
        guard let degrees = number(signed: true) else { return nil }
        var parts = [degrees]
        var isMarked = degrees.isSigned || degrees.hasPoint
        let hasDegreeMark = take(Self.degreeMarks)
        if hasDegreeMark || takeLetterAsDegreeMark() {
            isMarked = true
            readMinutes(into: &parts, afterWord: before?.isNegative != nil)
        } else {
            readUnmarked(into: &parts, afterWord: before?.isNegative != nil)
        }
        let after = before?.isNegative == nil ? trailingWord(of: before?.axis) : nil
        let word = after ?? before
        let leastDecimals = word?.mayBeSize == true ? Self.leastDecimalsOfSize : Self.leastDecimals
        return Angle(
            value: Self.value(of: parts, isNegative: word?.isNegative == true), axis: word?.axis,
            isMarked: isMarked || word != nil, beginsWithWord: before != nil, endsInWord: after != nil,
            isPrecise: parts.count > 1 || degrees.decimals >= leastDecimals, mayBeSize: word?.mayBeSize == true,
            isEastOrWest: word?.isAmbiguous == true, parts: parts.count,
            fault: Self.fault(in: parts, word, isBefore: before?.isNegative != nil && isApart))
    }

    // MARK: Parts

    private struct Number {
        var magnitude: Double
        var isSigned: Bool
        var isNegative: Bool
        var decimals: Int
        var hasPoint: Bool { decimals > 0 }
    }

    /// Reads minutes and seconds after a degree mark. Without marks they need a hemisphere.
    private mutating func readMinutes(into parts: inout [Number], afterWord: Bool) {
        var end = position
        skipSpaces()
        guard !parts[0].hasPoint, let minutes = number(signed: false) else { return position = end }
        let isMarked = take(Self.minuteMarks)
        guard isMarked || needsNoMarks || afterWord && isBeforeSeparator || isBeforeHemisphere else {
            return position = end
        }
        parts.append(minutes)
        end = position
        guard isMarked || needsNoMarks, !minutes.hasPoint else { return }
        skipSpaces()
        guard let seconds = number(signed: false) else { return position = end }
        guard take(Self.secondMarks) || needsNoMarks || afterWord && isBeforeSeparator || isBeforeHemisphere else {
            return position = end
        }
        parts.append(seconds)
    }

    /// Reads up to three numbers with a hemisphere: `37 47 24 N`, `N 37 47.4`, `37:47:24N`, `37-47-24N`, `37,47,24N`.
    private mutating func readUnmarked(into parts: inout [Number], afterWord: Bool) {
        let end = position
        // Two numbers with a comma are one with decimals.
        let hasCommas = current == ","
        var numbers = parts
        while numbers.count < 3, let last = numbers.last, !last.hasPoint {
            let start = position
            if hasCommas ? current == "," : current == ":" || current == "-" {
                position += 1
            } else if !hasCommas {
                skipSpaces()
            }
            guard position > start, let next = number(signed: false) else {
                position = start
                break
            }
            numbers.append(next)
            if needsNoMarks { _ = take(numbers.count == 2 ? Self.minuteMarks : Self.secondMarks) }
        }
        guard numbers.count > (hasCommas ? 2 : 1), afterWord || needsNoMarks && !hasCommas || isBeforeHemisphere else {
            return position = end
        }
        parts = numbers
    }

    private static func value(of parts: [Number], isNegative: Bool) -> Double {
        var value = 0.0
        for part in parts.reversed() { value = value / 60 + part.magnitude }
        return isNegative || parts[0].isNegative ? -value : value
    }

    private static func fault(in parts: [Number], _ word: AngleWord?, isBefore: Bool) -> StaticString? {
        // A plus next to N or E is redundant, and before a signed number they name the axis: "N -33.4489". Any other
        // sign there is ambiguous.
        if let isNegative = word?.isNegative, parts[0].isSigned, isNegative || parts[0].isNegative && !isBefore {
            return localizable("a coordinate has a sign or a hemisphere letter, not both")
        }
        if parts.dropFirst().contains(where: { $0.magnitude >= 60 }) {
            return localizable("minutes and seconds of a coordinate are less than 60")
        }
        return nil
    }

    // MARK: Characters

    private mutating func skipSpaces() {
        while let current, current.properties.isWhitespace { position += 1 }
    }

    private mutating func number(signed: Bool) -> Number? {
        let start = position
        var text = ""
        if signed, let current, "+-\u{2212}\u{2013}\u{2011}".unicodeScalars.contains(current) {
            text = current == "+" ? "+" : "-"
            position += 1
        }
        let isSigned = !text.isEmpty
        var decimals: Int?
        while let scalar = current {
            if scalar == decimalMark, decimals == nil, position + 1 < characters.count,
                characters[position + 1].isASCIIDigit
            {
                decimals = 0
                text += "."
            } else if scalar.isASCIIDigit {
                text.unicodeScalars.append(scalar)
                decimals = decimals.map { $0 + 1 }
            } else {
                break
            }
            position += 1
        }
        // "-.0015" has no digit before the point. With few decimals it is probably the end of another number.
        if decimalMark == ".", let decimals, decimals >= Self.leastDecimals, let point = text.firstIndex(of: "."),
            text[..<point].allSatisfy({ !$0.isNumber })
        {
            text.insert("0", at: point)
        }
        guard let value = DecimalNumber.value(of: text, plusSign: true) else {
            position = start
            return nil
        }
        return Number(
            magnitude: abs(value), isSigned: isSigned, isNegative: text.hasPrefix("-"), decimals: decimals ?? 0)
    }

    /// Consumes one of the marks, with or without a space before it.
    private mutating func take(_ marks: [[Unicode.Scalar]]) -> Bool {
        let start = position
        skipSpaces()
        for mark in marks where isNext(mark) {
            // A letter is a mark only directly after its number: in "33 S" it is a hemisphere.
            let isLetter = mark[0].isASCIILetter
            if isLetter, mark.count == 1, position > start { continue }
            position += mark.count
            return true
        }
        position = start
        return false
    }

    /// Consumes the letter o in place of a degree mark if minutes or a hemisphere follow: `48o12'29"N`. Elsewhere it
    /// may mean east or west.
    private mutating func takeLetterAsDegreeMark() -> Bool {
        guard current == "o" else { return false }
        var ahead = self
        ahead.position += 1
        let end = ahead
        if !ahead.isBeforeHemisphere {
            ahead.skipSpaces()
            guard ahead.number(signed: false) != nil, ahead.take(Self.minuteMarks) else { return false }
        }
        self = end
        return true
    }

    /// Returns whether a mark comes next. Words may be in capitals, but a single letter may not: in "33S" it is a
    /// hemisphere.
    private func isNext(_ mark: [Unicode.Scalar]) -> Bool {
        characters[position...].starts(with: mark) { next, part in
            next == part
                || mark.count > 1 && part.isASCIILetter && next.isASCIILetter && next.value | 0x20 == part.value
        }
    }

    private var isBeforeHemisphere: Bool {
        var copy = self
        return copy.trailingWord()?.isNegative != nil
    }

    private var isBeforeSeparator: Bool {
        var copy = self
        copy.skipSpaces()
        guard let next = copy.current else { return true }
        return Self.separators.contains(next) || Self.ends.contains(next) || next.isASCIILetter
    }

    /// Returns the hemisphere after a number. "lat" would belong to the next number, and so would the other axis:
    /// "latitudine 41.89 e longitudine 12.49".
    private mutating func trailingWord(of axis: Angle.Axis? = nil) -> AngleWord? {
        let start = position
        skipSpaces()
        guard let word = word(), word.isNegative != nil, axis == nil || word.axis == axis else {
            position = start
            return nil
        }
        return word
    }

    private mutating func word() -> AngleWord? {
        guard let (word, length) = AngleWord.word(at: characters[position...]) else { return nil }
        position += length
        return word
    }
}
