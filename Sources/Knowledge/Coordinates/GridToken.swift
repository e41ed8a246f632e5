internal import HunchModel

/// A run of letters or a number of a grid reference, such as `33`, `UUU` and `9154520089`.
package struct GridToken: Hashable, Sendable {
    /// The characters, in their original case.
    let text: String
    let isNumber: Bool
    /// Whether it follows the previous token without a space.
    let isJoined: Bool

    /// The number of digits, for a number without a point; 0 otherwise.
    var digits: Int { isNumber && !text.utf8.contains(UInt8(ascii: ".")) ? text.utf8.count : 0 }
    /// The value of a number.
    var value: Double? { isNumber ? DecimalNumber.value(of: text) : nil }

    private static let maximumTokens = 12

    /// Splits a text at spaces and commas, and between letters and digits.
    ///
    /// - Returns: `nil` if the text has other characters or too many parts.
    package static func tokens(of bytes: ArraySlice<UInt8>) -> ArraySlice<GridToken>? {
        var tokens: [GridToken] = []
        var rest = bytes
        var isJoined = false
        while let first = rest.first {
            if first.isASCIISpace || first == UInt8(ascii: ",") {
                isJoined = false
                rest.removeFirst()
                continue
            }
            let isNumber = first.isASCIIDigit
            var length = rest.prefix { isNumber ? $0.isASCIIDigit : $0.isASCIILetter }.count
            if isNumber, rest.dropFirst(length).first == UInt8(ascii: ".") {
                let places = rest.dropFirst(length + 1).prefix(while: \.isASCIIDigit).count
                if places > 0 { length += places + 1 }
            }
            guard length > 0, tokens.count < maximumTokens else { return nil }
            tokens.append(
                GridToken(
                    text: String(decoding: rest.prefix(length), as: UTF8.self), isNumber: isNumber, isJoined: isJoined))
            rest = rest.dropFirst(length)
            isJoined = true
        }
        return tokens[...]
    }
}

extension ArraySlice<GridToken> {
    /// Removes the first token if it is a word, and returns it in capitals.
    mutating func takeWord() -> String? {
        guard let first, !first.isNumber else { return nil }
        removeFirst()
        return first.text.uppercased()
    }

    /// Removes the first token if it is one of some words in capitals.
    mutating func skip(_ words: String...) {
        guard let first, !first.isNumber, words.contains(first.text.uppercased()) else { return }
        removeFirst()
    }

    /// Removes the first token and returns its value if it is a number with so many digits before the point; `nil`
    /// otherwise.
    mutating func takeNumber(wholeDigits: ClosedRange<Int>) -> Double? {
        guard let first, let value = first.value,
            wholeDigits.contains(first.text.utf8.prefix { $0 != UInt8(ascii: ".") }.count)
        else { return nil }
        removeFirst()
        return value
    }
}
