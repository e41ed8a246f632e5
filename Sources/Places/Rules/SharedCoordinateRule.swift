import HunchModel

/// A position somewhere in a text, as people tell where they are: "I'm at 48.1374, 11.5755, come over".
///
/// Two decimal numbers with a comma between them count when both have at least four places behind the point, which is some ten
/// metres: times, prices and sizes have fewer. The first such pair that is a position wins, unless a third number follows.
struct SharedCoordinateRule: PlaceRule {
    let name = "coordinates"

    private static let places = 4...18
    private static let wholeDigits = 1...3
    private static let mostSpaces = 2
    private static let hyphen = UInt8(ascii: "-")
    private static let signs = ["\u{2212}", "\u{2013}", "\u{2011}"].map { Array($0.utf8) }
    private static let directions = Array("NESW".utf8)
    /// How many bytes of a text are looked through.
    private static let maximumLength = 65_536

    func place(in input: PlaceInput) throws(PlaceError) -> ParsedPlace? {
        let bytes = Self.withPlainSigns(input.text.utf8.prefix(Self.maximumLength))
        var index = 0
        while index < bytes.count {
            let start = index
            guard bytes[start].isASCIIDigit || bytes[start] == Self.hyphen, Self.isFree(bytes, at: start),
                let latitude = Self.number(in: bytes, &index)
            else {
                index = max(index, start + 1)
                continue
            }
            var next = index
            guard Self.comma(in: bytes, &next), let longitude = Self.number(in: bytes, &next),
                !Self.goesOn(bytes, at: next),
                let position = try? Coordinate(latitude: latitude, longitude: longitude)
            else { continue }
            return ParsedPlace(item: MapItem(coordinate: position), rule: name)
        }
        return nil
    }

    /// The text with a hyphen for each minus sign, en dash and hyphen that does not break, which people take for it.
    private static func withPlainSigns(_ text: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text {
            bytes.append(byte)
            if (0x91...0x93).contains(byte), signs.contains(Array(bytes.suffix(3))) {
                bytes.replaceSubrange((bytes.count - 3)..., with: [hyphen])
            }
        }
        return bytes
    }

    /// Whether a letter for a direction stands by itself at a place: which way its number is meant is not to be guessed.
    private static func isDirection(_ bytes: [UInt8], at index: Int) -> Bool {
        guard bytes.indices.contains(index), directions.contains(bytes[index] & 0xdf) else { return false }
        let around = [index - 1, index + 1].filter(bytes.indices.contains).map { bytes[$0] }
        return !around.contains { $0.isASCIILetter || $0 >= 0x80 }
    }

    /// Whether neither a letter nor another number stands before.
    private static func isFree(_ bytes: [UInt8], at index: Int) -> Bool {
        guard let last = bytes[..<index].last else { return true }
        if last.isASCIILetter || last.isASCIIDigit || last == UInt8(ascii: ".") || last == hyphen {
            return false
        }
        var before = bytes[..<index].suffix(2 * mostSpaces + 2)
        while before.last == UInt8(ascii: " ") { before.removeLast() }
        if isDirection(bytes, at: before.endIndex - 1) { return false }
        guard before.popLast() == UInt8(ascii: ",") else { return true }
        while before.last == UInt8(ascii: " ") { before.removeLast() }
        return before.last?.isASCIIDigit != true
    }

    /// The number that begins at a place, which is then behind it; `nil` when there is none, and the place is behind what was
    /// looked at.
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

    private static func skipSpaces(in bytes: [UInt8], _ index: inout Int) {
        let end = min(bytes.count, index + mostSpaces)
        while index < end, bytes[index] == UInt8(ascii: " ") { index += 1 }
    }

    /// Whether a letter or another number follows.
    private static func goesOn(_ bytes: [UInt8], at index: Int) -> Bool {
        guard index < bytes.count else { return false }
        var next = index
        skipSpaces(in: bytes, &next)
        if bytes[index].isASCIILetter || isDirection(bytes, at: next) { return true }
        next = index
        guard bytes[index] == UInt8(ascii: ".") || comma(in: bytes, &next) else { return false }
        next = max(next, index + 1)
        return next < bytes.count && (bytes[next].isASCIIDigit || bytes[next] == hyphen)
    }
}
