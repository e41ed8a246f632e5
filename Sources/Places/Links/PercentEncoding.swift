public import HunchModel

/// Percent-encoding of RFC 3986 section 2.1. Decoding is strict: two hexadecimal digits, and valid UTF-8.
public enum PercentEncoding {
    /// Returns the text with all characters percent-encoded except the unreserved ones and those in `keeping`.
    ///
    /// - Parameter keeping: further ASCII characters that stay unchanged.
    public static func encode(_ text: String, keeping: String = "") -> String {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            if byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte) || keeping.utf8.contains(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the decoded text.
    ///
    /// - Parameter plusIsSpace: whether `+` stands for a space, as in HTML forms and Android's `geo:` queries.
    /// - Throws: ``PlaceError`` with `malformedLink` for a broken escape, for bytes that are not UTF-8 and for U+0000.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) throws(PlaceError) -> String {
        guard let bytes = PercentDecoding.bytes(of: Substring(text), plusIsSpace: plusIsSpace) else {
            throw PlaceError(.malformedLink, "the link has a % that two hexadecimal digits do not follow")
        }
        guard !bytes.contains(0) else { throw PlaceError(.malformedLink, "the link contains a zero byte") }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw PlaceError(.malformedLink, "the percent-encoded text of the link is not UTF-8")
        }
        return decoded
    }
}
