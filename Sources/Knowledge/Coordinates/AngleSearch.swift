package import HunchModel

/// A search for a coordinate in degrees with hemispheres or labels somewhere in a text: "The hut is at 46°33'12"N
/// 8°33'40"E", "I am at lat 48.8584 long 2.2945".
///
/// Both angles need a hemisphere or a label, and minutes or three decimals: "from 8° N to 10° E" is a region. Without
/// degree marks, both have the same parts, and minutes without seconds have decimals: "48 08.244 N 11 34.530 E".
package struct AngleSearch {
    /// The maximum number of numbers in a text that are tried as angles.
    private static let maximumCandidates = 256
    private static let maximumDigits = 24
    /// The maximum length of a word or phrase before a number: "szerokości geograficznej północnej".
    private static let longestWord = 40
    private static let mostSpaces = 2
    private static let degreeMarks = Set("°º˚⁰度도оОo".unicodeScalars)
    /// The marks and the Cyrillic hemispheres.
    private static let firstBytes = degreeMarks.union("СЮВЗ".unicodeScalars).filter { !$0.isASCII }
        .map { Array(String($0).utf8) }
    private static let otherMarks = Set("'\"′″”分분秒초".unicodeScalars)
    private static let hemispheres = Set("NSEWСЮВЗ".unicodeScalars)
    /// The hemispheres after a number. The letter O may mean east or west.
    private static let hemispheresAfter = Set("NSEWOСЮВЗ".unicodeScalars)
    private static let mostParts = 3
    /// The second and third letters of "lat", "lon" and "lng", the beginnings of labels in many languages.
    private static let labels: [(UInt8, UInt8)] = [(0x61, 0x74), (0x6F, 0x6E), (0x6E, 0x67)]
    private static let latinLetters: ClosedRange<Unicode.Scalar> = "A"..."\u{24F}"
    /// The first character of Chinese, Japanese and Korean, which have no spaces between words.
    private static let firstIdeograph: Unicode.Scalar = "\u{2E80}"

    private let scalars: [Unicode.Scalar]

    /// Creates a search; `nil` for most texts, which have no degree mark, no hemisphere next to a digit and no
    /// beginning of a label.
    ///
    /// - Parameter text: UTF-8 in the notation of ``PlainNotation``.
    package init?(_ text: [UInt8]) {
        guard text.indices.contains(where: { Self.mayBegin(text, at: $0) }) else { return nil }
        scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    }

    private static func mayBegin(_ text: [UInt8], at index: Int) -> Bool {
        switch text[index] {
        case UInt8(ascii: "N"), UInt8(ascii: "S"), UInt8(ascii: "E"), UInt8(ascii: "W"):
            let next = text[(index + 1)...].prefix(2)
            if next.first?.isASCIIDigit == true { return true }
            if next.first == UInt8(ascii: " "), next.last?.isASCIIDigit == true { return true }
            return text[..<index].suffix(2).contains(where: \.isASCIIDigit)
        case UInt8(ascii: "L"), UInt8(ascii: "l"):
            guard index + 2 < text.count else { return false }
            return labels.contains { $0 == (text[index + 1] | 0x20, text[index + 2] | 0x20) }
        case UInt8(ascii: "o"):
            guard index > 0, index + 1 < text.count, text[index - 1].isASCIIDigit else { return false }
            return text[index + 1].isASCIIDigit || text[index + 1] == UInt8(ascii: " ")
        case 0xC2...: return firstBytes.contains { text[index...].starts(with: $0) }
        default: return false
        }
    }

    /// Returns the first coordinate; `nil` if there is none.
    ///
    /// - Throws: ``PlaceError`` with the underlying ``EastOrWest/Question`` if its letter O may mean east or west.
    package func coordinate() throws(PlaceError) -> Coordinate? {
        var looked = 0
        var index = 0
        while index < scalars.count, looked < Self.maximumCandidates {
            defer { index += 1 }
            let starts = candidates(at: index)
            looked += starts.count
            for (start, isUnmarked) in starts {
                for mark: Unicode.Scalar in [".", ","] {
                    if let coordinate = try coordinate(at: start, isUnmarked, decimalMark: mark) { return coordinate }
                }
            }
        }
        return nil
    }

    /// - Parameter isUnmarked: whether the first angle has no degree mark, but a hemisphere behind it.
    private func coordinate(
        at start: Int, _ isUnmarked: Bool, decimalMark: Unicode.Scalar
    ) throws(PlaceError) -> Coordinate? {
        var scanner = AngleScanner(scalars, decimalMark: decimalMark, at: start)
        guard let first = scanner.angle(), first.axis != nil, first.isPrecise, scanner.separator(after: first) != nil,
            let second = scanner.angle(), second.axis != nil, second.isPrecise,
            scanner.current.map(goesOn(with:)) != true,
            !isUnmarked || first.parts == second.parts && !scanner.isBeforeNumber
        else { return nil }
        do throws(PlaceError) {
            return try CoordinateText.coordinate(first, second, in: scalars)
        } catch {
            // Angles that are out of range may mean something else. The letter O in a coordinate does not.
            guard error.underlying is EastOrWest.Question else { return nil }
            throw error
        }
    }

    /// Returns the possible beginnings of the angle with a degree mark or hemisphere at an index, and whether it has no
    /// degree mark.
    private func candidates(at index: Int) -> [(start: Int, isUnmarked: Bool)] {
        if Self.degreeMarks.contains(scalars[index]) {
            guard let number = numberStart(before: index) else { return [] }
            return [wordStart(before: number), number].compactMap { start in start.map { ($0, false) } }
        }
        if Self.hemispheresAfter.contains(scalars[index]), index + 1 == scalars.count || !isLetter(at: index + 1) {
            let starts = partStarts(before: index)
            if !starts.isEmpty { return starts.map { ($0, true) } }
        }
        if scalars[index] == "l" || scalars[index] == "L" {
            guard !isLetter(at: index - 1), let (word, _) = AngleWord.word(at: scalars[index...]) else { return [] }
            // A hemisphere such as "longitud oeste" may belong to the previous number.
            return word.isNegative == nil || !followsAngle(index) ? [(index, false)] : []
        }
        guard Self.hemispheres.contains(scalars[index]), !isLetter(at: index - 1), !followsAngle(index) else {
            return []
        }
        let next = index + 1 < scalars.count && scalars[index + 1] == " " ? index + 2 : index + 1
        return next < scalars.count && scalars[next].isASCIIDigit ? [(index, false)] : []
    }

    /// Returns the beginnings of an angle of one, two or three numbers before a hemisphere. The last number of one or two
    /// has decimals.
    private func partStarts(before index: Int) -> [Int] {
        var starts: [Int] = []
        var end = index
        for count in 1...Self.mostParts {
            guard let start = numberStart(before: end) else { break }
            let number = scalars[start..<end]
            if count == 1, number.contains(where: { $0 == "." || $0 == "," }) { starts.append(start) }
            if count > 1, !starts.isEmpty || count == Self.mostParts { starts.append(start) }
            guard start > 0, scalars[start - 1] == " " || scalars[start - 1] == ":" else { break }
            end = scalars[start - 1] == ":" ? start - 1 : start
        }
        return starts
    }

    /// Returns the beginning of the number before a degree mark.
    private func numberStart(before end: Int) -> Int? {
        var start = end
        if start > 0, scalars[start - 1] == " " { start -= 1 }
        let numberEnd = start
        while start > 0, numberEnd - start < Self.maximumDigits, isNumberPart(scalars[start - 1]) { start -= 1 }
        while start < numberEnd, !scalars[start].isASCIIDigit { start += 1 }
        guard start < numberEnd else { return nil }
        // A number with a sign cannot have a hemisphere.
        if start > 0, scalars[start - 1] == "-" || scalars[start - 1] == "+" { return nil }
        return start
    }

    /// Returns the beginning of the hemisphere before a number; `nil` if there is none, or if it belongs to the
    /// previous number.
    private func wordStart(before number: Int) -> Int? {
        let end = number > 0 && scalars[number - 1] == " " ? number - 1 : number
        for start in stride(from: max(0, end - Self.longestWord), to: end, by: 1) {
            guard scalars[start] >= Self.firstIdeograph || !isLetter(at: start - 1),
                let (_, length) = AngleWord.word(at: scalars[start..<end]), start + length == end, !followsAngle(start)
            else { continue }
            return start
        }
        return nil
    }

    /// Returns whether a number or its mark precedes an index.
    private func followsAngle(_ index: Int) -> Bool {
        guard let last = scalars[..<index].suffix(Self.mostSpaces + 1).last(where: { $0 != " " }) else { return false }
        return last.isASCIIDigit || Self.degreeMarks.contains(last) || Self.otherMarks.contains(last)
    }

    /// Returns whether the character after a coordinate continues it. Other scripts do not: in Chinese and Japanese,
    /// text follows without a space.
    private func goesOn(with next: Unicode.Scalar) -> Bool {
        next.isASCIIDigit || Self.latinLetters.contains(next) && next.properties.isAlphabetic
    }

    private func isNumberPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCIIDigit || scalar == "." || scalar == ","
    }

    private func isLetter(at index: Int) -> Bool { index >= 0 && scalars[index].properties.isAlphabetic }
}
