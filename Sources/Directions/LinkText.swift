internal import HunchModel

/// Percent-encoding (RFC 3986) and numbers as links have them.
enum LinkText {
    /// A number in digits without exponent, from which the same number is read.
    static func number(_ value: Double) -> String {
        let text = value == 0 ? "0" : "\(value)"
        guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]) else {
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        // Degrees have no large exponents: only what is close to zero is written with one.
        let digits = text[..<mark].filter(\.isNumber)
        let sign = value < 0 ? "-" : ""
        return sign + "0." + String(repeating: "0", count: max(0, -exponent - 1)) + digits
    }

    /// The number that a text is, `nil` when it is none.
    static func number(_ text: Substring) -> Double? {
        guard text.utf8.count <= 64, text.allSatisfy({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) }) else {
            return nil
        }
        return Double(text)
    }

    /// Text in which everything but unreserved characters and those of `keeping` is percent-encoded.
    static func encoded(_ text: String, keeping: String = "") -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-._~".utf8.contains(byte) || keeping.utf8.contains(byte)
            if isPlain {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The text that was encoded; `nil` for a broken escape, for what is not UTF-8 and for U+0000.
    static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(hexadecimal), let low = rest.next().flatMap(hexadecimal) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

/// The fields of a link's query, each at most once.
struct LinkFields {
    private var values: [String: String] = [:]

    /// - Parameter query: what follows the scheme; a `?` at its start and a fragment are not part of the fields.
    init(query: Substring) throws(DirectionsError) {
        let query = (query.hasPrefix("?") ? query.dropFirst() : query).prefix { $0 != "#" }
        for field in query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = LinkText.decoded(parts[0]), let value = LinkText.decoded(parts.count > 1 ? parts[1] : "")
            else {
                throw DirectionsError(.malformedLink, "the percent-encoding of the directions: link is broken")
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw DirectionsError(.malformedLink, "the directions: link has \"\(name)\" twice")
            }
        }
    }

    subscript(name: String) -> String? { values[name] }
}
