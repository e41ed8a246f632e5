internal import HunchModel
internal import Localization

/// Pairs of plain numbers that are probably not a coordinate: `12,50`, `1.234,56`, `24/7`, `3.5/4.0`, `05.17 12.30`.
package enum AmbiguousNumbers {
    private static let maximumLength = 32
    private static let months = 1...12
    private static let days = 1...31
    private static let hours = 0...24
    private static let minutes = 0...59

    /// Returns the error for a text that may mean something other than a coordinate; `nil` if it does not.
    package static func doubt(about input: String) -> PlaceError? {
        guard input.utf8.count <= maximumLength else { return nil }
        let text = PlainNotation.text(input).trimmed
        guard text.utf8.allSatisfy({ $0.isASCIIDigit || " .,;/|&".utf8.contains($0) }) else { return nil }
        let shown = text.singleSpaced
        if isOneNumber(text) {
            return PlaceError(
                .badCoordinate, localized("“%1” may be one number; write %2 for coordinates", shown, example(of: text)))
        }
        guard let numbers = numbers(of: text) else { return nil }
        if numbers.allSatisfy({ decimals(of: $0) < 2 }), text.utf8.contains(where: { "/|&".utf8.contains($0) }) {
            return PlaceError(
                .badCoordinate,
                localized(
                    "“%1” may be something other than a position; write %2 for coordinates", shown, example(of: text)))
        }
        guard !text.utf8.contains(where: { ",;/|&".utf8.contains($0) }), isDateOrTime(numbers[0]),
            isTime(numbers[1])
        else { return nil }
        return PlaceError(
            .badCoordinate,
            localized(
                "“%1” may be a date or two times; write %2 for coordinates", shown, numbers.joined(separator: ", ")))
    }

    /// Returns whether the comma in a text without spaces may be a decimal comma or a thousands separator.
    private static func isOneNumber(_ text: String) -> Bool {
        guard !text.contains(" ") else { return false }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ DecimalNumber.value(of: $0) != nil }) else { return false }
        let points = parts.map { part in part.firstIndex(of: ".").map { part[..<$0].count } }
        switch (points[0], points[1]) {
        // "12,50", but not "1,2" or "52,134"
        case (nil, nil): return parts[1].count == 2
        // "1.234,56"
        case (let whole?, nil): return parts[0].count - whole - 1 == 3
        // "1,234.56"
        case (nil, let whole?): return whole == 3
        default: return false
        }
    }

    /// Returns two numbers separated by a mark or spaces; `nil` for anything else.
    private static func numbers(of text: String) -> [String]? {
        let hasMark = text.utf8.contains { ",;/|&".utf8.contains($0) }
        let parts = text.split(omittingEmptySubsequences: !hasMark) { hasMark ? ",;/|&".contains($0) : $0 == " " }
            .map { String($0).trimmed }
        // Longer numbers are grid or telephone numbers.
        guard parts.count == 2, parts.allSatisfy({ DecimalNumber.value(of: $0).map { $0 < 1_000 } ?? false }) else {
            return nil
        }
        return parts
    }

    private static func decimals(of number: String) -> Int {
        number.firstIndex(of: ".").map { number[$0...].count - 1 } ?? 0
    }

    private static func example(of text: String) -> String {
        let parts = text.split { !$0.isNumber && $0 != "." }
        return parts.map { $0.contains(".") ? String($0) : $0 + ".0" }.joined(separator: ", ")
    }

    /// Returns the two parts of `05.17`: one or two digits, and exactly two digits.
    private static func halves(_ number: String) -> (Int, Int)? {
        let parts = number.split(separator: ".")
        guard parts.count == 2, parts[1].count == 2, let first = Int(parts[0]), let second = Int(parts[1]) else {
            return nil
        }
        return (first, second)
    }

    private static func isTime(_ number: String) -> Bool {
        halves(number).map { hours.contains($0.0) && minutes.contains($0.1) } ?? false
    }

    private static func isDateOrTime(_ number: String) -> Bool {
        guard let (first, second) = halves(number) else { return false }
        return isTime(number) || days.contains(first) && months.contains(second)
            || months.contains(first) && days.contains(second)
    }
}
