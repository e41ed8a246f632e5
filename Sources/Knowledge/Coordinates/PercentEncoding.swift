public import HunchModel
internal import Localization

/// Strict decoding of percent-encoded links (RFC 3986, section 2.1): two hexadecimal digits, and valid UTF-8.
public enum PercentEncoding {
    /// Returns the decoded text.
    ///
    /// - Parameter plusIsSpace: whether `+` stands for a space, as in HTML forms and Android's `geo:` queries.
    /// - Throws: ``PlaceError`` with `malformedLink` for a broken escape, for bytes that are not UTF-8 and for U+0000.
    public static func decode(_ text: Substring, plusIsSpace: Bool = false) throws(PlaceError) -> String {
        guard let bytes = PercentCoding.bytes(of: text, plusIsSpace: plusIsSpace) else {
            throw PlaceError(
                .malformedLink, localized("the link has a percent sign that two hexadecimal digits do not follow"))
        }
        guard !bytes.contains(0) else { throw PlaceError(.malformedLink, localized("the link contains a zero byte")) }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw PlaceError(.malformedLink, localized("the percent-encoded text of the link is not UTF-8"))
        }
        return decoded
    }

    /// Returns a whole text decoded.
    public static func decode(_ text: String, plusIsSpace: Bool = false) throws(PlaceError) -> String {
        try decode(text[...], plusIsSpace: plusIsSpace)
    }
}
