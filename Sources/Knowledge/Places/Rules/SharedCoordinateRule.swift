import Coordinates
import HunchModel
import JourneyWords
import MapLinks

/// A coordinate somewhere in a text: "I'm at 48.1374, 11.5755, come over".
///
/// Two decimal numbers separated by a comma count if both have at least four decimals, which are about ten metres.
/// Times, prices and sizes have fewer. At the beginning of a text, a space may replace the comma. The first valid pair
/// without a third number wins.
///
/// If there is no pair, the rule searches for degrees with hemispheres, and then for a word that is an MGRS reference.
/// If the letter O of a longitude may mean east or west, the error offers both.
struct SharedCoordinateRule: SearchingRule {
    let name = "coordinates"

    private static let places = 4...18
    private static let wholeDigits = 1...3
    private static let mostSpaces = 2
    /// The maximum number of bytes before two numbers that may state their order.
    private static let statementLength = 64
    private static let hyphen = UInt8(ascii: "-")
    private static let directions = Array("NESWnesw".utf8)
    /// East or west. A small "o" is a word in several languages.
    private static let eastOrWest = Array("O".utf8)
    /// The lengths of an MGRS reference: zone, band, column and row, and eight or ten digits.
    private static let militaryLengths = 12...15
    private static let militaryDigits = 8
    /// The maximum number of bytes of a text that are searched.
    private static let maximumLength = 65_536

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        guard PlainNotation.mayHaveDigits(input.text) else { return nil }
        if let item = try Self.labelled(input.text) { return ParsedPlace(item: item, rule: name) }
        let bytes = Array(PlainNotation.text(input.text.cut(toBytes: Self.maximumLength)).utf8)
        guard bytes.contains(where: \.isASCIIDigit) else { return nil }
        return try Self.coordinate(in: bytes).map { ParsedPlace(item: MapItem(coordinate: $0), rule: name) }
    }

    /// Reads a label with two decimal numbers at its end, one of which has at least two decimals: “Treffpunkt 52.4, 13.07”.
    private static func labelled(_ text: String) throws(PlaceError) -> MapItem? {
        guard text.utf8.count <= PlaceLimits.text else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let last = words.last else { return nil }
        let count = last.contains(",") ? 1 : 2
        guard words.count > count else { return nil }
        let label = words.dropLast(count).joined(separator: " ")
        var pair = words.dropFirst(words.count - count).joined(separator: " ")
        if pair.hasPrefix("("), pair.hasSuffix(")") { pair = String(pair.dropFirst().dropLast()) }
        // “From 12.30, 14.45” are times of day.
        let mayBeTimes = pair.split(separator: ",").allSatisfy { JourneyTime("at \(String($0).trimmed)") != nil }
        let decimals = pair.split(separator: ",").map { number in
            let parts = String(number).trimmed.split(separator: ".")
            return parts.count == 2 && DecimalNumber.value(of: String(number).trimmed) != nil ? parts[1].utf8.count : 0
        }
        guard !mayBeTimes, decimals.count == 2, decimals.allSatisfy({ $0 > 0 }), decimals.contains(where: { $0 > 1 }),
            label.contains(where: \.isLetter), !label.contains(where: \.isNumber), StatedOrder.order(in: label) == nil,
            let coordinate = try? PlaceText.coordinate(pair)
        else { return nil }
        // “Meet me at 52.4, 13.07”
        let isSentence = OtherWords.isSilent(words[words.count - count - 1].lowercased())
        return MapItem(name: isSentence ? nil : try PlaceText.name(label), coordinate: coordinate)
    }

    private static func coordinate(in bytes: [UInt8]) throws(PlaceError) -> Coordinate? {
        if let pair = try pair(in: bytes) { return pair }
        if let found = try AngleSearch(bytes)?.coordinate() { return found }
        return militaryReference(in: bytes)
    }

    private static func pair(in bytes: [UInt8]) throws(PlaceError) -> Coordinate? {
        var index = 0
        while index < bytes.count {
            let start = index
            guard bytes[start].isASCIIDigit || bytes[start] == hyphen, isFree(bytes, at: start),
                let latitude = number(in: bytes, &index)
            else {
                index = max(index, start + 1)
                continue
            }
            var next = index
            let hasComma = comma(in: bytes, &next)
            // Without a comma, only spaces were skipped.
            guard hasComma || start == 0 && next > index, let longitude = number(in: bytes, &next),
                !goesOn(bytes, at: next), hasComma || !isBeforeNumber(bytes, at: next),
                let position = position(latitude, longitude, before: bytes[..<start])
            else { continue }
            skipSpaces(in: bytes, &next)
            // After a minus sign, "O" is a word.
            guard position.longitude > 0, isLone(eastOrWest, in: bytes, at: next) else { return position }
            return try EastOrWest.coordinate(position.latitude, position.longitude)
        }
        return nil
    }

    /// Returns the coordinate of two numbers in the order stated before them; by default latitude first.
    private static func position(
        _ first: Double, _ second: Double, before text: ArraySlice<UInt8>
    ) -> Coordinate? {
        let words = String(decoding: text.suffix(statementLength), as: UTF8.self)
        guard StatedOrder.order(in: words) == .longitudeFirst else {
            return try? Coordinate(latitude: first, longitude: second)
        }
        return try? Coordinate(latitude: second, longitude: first)
    }

    /// Returns the coordinate of the first word that is an MGRS reference with at least eight digits.
    private static func militaryReference(in bytes: [UInt8]) -> Coordinate? {
        guard hasLongNumber(bytes) else { return nil }
        for word in bytes.split(whereSeparator: { !$0.isASCIILetter && !$0.isASCIIDigit && $0 < 0x80 }) {
            guard militaryLengths.contains(word.count), word.first?.isASCIIDigit == true,
                word.suffix(militaryDigits).allSatisfy(\.isASCIIDigit), let tokens = GridToken.tokens(of: word),
                let place = try? MilitaryGrid.degrees(of: tokens, isMarked: false)
            else { continue }
            return try? Coordinate(latitude: place.latitude, longitude: place.longitude)
        }
        return nil
    }

    private static func hasLongNumber(_ bytes: [UInt8]) -> Bool {
        var digits = 0
        return bytes.contains { byte in
            digits = byte.isASCIIDigit ? digits + 1 : 0
            return digits == militaryDigits
        }
    }

    /// Returns whether one of these letters is at an index, without other letters next to it.
    private static func isLone(_ letters: [UInt8], in bytes: [UInt8], at index: Int) -> Bool {
        guard bytes.indices.contains(index), letters.contains(bytes[index]) else { return false }
        let around = [index - 1, index + 1].filter(bytes.indices.contains).map { bytes[$0] }
        return !around.contains { $0.isASCIILetter || $0 >= 0x80 }
    }

    /// Returns whether neither a letter nor another number precedes an index.
    private static func isFree(_ bytes: [UInt8], at index: Int) -> Bool {
        guard let last = bytes[..<index].last else { return true }
        if last.isASCIILetter || last.isASCIIDigit || last == UInt8(ascii: ".") || last == hyphen {
            return false
        }
        var before = bytes[..<index].suffix(2 * mostSpaces + 2)
        while before.last == UInt8(ascii: " ") { before.removeLast() }
        // A number next to a direction is ambiguous.
        if isLone(directions, in: bytes, at: before.endIndex - 1) { return false }
        guard before.popLast() == UInt8(ascii: ",") else { return true }
        while before.last == UInt8(ascii: " ") { before.removeLast() }
        return before.last?.isASCIIDigit != true
    }

    /// Returns the number at an index and advances the index; `nil` if there is none.
    private static func number(in bytes: [UInt8], _ index: inout Int) -> Double? {
        let start = index
        if index < bytes.count, bytes[index] == hyphen { index += 1 }
        guard wholeDigits.contains(digits(in: bytes, &index)), index < bytes.count, bytes[index] == UInt8(ascii: ".")
        else { return nil }
        index += 1
        guard places.contains(digits(in: bytes, &index)) else { return nil }
        return Double(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private static func digits(in bytes: [UInt8], _ index: inout Int) -> Int {
        let start = index
        while index < bytes.count, bytes[index].isASCIIDigit { index += 1 }
        return index - start
    }

    private static func comma(in bytes: [UInt8], _ index: inout Int) -> Bool {
        skipSpaces(in: bytes, &index)
        guard index < bytes.count, bytes[index] == UInt8(ascii: ",") else { return false }
        index += 1
        skipSpaces(in: bytes, &index)
        return true
    }

    /// Returns whether another number follows after spaces.
    private static func isBeforeNumber(_ bytes: [UInt8], at index: Int) -> Bool {
        var next = index
        skipSpaces(in: bytes, &next)
        if next < bytes.count, bytes[next] == hyphen || bytes[next] == UInt8(ascii: ".") { next += 1 }
        return next < bytes.count && bytes[next].isASCIIDigit
    }

    private static func skipSpaces(in bytes: [UInt8], _ index: inout Int) {
        let end = min(bytes.count, index + mostSpaces)
        while index < end, bytes[index] == UInt8(ascii: " ") { index += 1 }
    }

    /// Returns whether a letter or another number continues the text at an index.
    private static func goesOn(_ bytes: [UInt8], at index: Int) -> Bool {
        guard index < bytes.count else { return false }
        var next = index
        skipSpaces(in: bytes, &next)
        if bytes[index].isASCIILetter || isLone(directions, in: bytes, at: next) { return true }
        next = index
        guard bytes[index] == UInt8(ascii: ".") || comma(in: bytes, &next) else { return false }
        next = max(next, index + 1)
        return next < bytes.count && (bytes[next].isASCIIDigit || bytes[next] == hyphen)
    }
}
