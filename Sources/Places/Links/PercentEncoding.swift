internal import HunchModel

/// Percent-encoding of RFC 3986 section 2.1, strictly: two hexadecimal digits, and UTF-8 in what comes out.
enum PercentEncoding {
    /// The text that was encoded.
    ///
    /// - Parameter plusIsSpace: whether `+` stands for a space, as in HTML forms and Android's `geo:` queries.
    /// - Throws: ``PlaceError`` with `malformedLink` for a broken escape, for bytes that are not UTF-8 and for U+0000.
    static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) throws(PlaceError) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next()?.hexValue, let low = rest.next()?.hexValue else {
                    throw PlaceError(.malformedLink, "the link has a % that two hexadecimal digits do not follow")
                }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        guard !bytes.contains(0) else { throw PlaceError(.malformedLink, "the link contains a zero byte") }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw PlaceError(.malformedLink, "the percent-encoded text of the link is not UTF-8")
        }
        return decoded
    }
}
