/// The percent-encoding of URIs (RFC 3986, section 2.1).
package enum PercentCoding {
    /// Returns the text with all characters percent-encoded except the unreserved ones and those in `keeping`.
    ///
    /// - Parameter keeping: further ASCII characters that stay unchanged.
    package static func encode(_ text: String, keeping: String = "") -> String {
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

    /// Returns the decoded text; `nil` if the encoding is malformed or the result is not UTF-8.
    package static func decode(_ text: some StringProtocol) -> String? {
        bytes(of: Substring(text)).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns the decoded bytes; `nil` if two hexadecimal digits do not follow a `%`.
    ///
    /// - Parameter plusIsSpace: whether `+` stands for a space, as in HTML forms.
    package static func bytes(of text: Substring, plusIsSpace: Bool = false) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next()?.hexValue, let low = rest.next()?.hexValue else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}

extension UInt8 {
    @inlinable package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    @inlinable package var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    /// The value of a hexadecimal digit in ASCII; `nil` for any other byte.
    package var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}
