internal import HunchModel

/// Quoted-printable text: RFC 2045 section 6.7, of mails and of contacts and calendars of the versions 2.1 and 1.0.
package enum QuotedPrintable {
    /// Returns the bytes of a text. Lines that end with `=` continue in the next one. Invalid escapes stay as they are.
    package static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = Array(text)[...]
        result.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                result.append(byte)
                continue
            }
            if let high = rest.first?.hexValue, let low = rest.dropFirst().first?.hexValue {
                result.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else if let end = rest.firstIndex(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }), rest[end] == 0x0A {
                rest = rest[(end + 1)...]
            } else {
                result.append(byte)
            }
        }
        return result
    }
}

extension TextEncoding {
    /// Returns the text that quoted-printable text means.
    ///
    /// - Parameter label: the character encoding that the text names.
    package static func quotedPrintable(_ text: some StringProtocol, labelled label: String) -> String {
        String(decoding: utf8(QuotedPrintable.decoded(text.utf8), labelled: label), as: UTF8.self)
    }
}
